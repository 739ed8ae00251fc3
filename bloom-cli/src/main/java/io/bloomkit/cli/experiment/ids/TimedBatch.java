package io.bloomkit.cli.experiment.ids;

import io.bloomkit.hash.BytesHashStrategy;
import java.util.function.LongPredicate;

/**
 * Hashes some thousand texts at a time, applies a filter's operation to each and measures how long
 * both take. The clock is read twice a batch, and the digits are written outside of the measured
 * time.
 *
 * <p>A text stands as twelve ASCII bytes in a buffer that is used again. Their hash is that of the
 * text by the filter's own strategy, since UTF-8 leaves ASCII as it is; but no String is made, so
 * garbage collection does not disturb what is measured.
 */
final class TimedBatch {

  /** The most texts of a batch: few enough to stay in the fast caches. */
  static final int SIZE = 4096;

  private final BytesHashStrategy bytesHash;
  private final byte[] texts = new byte[SIZE * Iin.DIGITS];
  private final boolean[] answers = new boolean[SIZE];
  private int size;
  private long nanos;

  TimedBatch(BytesHashStrategy bytesHash) {
    this.bytesHash = bytesHash;
  }

  void clear() {
    size = 0;
  }

  boolean isFull() {
    return size == SIZE;
  }

  /** Appends the text of a number. */
  void put(long number) {
    Iin.write(number, texts, size * Iin.DIGITS);
    size++;
  }

  int size() {
    return size;
  }

  /** Applies an operation to the hash of each text. */
  void apply(LongPredicate operation) {
    long start = System.nanoTime();
    for (int i = 0; i < size; i++) {
      answers[i] = operation.test(bytesHash.hashBytes(texts, i * Iin.DIGITS, Iin.DIGITS));
    }
    nanos += System.nanoTime() - start;
  }

  /** Returns what the operation answered for a text. */
  boolean answer(int index) {
    return answers[index];
  }

  /** Returns the time that {@link #apply} took since the last call. */
  long takeNanos() {
    long taken = nanos;
    nanos = 0;
    return taken;
  }
}
