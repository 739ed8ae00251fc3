package io.bloomkit.counting.dynamic;

import io.bloomkit.internal.Arguments;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * The size and the times of an {@link ExpiringCuckooFilter}.
 *
 * <p>An epoch has g = ⌈time to live / (2<sup>e</sup> − 1)⌉ milliseconds, where e is {@link
 * #STAMP_BITS}. An element that is added in epoch E expires in epoch E + 1 + ⌈time to live / g⌉ ≤ E
 * + 2<sup>e</sup>. So it is alive for the time to live, and less than two epochs longer.
 *
 * @param expected the planned number of distinct elements that are added per time to live
 * @param fingerprints F, the number of possible fingerprints
 * @param timeToLiveMillis the time to live of elements that are added without one, and the longest
 */
record ExpiringSize(long expected, long fingerprints, long timeToLiveMillis) {

  /** Bits per stamp; see docs/laboratory.md for the choice. */
  static final int STAMP_BITS = 4;

  /** The number of epochs of the longest time to live, rounded up. */
  static final int MOST_EPOCHS = (1 << STAMP_BITS) - 1;

  /** The largest F, since a file has numbers below 2^60 of fingerprints with their stamps. */
  static final long MOST_FINGERPRINTS = 1L << 56;

  static final long MOST_MILLIS = 1L << 60;

  /**
   * Returns the size for a number of elements and a rate.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  static ExpiringSize of(long expected, double fpp, long timeToLiveMillis) {
    Arguments.checkAtLeast(1, expected, "expected");
    Arguments.checkFraction(fpp, "fpp");
    if (expected / fpp > MOST_FINGERPRINTS / 2) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expected / fpp must be at most 2^55, but expected is %d and fpp %s",
              expected,
              fpp));
    }
    double least = Math.ceil(mostLive(expected) / fpp);
    long fingerprints = FingerprintSpace.ofAtLeast((long) least).fingerprints();
    return new ExpiringSize(expected, fingerprints, timeToLiveMillis);
  }

  /** Returns a time to live in milliseconds, rounded up. */
  static long millisOf(Duration timeToLive) {
    Objects.requireNonNull(timeToLive, "timeToLive");
    if (timeToLive.isNegative() || timeToLive.isZero()) {
      throw new IllegalArgumentException("timeToLive must be above 0, got " + timeToLive);
    }
    if (timeToLive.compareTo(Duration.ofMillis(MOST_MILLIS)) > 0) {
      throw new IllegalArgumentException(
          "timeToLive must be at most 2^60 milliseconds, got " + timeToLive);
    }
    return timeToLive.plusNanos(999_999).toMillis();
  }

  /** Returns {@link #mostLive()} of a size for a planned number. */
  static long mostLive(long expected) {
    return expected + (expected - 1) / MOST_EPOCHS + 1;
  }

  /**
   * Returns the number of elements that are alive at most if the planned number is added per time
   * to live, evenly. At that number, the false-positive rate is the planned one.
   */
  long mostLive() {
    return mostLive(expected);
  }

  long epochMillis() {
    return (timeToLiveMillis - 1) / MOST_EPOCHS + 1;
  }

  /** Returns after how many epochs an element expires, counting that of its addition. */
  int epochs(long millis) {
    return (int) ((millis - 1) / epochMillis()) + 2;
  }

  FingerprintSpace space() {
    return FingerprintSpace.ofAtLeast(fingerprints);
  }

  TableSizes tables(long secret) {
    return new TableSizes(space(), mostLive(), secret, false, STAMP_BITS);
  }

  /** Returns the size of a filter of the same fingerprints that do not expire. */
  DynamicCuckooShape unexpiring() {
    return new DynamicCuckooShape(mostLive(), fingerprints);
  }
}
