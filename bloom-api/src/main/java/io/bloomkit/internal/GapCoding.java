package io.bloomkit.internal;

/**
 * The coding of the sections of a filter's file that have few set bits: the numbers of zeros before
 * each set bit and after the last one, in Rice code (R. F. Rice, <i>Some practical universal
 * noiseless coding techniques</i>, 1979; S. W. Golomb, <i>Run-length encodings</i>, 1966). A
 * section of ascending numbers is coded like set bits at these indexes, but no gap follows the last
 * one. docs/format.md specifies the code bit by bit.
 *
 * <p>A gap g with parameter r takes ⌊g / 2<sup>r</sup>⌋ + 1 + r bits. If a share p of the bits is
 * set at random, the gaps have a geometric distribution. For p up to 20 %, the code with the best r
 * takes at most 3 % more bits than the entropy. For p = 1 %, the code takes 8.11 bits per set bit;
 * the entropy is 8.08.
 */
public final class GapCoding {

  /**
   * The largest ratio of the length of a section to its stored length. A reader allocates the array
   * for the decoded section once it has received 1/14 as many bytes, and keeps the received bytes
   * too. So the reader holds at most fifteen times the bytes received.
   */
  public static final int MAX_EXPANSION = 14;

  /**
   * The largest Rice parameter for set bits. It suffices for a single set bit in the longest
   * section.
   */
  public static final int MAX_RICE_PARAMETER = 40;

  /** The upper bound, exclusive, of the numbers in a section of ascending numbers. */
  public static final long MAX_NUMBER = 1L << 60;

  /**
   * The largest Rice parameter for ascending numbers. It suffices for the gap before a single
   * number.
   */
  public static final int MAX_RICE_PARAMETER_OF_NUMBERS = 60;

  private GapCoding() {}

  /**
   * Returns the smallest stored length in bytes of a gap-coded section with a given number of
   * words.
   */
  public static long minStoredBytes(long wordCount) {
    return (wordCount * Long.BYTES + MAX_EXPANSION - 1) / MAX_EXPANSION;
  }

  /**
   * Returns the largest stored length in bytes at which a writer codes a section that it could also
   * store uncoded. Coding must save at least a quarter of the bytes to be worth the time of
   * decoding.
   *
   * @param rawBytes the length of the section in bytes if it is stored uncoded
   */
  public static long maxStoredBytes(long rawBytes) {
    return rawBytes / 4 * 3;
  }

  /**
   * Returns the best parameter r for geometric gaps, at least 0: 1 + ⌊log₂(ln(φ − 1) / ln(1 − p))⌋,
   * where φ is the golden ratio and p the share of set bits. In place of −1 / ln(1 − p), this
   * method uses the mean gap plus one half, which is nearly the same (A. Kiely, <i>Selecting the
   * Golomb parameter in Rice coding</i>, 2004, equation 8). Computed in integers, so the result is
   * the same on every platform.
   *
   * @param bits the number of bits of the section
   * @param setBits the number of set bits
   */
  public static int riceParameter(long bits, long setBits) {
    long gaps = setBits + 1;
    long zeros = bits - setBits;
    // 2 · 0.4812 · (zeros / gaps + 1/2), and 77/160 = 0.48125.
    long twice =
        zeros < Long.MAX_VALUE / 77 / 2 - gaps
            ? (2 * zeros + gaps) * 77 / (160 * gaps)
            : (2 * zeros + gaps) / 160 / gaps * 77;
    return 63 - Long.numberOfLeadingZeros(Math.max(1, twice));
  }

  /**
   * Returns the parameter for ascending numbers: the parameter for a section of bits that has its
   * set bits at the indexes equal to these numbers and ends with the last of them; 0 if there are
   * no numbers.
   */
  public static int riceParameterOfAscending(Words numbers) {
    long count = numbers.size();
    return count == 0 ? 0 : riceParameter(numbers.get(count - 1) + 1, count);
  }

  /**
   * Returns the number of bits that the gaps of strictly ascending numbers take with a given
   * parameter.
   */
  public static long bitsOfAscending(Words numbers, int riceParameter) {
    long bits = numbers.size() * (1 + riceParameter);
    long next = 0;
    for (long i = 0; i < numbers.size(); i++) {
      long number = numbers.get(i);
      bits += (number - next) >>> riceParameter;
      next = number + 1;
    }
    return bits;
  }

  /**
   * Returns the number of bits that the gaps of a section of bits take.
   *
   * @param words the section
   * @param setBits the number of set bits of the section
   * @param riceParameter r
   */
  public static long bits(Words words, long setBits, int riceParameter) {
    long bits = (setBits + 1) * (1 + riceParameter);
    long next = 0; // the position after the last set bit
    for (long i = 0; i < words.size(); i++) {
      long base = i * Long.SIZE;
      for (long remaining = words.get(i); remaining != 0; remaining &= remaining - 1) {
        long position = base + Long.numberOfTrailingZeros(remaining);
        bits += (position - next) >>> riceParameter;
        next = position + 1;
      }
    }
    return bits + ((words.size() * Long.SIZE - next) >>> riceParameter);
  }
}
