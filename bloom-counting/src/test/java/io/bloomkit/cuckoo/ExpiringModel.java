package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The exact model of an {@link ExpiringFingerprints}, or of one that must be caught: a map from
 * fingerprints to the epochs in which they expire.
 */
final class ExpiringModel {

  static final String MISSED = "a live element was not found";
  static final String STALE = "an expired element was found";

  /** What is compared with the model. */
  interface Expiring {

    boolean add(long hash, int epochs);

    boolean remove(long hash);

    boolean contains(long hash);

    long millisLeft(long hash);

    /** Reads the clock. */
    void readClock();
  }

  private static final int MAX_EPOCHS = 1 << ExpiringSize.STAMP_BITS;

  private final SplittableRandom random;
  private final FingerprintSpace space;
  private final ManualClock clock;
  private final long epochMillis;
  private final Map<Long, Long> expiries = new HashMap<>();
  private long epoch;

  /** The mean number of operations between two times at which the clock is set. */
  private final int pause;

  ExpiringModel(FingerprintSpace space, ManualClock clock, long epochMillis, int pause, long seed) {
    this.pause = pause;
    this.random = new SplittableRandom(seed);
    this.space = space;
    this.clock = clock;
    this.epochMillis = epochMillis;
    this.epoch = Math.floorDiv(clock.millis(), epochMillis);
  }

  /** Moves the clock: mostly not at all, or by some milliseconds, epochs or many windows. */
  private void passTime(Expiring filter) {
    int kind = random.nextInt(60 * pause);
    if (kind < 45) {
      clock.pass(random.nextLong(epochMillis));
    } else if (kind < 55) {
      clock.pass(epochMillis * random.nextInt(4));
    } else if (kind < 56) {
      clock.pass(epochMillis * random.nextInt(3 * MAX_EPOCHS));
    } else if (kind < 60) {
      clock.pass(-random.nextLong(3 * epochMillis)); // set back
    }
    epoch = Math.max(epoch, Math.floorDiv(clock.millis(), epochMillis));
    filter.readClock();
  }

  /** A hash, of few different ones so they are repeated, or of many. */
  private long someHash(int elements) {
    return new SplittableRandom(random.nextInt(elements)).nextLong();
  }

  private int someEpochs() {
    return random.nextBoolean() ? MAX_EPOCHS : random.nextInt(1, MAX_EPOCHS + 1);
  }

  private boolean isAlive(long hash) {
    return expiries.getOrDefault(space.fingerprintOf(hash), Long.MIN_VALUE) > epoch;
  }

  private void add(Expiring filter, long hash, int epochs) {
    boolean isNew = !isAlive(hash);
    assertEquals(isNew, filter.add(hash, epochs), isNew ? STALE : MISSED);
    expiries.merge(space.fingerprintOf(hash), epoch + epochs, Math::max);
  }

  private void remove(Expiring filter, long hash) {
    boolean isAlive = isAlive(hash);
    assertEquals(isAlive, filter.remove(hash), isAlive ? MISSED : STALE);
    expiries.remove(space.fingerprintOf(hash));
  }

  private void check(Expiring filter, long hash) {
    boolean isAlive = isAlive(hash);
    assertEquals(isAlive, filter.contains(hash), isAlive ? MISSED : STALE);
    long left =
        isAlive
            ? expiries.getOrDefault(space.fingerprintOf(hash), epoch) * epochMillis
                - Math.max(clock.millis(), epoch * epochMillis)
            : 0;
    assertEquals(left, filter.millisLeft(hash));
  }

  long live() {
    expiries.values().removeIf(expiry -> expiry <= epoch);
    return expiries.size();
  }

  /** Checks all live elements, and runs operations on elements of a given number. */
  void run(Expiring filter, int operations, int elements) {
    for (int i = 0; i < operations; i++) {
      passTime(filter);
      long hash = someHash(elements);
      int kind = random.nextInt(10);
      if (kind < 5) {
        add(filter, hash, someEpochs());
      } else if (kind < 6) {
        remove(filter, hash);
      } else {
        check(filter, hash);
      }
    }
    live();
    for (long fingerprint : expiries.keySet()) {
      assertTrue(filter.contains(space.hashOf(fingerprint)), MISSED);
    }
  }

  /** Merges another model of the same clock. */
  void merge(ExpiringModel other) {
    epoch = Math.max(epoch, other.epoch);
    other.expiries.forEach((fingerprint, expiry) -> expiries.merge(fingerprint, expiry, Math::max));
  }
}
