package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class DynamicCuckooShapeTest {

  private static final long MAX = 1L << 60;

  @Test
  void fingerprintsAreTheElementsByTheRateRoundedUp() {
    assertEquals(new DynamicCuckooShape(1000, 100_000), DynamicCuckooShape.of(1000, 0.01));
    assertEquals(new DynamicCuckooShape(1, 2), DynamicCuckooShape.of(1, 0.9));
    assertEquals(new DynamicCuckooShape(1L << 59, MAX), DynamicCuckooShape.of(1L << 59, 0.5));
    for (long maxElements = 1; maxElements < 1L << 40; maxElements = 3 * maxElements + 1) {
      double least = Math.ceil(maxElements / 0.001);
      double fingerprints = DynamicCuckooShape.of(maxElements, 0.001).fingerprints();
      assertEquals(1 + 0x1p-14, fingerprints / least, 0x1p-14, "for " + maxElements);
    }
  }

  @Test
  void sizesOutOfRangeAreRefused() {
    assertRefused(
        "maxElements must be at least 1, got 0", () -> new DynamicCuckooShape(0, 100_000));
    assertRefused("maxElements must be at least 1, got 0", () -> DynamicCuckooShape.of(0, 2));
    for (double fpp : new double[] {0, 1, -0.1, 1.5, Double.NaN}) {
      assertRefused(
          "fpp must be in (0, 1), got " + fpp + "; 1 % is 0.01",
          () -> DynamicCuckooShape.of(1000, fpp));
    }
    assertRefused(
        "maxElements / fpp must be at most 2^60, as hashes of 64 bits tell no more elements apart,"
            + " but maxElements is 576460752303423488 and fpp 0.25",
        () -> DynamicCuckooShape.of(1L << 59, 0.25));
    assertEquals(1000, new DynamicCuckooShape(1000, 1000).fingerprints());
    assertRefused(
        "fingerprints must be in [maxElements, 2^60], got 999",
        () -> new DynamicCuckooShape(1000, 999));
    assertEquals(MAX, new DynamicCuckooShape(1000, MAX).fingerprints());
    assertRefused(
        "fingerprints must be in [maxElements, 2^60], got " + 2 * MAX,
        () -> new DynamicCuckooShape(1000, 2 * MAX));
    assertEquals(16_383, new DynamicCuckooShape(1000, 16_383).fingerprints());
    assertRefused(
        "fingerprints must have fourteen significant bits at most, got 16385",
        () -> new DynamicCuckooShape(1000, 16_385));
  }

  @Test
  void theRateIsThatOfIndependentFingerprints() {
    DynamicCuckooShape size = DynamicCuckooShape.of(1000, 0.01);
    assertEquals(0, size.fpp(0));
    for (long elements : new long[] {1, 1000, 100_000}) {
      assertEquals(
          1 - Math.pow(1 - 1.0 / size.fingerprints(), (double) elements), size.fpp(elements), 1e-9);
    }
    DynamicCuckooShape ofOne = new DynamicCuckooShape(1, 1);
    assertEquals(0, ofOne.fpp(0));
    assertEquals(1, ofOne.fpp(1));
    assertEquals(1, ofOne.fpp(2));
    assertRefused("elements must be at least 0, got -1", () -> size.fpp(-1));
  }

  @Test
  void elementsAreEstimatedFromDistinctFingerprints() {
    DynamicCuckooShape size = DynamicCuckooShape.of(1000, 0.01);
    for (long elements : new long[] {0, 1, 1000, 100_000}) {
      long distinct = Math.round(size.fpp(elements) * size.fingerprints());
      assertEquals((double) elements, (double) size.elements(distinct), 2);
    }
    assertEquals(Long.MAX_VALUE, size.elements(size.fingerprints()));
    assertEquals(Long.MAX_VALUE, new DynamicCuckooShape(1, 1).elements(1));
  }

  @Test
  void memoryRisesWithTheElements() {
    DynamicCuckooShape size = DynamicCuckooShape.of(1_000_000, 0.01);
    assertEquals(500, (double) size.memoryBytes(0), 500);
    assertEquals(10.9 / 8 * 1_000_000, (double) size.memoryBytes(1_000_000), 50_000);
    assertRefused("elements must be at least 0, got -1", () -> size.memoryBytes(-1));
  }

  private static void assertRefused(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
