package io.bloomkit.counting.dynamic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DynamicCuckooFilterFilesTest implements FileFormatContract<DynamicCuckooFilter<Long>> {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static DynamicCuckooFilter<Long> filter(long maxElements, double fpp, int elements) {
    DynamicCuckooFilter<Long> filter = DynamicCuckooFilter.create(LONGS, maxElements, fpp);
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static DynamicCuckooFilter<Long> withCopies() {
    DynamicCuckooFilter<Long> filter = filter(300, 0.01, 250);
    for (int i = 0; i < 1000; i++) {
      filter.add((long) i % 40);
      filter.add(1L);
    }
    return filter;
  }

  @Override
  public List<GoldenFile<DynamicCuckooFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "dynamic-cuckoo-empty.bloom",
            "88e1571bcd560566215ef3e3d2be12b83e6aed20e89643af3b2fdf7b70730bd4",
            filter(300, 0.01, 0)),
        new GoldenFile<>(
            "dynamic-cuckoo-one.bloom",
            "53c4c1f51f744894f7cec471a39e7d6af6e812152fde04f541cd14b405da9678",
            filter(300, 0.01, 1)),
        new GoldenFile<>(
            "dynamic-cuckoo-planned.bloom",
            "1a03a7ff479fae4db148c93ca4783ef85058bdb4105d4c4f1fb8b274c21679ee",
            filter(300, 0.01, 300)),
        new GoldenFile<>(
            "dynamic-cuckoo-wide.bloom",
            "ccfbb27eeee33124f5c10195e77f781774f27311b1fd66f0341129770ab7e1c8",
            filter(33, 1e-16, 33)),
        new GoldenFile<>(
            "dynamic-cuckoo-dense.bloom",
            "89124ec28d54990af5a8bba9094234b73f22afbc847b1a0637d1c7e57239dacb",
            filter(300, 0.9, 900)),
        new GoldenFile<>(
            "dynamic-cuckoo-copies.bloom",
            "bdb9168d3619977b56e9984de878ce26f72ae9a60ee363db13c61e48c8f1b570",
            withCopies()));
  }

  @Override
  public List<DynamicCuckooFilter<Long>> largeFilters() {
    DynamicCuckooFilter<Long> copies = filter(200_000, 0.01, 200_000);
    for (int i = 0; i < 4; i++) {
      LongStream.range(0, 200_000).forEach(copies::add);
    }
    return List.of(filter(2_000_000, 0.01, 1_500_000), filter(2_000_000, 0.9, 2_000_000), copies);
  }

  @Override
  public DynamicCuckooFilter<Long> readFrom(InputStream in) throws IOException {
    return DynamicCuckooFilter.readFrom(in, LONGS);
  }

  @Override
  public DynamicCuckooFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return DynamicCuckooFilter.fromBytes(bytes, LONGS);
  }

  @Test
  void aFullFilterTakesEightBitsPerElementInItsFile() {
    int elements = 200_000;
    DynamicCuckooFilter<Long> filter = filter(elements, 0.01, elements);
    double bits = 8.0 * filter.toBytes().length / filter.distinctFingerprints();
    assertTrue(bits <= 8.3, () -> bits + " bits");
  }

  @Test
  void whatWasRemovedLeavesNoTraceInTheBytes() {
    DynamicCuckooFilter<Long> grown = filter(100_000, 0.01, 150_000);
    for (long element = 30_000; element < 150_000; element++) {
      assertTrue(grown.remove(element));
    }
    assertEquals(filter(100_000, 0.01, 30_000), grown);
    assertArrayEquals(filter(100_000, 0.01, 30_000).toBytes(), grown.toBytes());
  }

  @Test
  void aThousandChangesAmongAMillionTakeThreeKilobytes() throws FilterFormatException {
    DynamicCuckooFilter<Long> before = filter(1_000_000, 0.01, 1_000_000);
    DynamicCuckooFilter<Long> after = before.copy();
    for (long element = 0; element < 500; element++) {
      assertTrue(after.remove(element));
      after.add(2_000_000 + element);
    }
    byte[] delta = Delta.between(before, after).toBytes();
    assertTrue(delta.length <= 3_200, () -> delta.length + " bytes");
    assertEquals(after, Delta.fromBytes(delta).apply(before, this::fromBytes));
  }

  @Test
  void aDeltaLeadsFromAnyContentsToAnyOthers() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(20261123);
    for (int run = 0; run < 50; run++) {
      DynamicCuckooFilter<Long> before = DynamicCuckooFilter.create(LONGS, 1000, 0.1);
      DynamicCuckooFilter<Long> after = DynamicCuckooFilter.create(LONGS, 1000, 0.1);
      int elements = random.nextInt(1, 3000);
      random.longs(elements, 0, 1000).forEach(before::add);
      random.longs(random.nextInt(1, 3000), 0, 1000 + 10 * run).forEach(after::add);
      byte[] delta = Delta.between(before, after).toBytes();
      assertEquals(after, Delta.fromBytes(delta).apply(before, this::fromBytes));
      assertTrue(delta.length <= after.toBytes().length + 300);
    }
  }
}
