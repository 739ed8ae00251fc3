package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.internal.AllocatedBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DynamicCuckooFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static DynamicCuckooFilter<Long> filter(long maxElements, double fpp, int elements) {
    DynamicCuckooFilter<Long> filter = DynamicCuckooFilter.create(LONGS, maxElements, fpp);
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static double bits(DynamicCuckooFilter<?> filter) {
    return 8.0 * filter.memoryBytes() / filter.distinctFingerprints();
  }

  @Test
  void anEmptyFilterTakesLessThanAKilobyteWhateverItIsPlannedFor() {
    for (long maxElements = 1; maxElements < 1L << 53; maxElements *= 8) {
      assertTrue(filter(maxElements, 0.01, 0).memoryBytes() < 1000, "for " + maxElements);
    }
  }

  @Test
  void itTakesElevenBitsWhenFullAndTwentyWithRoomForSixtyFourTimesAsMany() {
    double full = bits(filter(400_000, 0.01, 400_000));
    assertTrue(full < 11.6, () -> full + " bits"); // 10.9 to 11.3, by the size of its tables
    double roomy = bits(filter(64 * 400_000L, 0.01, 400_000));
    assertTrue(roomy < 21, () -> roomy + " bits");
  }

  @Test
  void itTakesThirtyFourBitsWithRoomForAHundredThousandTimesAsMany() {
    double bits = bits(filter(100_000_000, 0.01, 1000));
    assertEquals(34, bits, 2);
  }

  @Test
  void itShrinksToNothing() {
    DynamicCuckooFilter<Long> filter = filter(100_000, 0.01, 100_000);
    LongStream.range(0, 100_000).forEach(filter::remove);
    assertEquals(filter(100_000, 0.01, 0), filter);
    assertTrue(filter.memoryBytes() < 1000, () -> filter.memoryBytes() + " bytes");
  }

  private static DynamicCuckooFilter<Long> allocated(long maxElements) {
    return DynamicCuckooFilter.builder(LONGS).expecting(maxElements, 0.01).allocated().build();
  }

  @Test
  void anAllocatedFilterHasTheMemoryOfAFullOneFromTheStart() {
    for (int elements : new int[] {5000, 12_000, 400_000}) {
      DynamicCuckooFilter<Long> filter = allocated(elements);
      long before = filter.memoryBytes();
      LongStream.range(0, elements).forEach(filter::add);
      assertEquals(1, (double) filter.memoryBytes() / before, 0.05, elements + " elements");
      assertTrue(bits(filter) < 11.5, () -> bits(filter) + " bits");
    }
  }

  @Test
  void anAllocatedFilterKeepsItsTablesWhateverIsAddedAndRemoved() {
    int elements = 50_000;
    DynamicCuckooFilter<Long> filter = allocated(elements);
    long bytes = filter.memoryBytes();
    for (int held : new int[] {1, elements / 3, elements, 3 * elements}) {
      LongStream.range(0, held).forEach(filter::add);
      assertEquals(filter(elements, 0.01, held), filter);
      assertArrayEquals(filter(elements, 0.01, held).toBytes(), filter.toBytes());
      assertEquals(filter, filter.copy());
      LongStream.range(0, held).forEach(element -> assertTrue(filter.remove(element)));
      assertEquals(filter(elements, 0.01, 0), filter);
      assertEquals(bytes, filter.memoryBytes(), held + " elements");
    }
    LongStream.range(0, 3L * elements).forEach(filter::add);
    filter.clear();
    assertEquals(bytes, filter.memoryBytes());
    assertEquals(bytes, filter.copy().memoryBytes());
  }

  @Test
  void anAllocatedFilterMergesWithOneThatGrowsAndBack() throws FilterFormatException {
    DynamicCuckooFilter<Long> allocated = allocated(50_000);
    DynamicCuckooFilter<Long> growing = filter(50_000, 0.01, 30_000);
    allocated.merge(growing);
    assertEquals(growing, allocated);
    growing.merge(allocated);
    allocated.merge(allocated);
    assertEquals(growing, allocated);
    byte[] bytes = allocated.toBytes();
    DynamicCuckooFilter<Long> read =
        DynamicCuckooFilter.builder(LONGS).allocated().fromBytes(bytes);
    assertEquals(allocated, read);
    assertArrayEquals(bytes, read.toBytes());
  }

  @Test
  void aFilterOfTooManyTablesIsNotAllocated() {
    assertRefused(
        "allocated() makes at most 2^24 tables, but maxElements requires 2^37",
        () -> allocated(1L << 50));
  }

  @Test
  void itDoesNotOscillateAtAnySize() {
    DynamicCuckooFilter<Long> filter = filter(100_000, 0.01, 0);
    for (long element = 0; element < 20_000; element++) {
      filter.add(element);
      filter.add(-1L - element); // may grow
      long bytes = filter.memoryBytes();
      for (int i = 0; i < 3; i++) {
        assertTrue(filter.remove(-1L - element));
        filter.add(-1L - element);
        assertEquals(bytes, filter.memoryBytes());
      }
      filter.remove(-1L - element);
    }
  }

  @Test
  void operationsThatDoNotGrowTakeNoMemory() {
    DynamicCuckooFilter<Long> filter = filter(100_000, 1e-9, 100_000);
    LongStream.range(0, 1000).forEach(filter::add); // so each table has one for extra copies
    long[] bytes = new long[4];
    for (int run = 0; run < bytes.length; run++) {
      long before = AllocatedBytes.ofThisThread();
      for (int i = 1000; i < 100_000; i += 10) {
        filter.addLong(i); // a copy
        filter.removeLong(i);
        filter.addLong(i + 100_000);
        filter.removeLong(i + 100_000);
        filter.mightContainLong(i);
        filter.countLong(i + 100_000);
      }
      bytes[run] = AllocatedBytes.ofThisThread() - before;
    }
    assertTrue(bytes[3] < 4000, () -> bytes[3] + " bytes in 60,000 operations");
  }

  @Test
  void theRateIsDistinctFingerprintsByAllAndRisesPastThePlan() {
    DynamicCuckooFilter<Long> filter = filter(1000, 0.01, 1000);
    assertEquals(
        (double) filter.distinctFingerprints() / filter.shape().fingerprints(),
        filter.expectedFpp());
    assertEquals(1000 - filter.distinctFingerprints(), filter.headroom());
    assertFalse(filter.isOverfull());
    LongStream.range(1000, 3000).forEach(filter::add);
    assertTrue(filter.isOverfull());
    assertEquals(0, filter.headroom());
    assertEquals(0.03, filter.expectedFpp(), 0.001);
    assertEquals(3000, (double) filter.approximateElementCount(), 60);
    assertTrue(LongStream.range(0, 3000).allMatch(filter::mightContain));
  }

  @Test
  void theLayoutOfAFilterHasWhatIsInUse() {
    Map<String, Number> figures =
        DynamicCuckooFilter.KIND.layoutOf(filter(1000, 1e-9, 500)).figures();
    assertEquals(500L, figures.get("distinctFingerprints"));
    assertEquals(0.5, figures.get("fill"));
  }

  @Test
  void aMillionCopiesOfOneElementTakeFewBytes() {
    DynamicCuckooFilter<Long> filter = filter(1_000_000, 0.01, 0);
    for (int i = 0; i < 1_000_000; i++) {
      assertEquals(i == 0, filter.add(7L));
    }
    assertEquals(1_000_000, filter.count(7L));
    assertEquals(1, filter.distinctFingerprints());
    assertTrue(filter.memoryBytes() < 4000, () -> filter.memoryBytes() + " bytes");
    for (int i = 0; i < 1_000_000; i++) {
      assertTrue(filter.remove(7L));
    }
    assertFalse(filter.remove(7L));
    assertEquals(filter(1_000_000, 0.01, 0), filter);
    assertTrue(filter.memoryBytes() < 1000, () -> filter.memoryBytes() + " bytes");
  }

  @Test
  void filtersMergeAndSubtractWhateverTheirTables() {
    DynamicCuckooFilter<Long> large = filter(100_000, 0.01, 50_000);
    DynamicCuckooFilter<Long> small = filter(100_000, 0.01, 30);
    DynamicCuckooFilter<Long> both = large.copy();
    both.merge(small);
    assertEquals(50_030, both.elementCount().orElseThrow());
    assertEquals(2, both.count(7L));
    both.subtract(small);
    assertEquals(large, both);
    small.merge(large);
    small.subtract(large);
    assertEquals(filter(100_000, 0.01, 30), small);
    both.subtract(both.copy());
    assertEquals(filter(100_000, 0.01, 0), both);
  }

  @Test
  void manyCopiesAreMergedAndSubtractedAtOnce() {
    DynamicCuckooFilter<Long> one = filter(1000, 0.01, 1);
    for (int doubling = 0; doubling < 50; doubling++) {
      one.merge(one.copy());
    }
    assertEquals(1L << 50, one.count(0L));
    DynamicCuckooFilter<Long> other = one.copy();
    other.add(0L);
    other.subtract(one);
    assertEquals(filter(1000, 0.01, 1), other);
  }

  @Test
  void aFilterThatHasShrunkIsTrimmedWhenItIsRead() throws FilterFormatException {
    DynamicCuckooFilter<Long> filter = filter(100_000, 0.01, 100_000);
    for (int left : new int[] {50_000, 10_000, 1}) {
      for (long i = filter.elementCount().orElseThrow() - 1; i >= left; i--) {
        filter.remove(i);
      }
      DynamicCuckooFilter<Long> read = DynamicCuckooFilter.fromBytes(filter.toBytes(), LONGS);
      double bits = 8.0 * read.memoryBytes() / left;
      assertTrue(left == 1 || bits < 25, () -> left + ": " + bits + " bits");
      double ratio = (double) filter.memoryBytes() / read.memoryBytes();
      assertTrue(ratio < 2, () -> left + ": " + ratio);
    }
    filter.remove(0L);
    filter.clear();
    assertEquals(filter(100_000, 0.01, 0).memoryBytes(), filter.memoryBytes());
  }

  @Test
  void asManyCopiesAsCanBeCountedAreAddedAtOnceAndNoMore() throws FilterFormatException {
    DynamicCuckooFilter<Long> filter = filter(100, 0.01, 0);
    assertTrue(filter.addHash(7, 1L << 61));
    assertTrue(filter.addHash(-7, (1L << 61) - 1));
    byte[] before = filter.toBytes();
    for (long copies : new long[] {2, 1000, 1L << 62, Long.MAX_VALUE}) {
      assertThrows(IllegalStateException.class, () -> filter.addHash(7, copies));
      assertThrows(IllegalStateException.class, () -> filter.addHash(1L << 62, copies));
    }
    assertArrayEquals(before, filter.toBytes());
    filter.addHash(7, 1);
    assertThrows(IllegalStateException.class, () -> filter.addHash(7));
    assertEquals(1L << 62, filter.elementCount().orElseThrow());
    assertEquals(filter, DynamicCuckooFilter.fromBytes(filter.toBytes(), LONGS));
    assertFalse(filter.removeHash(7, (1L << 61) + 2));
    assertTrue(filter.removeHash(7, (1L << 61) + 1));
    assertTrue(filter.removeHash(-7, (1L << 61) - 1));
    assertEquals(filter(100, 0.01, 0), filter);
  }

  @Test
  void additionsAboveTheLargestNumberOfCopiesAreRefused() throws FilterFormatException {
    DynamicCuckooFilter<Long> filter = filter(100, 0.01, 0);
    filter.addHash(7);
    for (int i = 0; i < 62; i++) {
      filter.merge(filter);
    }
    byte[] before = filter.toBytes();
    assertEquals(1L << 62, filter.countHash(7));
    assertThrows(IllegalStateException.class, () -> filter.addHash(7));
    assertThrows(IllegalStateException.class, () -> filter.addHash(-7));
    assertThrows(IllegalArgumentException.class, () -> filter.merge(filter));
    DynamicCuckooFilter<Long> read = DynamicCuckooFilter.fromBytes(before, LONGS);
    assertThrows(IllegalStateException.class, () -> read.addHash(7));
    assertThrows(IllegalStateException.class, () -> read.copy().addHash(7));
    assertArrayEquals(before, filter.toBytes());
    assertTrue(filter.removeHash(7));
    assertThrows(IllegalArgumentException.class, () -> filter.merge(filter(100, 0.01, 2)));
    assertTrue(filter.addHash(-7));
    assertTrue(filter.removeHash(-7));
    assertFalse(filter.addHash(7));
    assertArrayEquals(before, filter.toBytes());
    filter.clear();
    assertTrue(filter.addHash(7));
  }

  @Test
  void fillIsDistinctElementsByPlannedOnesEvenIfThereAreFarTooMany() {
    DynamicCuckooFilter<Long> filter = filter(2, 0.05, 100_000);
    assertEquals(20, filter.estimate().fill().value());
    assertEquals(1, filter.estimate().fpp().value());
    assertEquals(Double.POSITIVE_INFINITY, filter.estimate().elements().value());
    assertEquals(0.5, filter(1_000, 1e-9, 500).estimate().fill().value());
  }

  @Test
  void subtractingMoreThanIsHeldChangesNothing() {
    DynamicCuckooFilter<Long> filter = filter(1000, 0.01, 100);
    DynamicCuckooFilter<Long> more = filter(1000, 0.01, 100);
    more.add(99L);
    byte[] before = filter.toBytes();
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> filter.subtract(more)).getMessage());
    assertTrue(message.startsWith("cannot subtract: "), message);
    assertArrayEquals(before, filter.toBytes());
  }

  @Test
  void filtersOfOtherSizesOrStrategiesDoNotMerge() {
    DynamicCuckooFilter<Long> filter = filter(1000, 0.01, 1);
    assertFalse(filter.isCompatible(filter(2000, 0.01, 1)));
    assertTrue(filter.isCompatible(filter(2000, 0.02, 1)), "the same number of fingerprints");
    DynamicCuckooFilter<Integer> ints =
        DynamicCuckooFilter.create(HashStrategies.ints(), 1000, 0.01);
    assertFalse(filter.isCompatible(ints));
    assertThrows(IllegalArgumentException.class, () -> filter.merge(filter(2000, 0.01, 1)));
    assertThrows(IllegalArgumentException.class, () -> filter.subtract(filter(2000, 0.01, 1)));
  }

  @Test
  void fingerprintsAreVisitedInAscendingOrderWithTheirCopies() {
    DynamicCuckooFilter<Long> filter = filter(20_000, 0.01, 20_000);
    filter.add(5L);
    List<Long> visited = new ArrayList<>();
    long[] copies = new long[1];
    filter.forEachFingerprint(
        (fingerprint, count) -> {
          visited.add(fingerprint);
          copies[0] += count;
        });
    assertEquals(visited.stream().sorted().distinct().toList(), visited);
    assertEquals(filter.distinctFingerprints(), visited.size());
    assertEquals(20_001, copies[0]);
    long last = filter.shape().fingerprints() - 1;
    assertTrue(visited.get(0) >= 0 && visited.get(visited.size() - 1) <= last);
  }

  @Test
  void aFilterIsOverfullIfItsRateExceedsThePlan() {
    DynamicCuckooFilter<Long> filter = filter(100, 1e-9, 99);
    assertEquals(1, filter.headroom());
    for (long element = 99; element < 103; element++) {
      filter.add(element);
      assertEquals(0, filter.headroom());
      assertEquals(
          filter.plan().orElseThrow().isExceededBy(filter.expectedFpp()), filter.isOverfull());
    }
    assertTrue(filter.isOverfull());
  }

  @Test
  void aFilterTellsItsStateAndPlan(@TempDir Path folder) throws IOException {
    DynamicCuckooFilter<Long> filter = filter(1000, 0.01, 0);
    int hashCode = filter.hashCode();
    filter.add(1L);
    assertNotEquals(hashCode, filter.hashCode());
    assertEquals(
        "DynamicCuckooFilter[maxElements=1000, netInsertions=1, distinct=1,"
            + " expectedFpp=1.00e-05, strategy="
            + LONGS.id()
            + "]",
        filter.toString());
    assertEquals(Optional.of(new FilterPlan(1000, 0.01)), filter.plan());
    assertTrue(filter.isConcurrent());
    Path file = folder.resolve("filter.bloom");
    filter.writeTo(file);
    DynamicCuckooFilter<Long> read = DynamicCuckooFilter.readFrom(file, LONGS);
    assertEquals(filter, read);
    assertEquals(filter.plan(), read.plan());
  }

  @Test
  void wrongArgumentsAreNamedWithTheirValues() {
    assertRefused("maxElements must be at least 0, got -5", () -> filter(-5, 0.01, 0));
    for (double fpp : new double[] {0, 1, -0.1, 1.5, Double.NaN}) {
      assertRefused(
          "fpp must be in (0, 1), got " + fpp + "; 1 % is 0.01", () -> filter(10, fpp, 0));
    }
    assertRefused(
        "maxElements / fpp must be at most 2^60, as hashes of 64 bits tell no more elements apart,"
            + " but maxElements is 1152921504606846976 and fpp 0.01",
        () -> filter(1L << 60, 0.01, 0));
    assertThrows(IllegalStateException.class, () -> DynamicCuckooFilter.builder(LONGS).build());
  }

  private static void assertRefused(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }

  @Test
  void aBuilderWithASizeReadsNoFilterOfAnother() {
    byte[] bytes = filter(1000, 0.01, 10).toBytes();
    DynamicCuckooFilter.Builder<Long> other =
        DynamicCuckooFilter.builder(LONGS).expecting(2000, 0.01);
    assertThrows(FilterFormatException.class, () -> other.fromBytes(bytes));
  }

  @Test
  void aFilterThatIsReadGoesOn() throws FilterFormatException {
    for (int elements : new int[] {0, 1, 5_000, 30_000, 60_000}) {
      DynamicCuckooFilter<Long> filter = filter(30_000, 0.05, elements);
      DynamicCuckooFilter<Long> read = DynamicCuckooFilter.fromBytes(filter.toBytes(), LONGS);
      assertEquals(filter, read);
      LongConsumer more = element -> assertEquals(filter.add(element), read.add(element));
      LongStream.range(elements, elements + 10_000).forEach(more);
      LongStream.range(0, elements).forEach(filter::remove);
      LongStream.range(0, elements).forEach(read::remove);
      assertEquals(filter, read);
      assertNotEquals(filter(30_000, 0.05, elements), read);
    }
  }

  /** Nearly all fingerprints there are: some tables of the smallest range hold nearly all of it. */
  @Test
  void aFilterThatHoldsNearlyAllFingerprintsIsReadAndGoesOn() throws FilterFormatException {
    DynamicCuckooFilter<Long> filter = filter(20_000, 0.9, 60_000);
    DynamicCuckooFilter<Long> read = DynamicCuckooFilter.fromBytes(filter.toBytes(), LONGS);
    assertEquals(filter, read);
    assertArrayEquals(filter.toBytes(), read.toBytes());
    LongStream.range(0, 60_000).forEach(element -> assertTrue(read.remove(element)));
    assertEquals(filter(20_000, 0.9, 0), read);
  }
}
