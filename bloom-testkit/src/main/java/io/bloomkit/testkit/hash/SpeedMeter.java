package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.internal.AllocatedBytes;

/** Measures the time and the allocated bytes of a hash. */
final class SpeedMeter {

  private static final int ROUNDS = 5;
  private static final long NANOS_PER_ROUND = 20_000_000;

  /** Receives results, so the compiler cannot remove their computation. */
  @SuppressWarnings("unused")
  private static volatile long sink;

  private SpeedMeter() {}

  static <T> HashSpeed measure(KeySample<T> sample) {
    double fastest = Double.POSITIVE_INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      long hashed = 0;
      long now;
      do {
        hashed += hashAll(sample);
        now = System.nanoTime();
      } while (now - begin < NANOS_PER_ROUND);
      fastest = Math.min(fastest, (double) (now - begin) / hashed);
    }
    return new HashSpeed(fastest, bytesPerHash(sample));
  }

  private static <T> int hashAll(KeySample<T> sample) {
    long sum = 0;
    int some = Math.min(sample.size(), 10_000);
    for (int i = 0; i < some; i++) {
      sum += sample.strategy().hash(sample.key(i));
    }
    sink = sum;
    return some;
  }

  private static <T> double bytesPerHash(KeySample<T> sample) {
    long before = AllocatedBytes.ofThisThread();
    int hashed = hashAll(sample);
    long after = AllocatedBytes.ofThisThread();
    return before < 0 ? Double.NaN : (double) (after - before) / hashed;
  }
}
