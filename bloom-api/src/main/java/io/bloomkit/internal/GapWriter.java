package io.bloomkit.internal;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the gaps of a section; see {@link GapCoding}. Use each instance for one section only. */
public final class GapWriter {

  private final OutputStream out;
  private final int riceParameter;
  private long bits;
  private int bitCount;

  public GapWriter(OutputStream out, int riceParameter) {
    this.out = out;
    this.riceParameter = riceParameter;
  }

  /** Writes all gaps, and then zeros up to a whole byte. */
  public void write(Words words) throws IOException {
    long next = 0;
    for (long i = 0; i < words.size(); i++) {
      long base = i * Long.SIZE;
      for (long remaining = words.get(i); remaining != 0; remaining &= remaining - 1) {
        long position = base + Long.numberOfTrailingZeros(remaining);
        writeGap(position - next);
        next = position + 1;
      }
    }
    writeGap(words.size() * Long.SIZE - next);
    finish();
  }

  /**
   * Writes strictly ascending numbers as gaps, each the number of numbers that are skipped before
   * it (before the first, the number itself). No gap follows the last. Then writes zero bits up to
   * a whole byte.
   */
  public void writeAscending(Words numbers) throws IOException {
    long next = 0;
    for (long i = 0; i < numbers.size(); i++) {
      long number = numbers.get(i);
      writeGap(number - next);
      next = number + 1;
    }
    finish();
  }

  private void finish() throws IOException {
    if (bitCount > 0) {
      out.write((int) bits);
    }
  }

  private void writeGap(long gap) throws IOException {
    for (long ones = gap >>> riceParameter; ones > 0; ) {
      int now = (int) Math.min(ones, Integer.SIZE);
      writeBits(~(-1L << now), now);
      ones -= now;
    }
    writeBits(0, 1);
    long low = gap & ~(-1L << riceParameter);
    int lowHalf = Math.min(riceParameter, Integer.SIZE);
    writeBits(low & 0xffffffffL, lowHalf);
    writeBits(low >>> Integer.SIZE, riceParameter - lowHalf);
  }

  /** Writes up to 32 bits, lowest first. Up to seven bits are kept until the next call. */
  private void writeBits(long value, int count) throws IOException {
    bits |= value << bitCount;
    bitCount += count;
    while (bitCount >= Byte.SIZE) {
      out.write((int) bits);
      bits >>>= Byte.SIZE;
      bitCount -= Byte.SIZE;
    }
  }
}
