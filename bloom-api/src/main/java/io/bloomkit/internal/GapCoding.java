package io.bloomkit.internal;

/**
 * How a section with few set bits is stored: the number of zeros before each of them and after the
 * last, in Rice's code (R. F. Rice, <i>Some practical universal noiseless coding techniques</i>,
 * 1979; S. W. Golomb, <i>Run-length encodings</i>, 1966). docs/format.md specifies it bit by bit.
 *
 * <p>A gap g with parameter r takes ⌊g / 2<sup>r</sup>⌋ + 1 + r bits. With a share p of set bits
 * the gaps are geometric, and with the best r that is within a few hundredths of the entropy: at 1
 * %, 8.12 bits a set bit where no code needs less than 8.08.
 */
public final class GapCoding {

  /**
   * How many times longer a section may be than it is stored. A reader keeps what it received until
   * it may make the array, 1/14 of it, and then the array: fifteen times what it has received.
   */
  public static final int MAX_EXPANSION = 14;

  /** Enough for one set bit in the longest section. */
  public static final int MAX_RICE_PARAMETER = 40;

  /** Ascending numbers are below it. */
  public static final long MAX_NUMBER = 1L << 60;

  /** Enough for the gap before one number. */
  public static final int MAX_RICE_PARAMETER_OF_NUMBERS = 60;

  private GapCoding() {}

  /** Returns the fewest bytes that a section of a number of words takes. */
  public static long leastStoredBytes(long words) {
    return (words * Long.BYTES + MAX_EXPANSION - 1) / MAX_EXPANSION;
  }

  /** The most bytes that a section takes gap-coded: decoding is worth a quarter of its length. */
  public static long mostStoredBytes(long rawBytes) {
    return rawBytes / 4 * 3;
  }

  /**
   * The best parameter for geometric gaps: 1 + ⌊log₂(ln(φ − 1) / ln(1 − p))⌋, where −1 / ln(1 − p)
   * is about the mean gap and a half (A. Kiely, <i>Selecting the Golomb parameter in Rice
   * coding</i>, 2004, equation 8). In whole numbers, so that it is the same everywhere.
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

  /** The parameter for ascending numbers: that of the bits up to the last of them. */
  public static int riceParameterOfAscending(Words numbers) {
    long count = numbers.size();
    return count == 0 ? 0 : riceParameter(numbers.get(count - 1) + 1, count);
  }

  /** The number of bits that the gaps of ascending numbers take. */
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

  /** The number of bits that the gaps of some words take. */
  public static long bits(Words words, long setBits, int riceParameter) {
    long bits = (setBits + 1) * (1 + riceParameter);
    long next = 0; // the position after the last set bit
    for (long i = 0; i < words.size(); i++) {
      long base = i * Long.SIZE;
      for (long left = words.get(i); left != 0; left &= left - 1) {
        long position = base + Long.numberOfTrailingZeros(left);
        bits += (position - next) >>> riceParameter;
        next = position + 1;
      }
    }
    return bits + ((words.size() * Long.SIZE - next) >>> riceParameter);
  }
}
