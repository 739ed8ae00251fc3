package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterLayout.CacheLines;
import io.bloomkit.hash.HashStrategies;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CuckooFilterTest {

  private static final long SEED = 20261120;

  private static CuckooFilter<Long> filter(long capacity, double fpp) {
    return CuckooFilter.create(HashStrategies.longs(), capacity, fpp);
  }

  /** A filter that holds as many distinct fingerprints as fit; returns the hashes it holds. */
  private static long[] fill(CuckooFilter<Long> filter, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LongStream.Builder hashes = LongStream.builder();
    while (filter.distinctFingerprints() < filter.capacity()) {
      long hash = random.nextLong();
      filter.addHash(hash);
      hashes.add(hash);
    }
    return hashes.build().toArray();
  }

  private static List<Long> counts(CuckooFilter<Long> filter, long[] hashes) {
    return LongStream.of(hashes).map(filter::countHash).boxed().toList();
  }

  @Test
  void isNeverConcurrent() {
    assertFalse(filter(100, 0.01).isConcurrent());
    assertFalse(CuckooFilter.KIND.is(FilterKind.Trait.CONCURRENT));
  }

  @Test
  void layoutHasTheRateUpToTheCapacityAndTheFill() {
    FilterLayout planned = CuckooFilter.KIND.layout(1000, 0.01);
    assertEquals(CuckooShape.of(1000, 0.01).fpp(1000), planned.fpp(1000));
    assertEquals(Double.NaN, planned.fpp(1001));
    assertEquals(
        new CacheLines(2.9, 2 + FingerprintTable.MAX_KICKS, 2, 2, 2), planned.cacheLines(1000));
    CuckooFilter<Long> filter = filter(1000, 0.01);
    LongStream.range(0, 100).forEach(filter::add);
    assertEquals(
        filter.distinctFingerprints() / (4.0 * filter.shape().buckets()),
        CuckooFilter.KIND.layoutOf(filter).figures().get("fill"));
  }

  @Test
  void filtersOfOtherElementsOrCopiesAreNotEqual() {
    CuckooFilter<Long> filter = filterOf(1, 1, 1, 1, 2);
    assertEquals(filterOf(2, 1, 1, 1, 1), filter);
    assertEquals(filterOf(2, 1, 1, 1, 1).hashCode(), filter.hashCode());
    for (long[] others : new long[][] {{}, {1, 1, 1, 2, 2}, {1, 1, 1, 1, 3}, {1, 1, 1, 1, 1, 2}}) {
      assertNotEquals(filter, filterOf(others));
      assertNotEquals(filter.hashCode(), filterOf(others).hashCode());
    }
  }

  private static CuckooFilter<Long> filterOf(long... elements) {
    CuckooFilter<Long> filter = filter(100, 0.01);
    LongStream.of(elements).forEach(filter::add);
    return filter;
  }

  /** Fingerprints that were kicked, and copies that found no slot, are where they would not be. */
  @Test
  void aFilterThatWasFullEqualsTheFilterOfWhatIsLeft() {
    for (int kept = 0; kept < 10; kept++) {
      CuckooFilter<Long> filter = filter(100, 0.01);
      long[] hashes = fill(filter, SEED + kept);
      CuckooFilter<Long> expected = filter(100, 0.01);
      for (int i = 0; i < hashes.length; i++) {
        if (i % 30 == 0) {
          filter.addHash(hashes[i]);
          expected.addHashes(new long[] {hashes[i], hashes[i]}, 0, 2);
        }
      }
      for (int i = 0; i < hashes.length; i++) {
        assertTrue(i % 30 == 0 || filter.removeHash(hashes[i]));
      }
      assertEquals(expected, filter);
      assertEquals(expected.hashCode(), filter.hashCode());
    }
  }

  /** Every fill is distinct fingerprints up to the last: more than as many elements. */
  @Test
  void neverFailsBelowItsCapacity() {
    for (int n = 1; n <= 1000; n += n < 100 ? 1 : 37) {
      for (double fpp : new double[] {0.03, 0.002, 1e-6}) {
        for (int seed = 0; seed < 20; seed++) {
          CuckooFilter<Long> filter = filter(n, fpp);
          long[] held = fill(filter, SEED + seed);
          assertEquals(held.length, filter.elementCount().orElseThrow());
          for (long hash : held) {
            assertTrue(filter.mightContainHash(hash));
          }
        }
      }
    }
  }

  @Test
  @Tag("deep")
  void stashStaysSmallUpToTheCapacity() {
    for (double fpp : new double[] {0.03, 0.01, 0.002, 0.00013}) {
      stashStaysSmall(10_000, fpp, 40);
      stashStaysSmall(100_000, fpp, 5);
      stashStaysSmall(1_000_000, fpp, 1);
    }
  }

  private static void stashStaysSmall(int n, double fpp, int seeds) {
    for (int seed = 0; seed < seeds; seed++) {
      CuckooFilter<Long> filter = filter(n, fpp);
      fill(filter, SEED + seed);
      assertTrue(filter.stashed() <= 4, filter::toString);
    }
  }

  @Test
  @Tag("deep")
  void takesTheBitsAnElementThatItPromises() {
    assertBitsAtMost(12.7, 0.002);
    assertBitsAtMost(16.9, 0.00013);
    assertBitsAtMost(10.6, 0.01);
    assertBitsAtMost(8.6, 0.03);
  }

  private static void assertBitsAtMost(double limit, double fpp) {
    for (int n : new int[] {10_000, 10_001, 12_345, 100_000, 1_000_000}) {
      CuckooFilter<Long> filter = filter(n, fpp);
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < n; i++) {
        filter.addHash(random.nextLong());
      }
      double bits = 8.0 * filter.memoryBytes() / n;
      assertTrue(
          bits <= limit,
          () -> String.format(Locale.ROOT, "%.3f bits per element in %s", bits, filter));
      assertTrue(filter.expectedFpp() <= fpp, filter::toString);
    }
  }

  @Test
  void beyondItsCapacityAddThrowsAndChangesNothing() {
    for (int n : new int[] {1, 2, 5, 100, 10_000}) {
      for (double fpp : new double[] {0.03, 0.002}) {
        CuckooFilter<Long> filter = filter(n, fpp);
        long[] held = fill(filter, SEED);
        List<Long> counts = counts(filter, held);
        String before = filter.toString();
        OptionalLong elements = filter.elementCount();
        long[] absent =
            new SplittableRandom(SEED + 1)
                .longs()
                .filter(hash -> !filter.mightContainHash(hash))
                .limit(1000)
                .toArray();
        for (long hash : absent) {
          IllegalStateException refusal =
              assertThrows(IllegalStateException.class, () -> filter.addHash(hash));
          assertTrue(String.valueOf(refusal.getMessage()).contains(" " + n + " distinct"));
          assertFalse(filter.mightContainHash(hash));
        }
        assertEquals(before, filter.toString());
        assertEquals(counts, counts(filter, held));
        assertEquals(elements, filter.elementCount());
        // What is positive already takes no more of the capacity.
        assertFalse(filter.addHash(held[0]));
        assertTrue(filter.removeHash(held[0]));
        assertEquals(counts, counts(filter, held));
      }
    }
  }

  @Test
  void addingManyOfWhichSomeDoNotFitAddsNone() {
    CuckooFilter<Long> filter = filter(100, 0.002);
    LongStream.range(0, 120).forEach(i -> filter.add(i % 60));
    long[] hashes = LongStream.range(0, 200).map(i -> filter.strategy().hash(i)).toArray();
    List<Long> counts = counts(filter, hashes);
    String before = filter.toString();

    assertThrows(IllegalStateException.class, () -> filter.addHashes(hashes, 0, 120));
    assertEquals(before, filter.toString());
    assertEquals(counts, counts(filter, hashes));
    assertThrows(IllegalStateException.class, () -> filter.addHashes(hashes, 50, 60));
    assertEquals(before, filter.toString());
    assertEquals(counts, counts(filter, hashes));
    assertEquals(OptionalLong.of(120), filter.elementCount());

    assertEquals(filter.capacity() - 60, filter.addHashes(hashes, 50, 50));
  }

  @Test
  void aCopyIsItsOwn() {
    CuckooFilter<Long> filter = filter(1000, 0.01);
    long[] held = fill(filter, SEED);
    filter.addHashes(held, 0, held.length);
    filter.addHashes(held, 0, held.length);
    CuckooFilter<Long> copy = filter.copy();
    List<Long> counts = counts(filter, held);
    String before = filter.toString();
    assertEquals(before, copy.toString());
    assertEquals(filter.plan(), copy.plan());
    assertTrue(filter.isCompatible(copy));
    filter.clear();
    assertEquals(counts, counts(copy, held));
    assertEquals(before, copy.toString());
    assertEquals(3L * held.length, copy.elementCount().orElseThrow());
    assertEquals(0, filter.elementCount().orElseThrow());
    for (long hash : held) {
      copy.removeHashes(new long[] {hash, hash, hash}, 0, 3);
    }
    assertEquals(0, copy.expectedFpp());
  }

  @Test
  void compatibleAreFiltersOfOneStrategyAndSize() {
    CuckooFilter<Long> filter = filter(1000, 0.01);
    assertTrue(filter.isCompatible(filter(1000, 0.01)));
    assertFalse(filter.isCompatible(filter(1000, 0.001)));
    assertFalse(filter.isCompatible(filter(2000, 0.01)));
    assertFalse(
        filter.isCompatible(CuckooFilter.<String>create(HashStrategies.utf8(), 1000, 0.01)));
  }

  @Test
  void extraCopiesTakeMemoryAndGiveItBack() {
    CuckooFilter<Long> filter = filter(1000, 0.01);
    long empty = filter.memoryBytes();
    filter.add(1L);
    filter.add(1L);
    assertEquals(empty, filter.memoryBytes());
    filter.add(1L);
    long withExtraCopy = filter.memoryBytes();
    assertTrue(withExtraCopy > empty);
    for (int i = 0; i < 1000; i++) {
      filter.add(1L);
    }
    assertEquals(withExtraCopy, filter.memoryBytes());
    while (filter.count(1L) > 2) {
      filter.remove(1L);
    }
    assertEquals(empty, filter.memoryBytes());
  }

  /** More places than elements are what keeps the chains short. */
  @Test
  void copiesLeaveTheSparePlacesFree() {
    CuckooFilter<Long> filter = filter(1000, 1e-6);
    long[] held = fill(filter, SEED);
    assertEquals(1000, held.length);
    assertEquals(0, filter.stashed());
    long full = filter.memoryBytes();
    filter.addHash(held[0]);
    assertTrue(filter.memoryBytes() > full);
    filter.removeHash(held[0]);
    filter.removeHash(held[1]);
    assertEquals(full, filter.memoryBytes());
    filter.addHash(held[0]);
    assertEquals(full, filter.memoryBytes());
  }

  @Test
  void freedPlacesAreTakenByCopiesAgain() {
    CuckooFilter<Long> filter = filter(1000, 0.01);
    long empty = filter.memoryBytes();
    for (long hash : fill(filter, SEED)) {
      assertTrue(filter.removeHash(hash));
    }
    filter.add(1L);
    filter.add(1L);
    assertEquals(empty, filter.memoryBytes());
  }

  @Test
  void refusesSizesThatItCannotHaveByTheirValue() {
    IllegalArgumentException tooRare =
        assertThrows(IllegalArgumentException.class, () -> filter(1000, 1e-10));
    assertTrue(String.valueOf(tooRare.getMessage()).contains("1.0E-10"));
    for (long n : new long[] {2_000_000_000, Long.MAX_VALUE}) {
      IllegalArgumentException tooMany =
          assertThrows(IllegalArgumentException.class, () -> filter(n, 0.002));
      assertTrue(String.valueOf(tooMany.getMessage()).contains(Long.toString(n)));
    }
    assertThrows(
        IllegalStateException.class, () -> CuckooFilter.builder(HashStrategies.longs()).build());
    assertThrows(
        IllegalStateException.class,
        () -> CuckooFilter.builder(HashStrategies.longs()).memoryBytes());
  }

  /** Returns different hashes, all of the same two buckets. */
  private static long[] hashesOfTwoBuckets(CuckooShape size, int count) {
    FingerprintTable layout = new FingerprintTable(size.buckets(), size.fingerprintBits());
    return new SplittableRandom(SEED)
        .longs()
        .filter(hash -> layout.bucketOf(hash) == 0)
        .filter(hash -> layout.alternate(0, layout.fingerprintOf(hash)) == 1)
        .limit(count)
        .toArray();
  }

  /** Up to forty hashes more than the eight slots of two buckets. */
  @Test
  void stashedFingerprintsAreFoundHoweverMany() throws Exception {
    for (int stashed : new int[] {1, 2, 17, 40}) {
      CuckooFilter<Long> filter = filter(1_000, 1e-6);
      long[] hashes = hashesOfTwoBuckets(CuckooShape.of(1_000, 1e-6), 8 + stashed);
      filter.addHashes(hashes, 0, hashes.length);
      assertEquals(stashed, filter.stashed());
      CuckooFilter<Long> copy = filter.copy();
      CuckooFilter<Long> read = CuckooFilter.fromBytes(filter.toBytes(), HashStrategies.longs());
      for (long hash : hashes) {
        assertTrue(copy.mightContainHash(hash));
        assertTrue(read.mightContainHash(hash));
      }
      copy.clear();
      for (long hash : hashes) {
        assertTrue(filter.mightContainHash(hash));
        assertTrue(filter.removeHash(hash));
        assertFalse(filter.mightContainHash(hash));
        assertFalse(copy.mightContainHash(hash));
      }
      assertEquals(0, filter.stashed());
    }
  }

  @Test
  void toStringIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertEquals(
          "CuckooFilter[capacity=1000, buckets=268, fingerprintBits=10, distinct=0, stashed=0,"
              + " expectedFpp=0.00, strategy="
              + HashStrategies.longs().id()
              + "]",
          filter(1000, 0.01).toString());
    } finally {
      Locale.setDefault(before);
    }
  }
}
