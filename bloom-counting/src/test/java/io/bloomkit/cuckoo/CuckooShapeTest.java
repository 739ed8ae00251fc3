package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CuckooShapeTest {

  @Test
  void sizeIsKnownBeforeTheFilterIsBuilt() {
    for (int n : new int[] {1, 6, 7, 1000, 99_999}) {
      for (double fpp : new double[] {0.03, 0.01, 1e-6, 2e-9}) {
        CuckooFilter.Builder<Long> builder =
            CuckooFilter.builder(HashStrategies.longs()).expecting(n, fpp);
        CuckooFilter<Long> filter = builder.build();
        CuckooShape size = CuckooShape.of(n, fpp);
        assertEquals(filter.memoryBytes(), builder.memoryBytes());
        assertEquals(filter.memoryBytes(), size.memoryBytes());
        assertEquals(filter.capacity(), size.capacity());
        assertEquals(filter.shape(), size);
        assertTrue(size.fpp(n) <= fpp);
      }
    }
    assertEquals(2_105_263_188L, CuckooShape.of(1_600_000_000, 0.01).memoryBytes());
  }

  @Test
  void aRateThatASizeHasExactlyIsKeptByThatSize() {
    for (int n : new int[] {1, 1000, 99_999}) {
      for (double fpp : new double[] {0.03, 0.01, 1e-6, 2e-9}) {
        CuckooShape size = CuckooShape.of(n, fpp);
        assertEquals(size, CuckooShape.of(n, size.fpp(n)));
      }
    }
  }

  @Test
  void expectedRateOfASizeIsThatOfTheFilterFilled() {
    CuckooFilter<Long> filter = CuckooFilter.create(HashStrategies.longs(), 100_000, 0.01);
    CuckooShape size = CuckooShape.of(100_000, 0.01);
    assertEquals(0, size.fpp(0));
    for (long i = 0; i < 100_000; i++) {
      filter.add(i);
      if (i == 49_999 || i == 99_999) {
        // Of n distinct elements some share their fingerprint: fewer than n times the rate.
        assertEquals(filter.expectedFpp(), size.fpp(i + 1), 0.005 * filter.expectedFpp());
      }
    }
  }

  @Test
  void sizesThatCannotBeAreRefusedByNameAndValue() {
    assertRefused("fingerprintBits", "6", () -> new CuckooShape(10, 10, 6));
    assertRefused("fingerprintBits", "9", () -> new CuckooShape(10, 10, 9));
    assertRefused("fingerprintBits", "34", () -> new CuckooShape(10, 10, 34));
    assertRefused("buckets", "0", () -> new CuckooShape(10, 0, 8));
    assertRefused("buckets", "600000000", () -> new CuckooShape(10, 600_000_000, 8));
    assertRefused("capacity", "0", () -> new CuckooShape(0, 10, 8));
    assertRefused("capacity", "41", () -> new CuckooShape(41, 10, 8));
    assertRefused("elements", "-1", () -> new CuckooShape(40, 10, 8).fpp(-1));
    assertRefused("expectedInsertions", "0", () -> CuckooShape.of(0, 0.01));
    for (double fpp : new double[] {Double.NaN, 0, 1}) {
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> CuckooShape.of(10, fpp)).toString();
      assertTrue(refusal.contains("must be in (0, 1), got " + fpp), refusal);
    }
  }

  /** The buckets of one array, to the last. */
  @Test
  void theLargestSizesAreNotRefused() {
    for (int bits = 8; bits <= 32; bits += 2) {
      int most = FingerprintTable.maxBuckets(bits);
      assertEquals(4L * most, new CuckooShape(4L * most, most, bits).capacity());
      assertRefused("buckets", Integer.toString(most + 1), bucketsBeyond(most, bits));
      assertRefused("capacity", Long.toString(4L * most + 1), capacityBeyond(most, bits));
    }
    assertEquals(1, new CuckooShape(1, 1, 8).buckets());
    int most = FingerprintTable.maxBuckets(8);
    long largest = (long) (3.8 * (most - 4));
    assertEquals(most, CuckooShape.of(largest, 0.5).buckets());
    assertRefused(
        "expectedInsertions", Long.toString(largest + 4), () -> CuckooShape.of(largest + 4, 0.5));
  }

  private static Executable bucketsBeyond(int most, int bits) {
    return () -> new CuckooShape(1, most + 1, bits);
  }

  private static Executable capacityBeyond(int most, int bits) {
    return () -> new CuckooShape(4L * most + 1, most, bits);
  }

  /** 2,147,483,639 bytes, less what is read beyond the last bucket, at six bytes a bucket. */
  @Test
  void aRefusalSaysHowManyElementsOrWhichRateThereCanBe() {
    String tooMany =
        assertThrows(IllegalArgumentException.class, () -> CuckooShape.of(2_000_000_000, 0.002))
            .toString();
    assertTrue(tooMany.contains("at most about 1.36e+09 for fpp 0.002"), tooMany);
    // 268 buckets of 2^32 - 1 fingerprints, of which each element occupies two.
    String tooRare =
        assertThrows(IllegalArgumentException.class, () -> CuckooShape.of(1000, 1e-10)).toString();
    assertTrue(tooRare.contains("at least 1.74e-09 for 1000 elements"), tooRare);
  }

  private static void assertRefused(String name, String value, Executable call) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
    assertTrue(message.startsWith(name + " must ") && message.endsWith(" got " + value), message);
  }
}
