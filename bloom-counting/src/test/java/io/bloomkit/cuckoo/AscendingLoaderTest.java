package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AscendingLoaderTest {

  private static final long SEED = 0x5eed_24;

  /** As many fingerprints as the smallest range of a table has at most. */
  private static final int MAX_BUFFERED = 1 << 14;

  private static DynamicFingerprints empty(long fingerprints, long maxElements) {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(fingerprints);
    return new DynamicFingerprints(new TableSizes(space, maxElements, SEED, false, 0));
  }

  /**
   * Loads ascending fingerprints, and checks that they are held as if they had been added.
   *
   * @param isEven whether there are no more tables either
   */
  private static void check(long fingerprints, long maxElements, boolean isEven, LongStream some) {
    long[] ascending = some.sorted().distinct().toArray();
    FingerprintBuffer buffer = new FingerprintBuffer();
    DynamicFingerprints loaded = empty(fingerprints, maxElements);
    DynamicFingerprints added = empty(fingerprints, maxElements);
    AscendingLoader loader = new AscendingLoader(loaded, buffer);
    for (long fingerprint : ascending) {
      loader.addEntry(fingerprint);
      assertTrue(buffer.size() <= MAX_BUFFERED);
      added.addFingerprint(fingerprint, 1);
    }
    loader.finish();
    assertEquals(0, buffer.size());
    LongStream.Builder held = LongStream.builder();
    loaded.forEach(
        (fingerprint, copies) -> {
          assertEquals(1, copies);
          held.add(fingerprint);
        });
    assertArrayEquals(ascending, held.build().toArray());
    assertEquals(ascending.length, loaded.total());
    assertEquals(ascending.length, loaded.distinct());
    assertTrue(added.holdsTheSameAs(loaded));
    assertTrue(
        loaded.memoryBytes() <= (isEven ? 1.25 : 2) * added.memoryBytes(),
        () -> loaded.memoryBytes() + " bytes instead of " + added.memoryBytes());
    assertTrue(
        !isEven || chunks(loaded) <= chunks(added),
        () -> chunks(loaded) + " tables, not " + chunks(added));
    for (long fingerprint : ascending) {
      loaded.addFingerprint(fingerprint, 1); // to the chunks that were filled
    }
    assertEquals(ascending.length, loaded.distinct());
  }

  private static int chunks(DynamicFingerprints counts) {
    return counts.copies().size();
  }

  @Test
  void anyNumberOfFingerprintsIsLoaded() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int count : new int[] {0, 1, 2, 191, 192, 1000, 14_199, 14_200, 14_201, 30_000}) {
      for (long maxElements : new long[] {10_000, 100_000}) {
        for (long fingerprints : new long[] {1L << 30, 1L << 60}) {
          check(fingerprints, maxElements, true, random.longs(count, 0, fingerprints));
        }
      }
    }
  }

  @Test
  void allFingerprintsAreLoaded() {
    for (long fingerprints :
        new long[] {1, 2, 3, 1000, 14_200, 16_383, 1 << 14, 40_000, 1 << 17, 16_383 << 3}) {
      long all = FingerprintSpace.ofAtLeast(fingerprints).fingerprints();
      check(fingerprints, 10_000, true, LongStream.range(0, all));
      check(fingerprints, 10_000, true, LongStream.of(0, all - 1));
      check(fingerprints, fingerprints, true, LongStream.range(0, all));
    }
  }

  @Test
  @Tag("deep")
  void fingerprintsSideBySideAreLoaded() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int each : new int[] {30, 191, 192, 1000, 20_000}) {
      for (int groups : new int[] {1, 2, 30}) {
        for (int bits : new int[] {30, 50}) {
          long[] starts = random.longs(groups, 0, (1L << bits) - each).toArray();
          LongStream some =
              LongStream.of(starts).flatMap(start -> LongStream.range(start, start + each));
          check(1L << bits, 100_000, false, some);
        }
      }
    }
  }
}
