package io.bloomkit.cuckoo;

import io.bloomkit.internal.Arguments;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * The size and the times of an {@link ExpiringCuckooFilter}.
 *
 * <p>An epoch has g = ⌈window / (2<sup>e</sup> − 1)⌉ milliseconds or insertions, where e is {@link
 * #STAMP_BITS}. An element that is added in epoch E expires in epoch E + 1 + ⌈window / g⌉ ≤ E +
 * 2<sup>e</sup>. So it is alive for the window, and less than two epochs longer.
 *
 * @param expected the planned number of distinct elements that are added per window
 * @param fingerprints F, the number of possible fingerprints
 * @param window the time to live of elements that are added without one, which is the longest, in
 *     milliseconds; or the number of insertions after which elements may be forgotten
 * @param isOfInsertions whether the window is a number of insertions
 */
record ExpiringSize(long expected, long fingerprints, long window, boolean isOfInsertions) {

  /** Bits per stamp; see bloom-bench/laboratory.md for the choice. */
  static final int STAMP_BITS = 4;

  /** The number of epochs of a window, rounded up. */
  static final int MAX_EPOCHS = (1 << STAMP_BITS) - 1;

  /** The largest F, since a file has numbers below 2^60 of fingerprints with their stamps. */
  static final long MAX_FINGERPRINTS = 1L << 56;

  /** The longest window, in milliseconds or insertions. */
  static final long MAX_WINDOW = 1L << 60;

  /**
   * Returns the size for a number of elements and a rate.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  static ExpiringSize of(long expected, double fpp, long window, boolean isOfInsertions) {
    Arguments.checkAtLeast(1, expected, "expected");
    Arguments.checkFraction(fpp, "fpp");
    if (expected / fpp > MAX_FINGERPRINTS / 2) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expected / fpp must be at most 2^55, but expected is %d and fpp %s",
              expected,
              fpp));
    }
    double least = Math.ceil(maxLive(expected, window) / fpp);
    long fingerprints = FingerprintSpace.ofAtLeast((long) least).fingerprints();
    return new ExpiringSize(expected, fingerprints, window, isOfInsertions);
  }

  /** Returns a time to live in milliseconds, rounded up. */
  static long millisOf(Duration timeToLive) {
    Objects.requireNonNull(timeToLive, "timeToLive");
    if (timeToLive.isNegative() || timeToLive.isZero()) {
      throw new IllegalArgumentException("timeToLive must be above 0, got " + timeToLive);
    }
    if (timeToLive.compareTo(Duration.ofMillis(MAX_WINDOW)) > 0) {
      throw new IllegalArgumentException(
          "timeToLive must be at most 2^60 milliseconds, got " + timeToLive);
    }
    return timeToLive.plusNanos(999_999).toMillis();
  }

  /** Returns {@link #maxLive()} of a size for a planned number and a window. */
  static long maxLive(long expected, long window) {
    long epoch = epochLength(window);
    long longest = ((window - 1) / epoch + 2) * epoch; // from the beginning of an epoch
    if (expected <= Long.MAX_VALUE / longest) {
      return (expected * longest - 1) / window + 1;
    }
    return BigInteger.valueOf(expected)
        .multiply(BigInteger.valueOf(longest))
        .add(BigInteger.valueOf(window - 1))
        .divide(BigInteger.valueOf(window))
        .longValueExact();
  }

  /**
   * Returns the number of elements that are alive at most if the planned number is added per
   * window, evenly: n · g · (⌈window / g⌉ + 1) / window, rounded up. At that number, the
   * false-positive rate is the planned one.
   */
  long maxLive() {
    return maxLive(expected, window);
  }

  /** Returns the false-positive rate with {@link #maxLive()} elements. */
  double fpp() {
    return (double) maxLive() / fingerprints;
  }

  /** Returns the milliseconds or insertions of an epoch. */
  long epochLength() {
    return epochLength(window);
  }

  private static long epochLength(long window) {
    return (window - 1) / MAX_EPOCHS + 1;
  }

  /**
   * Returns after how many epochs an element expires, counting that of its addition.
   *
   * @param length how long it is alive, at most the window
   */
  int epochs(long length) {
    return (int) ((length - 1) / epochLength()) + 2;
  }

  FingerprintSpace space() {
    return FingerprintSpace.ofAtLeast(fingerprints);
  }

  TableSizes tables(long secret) {
    return new TableSizes(space(), maxLive(), secret, false, STAMP_BITS);
  }

  /** Returns the size in the words of a user, for messages. */
  @Override
  public String toString() {
    return "expected number "
        + expected
        + ", "
        + fingerprints
        + " fingerprints and "
        + (isOfInsertions
            ? "a window of " + window + " insertions"
            : "a time to live of " + window + " ms");
  }

  /** Returns the size of a filter of the same fingerprints that do not expire. */
  DynamicCuckooShape unexpiring() {
    return new DynamicCuckooShape(maxLive(), fingerprints);
  }
}
