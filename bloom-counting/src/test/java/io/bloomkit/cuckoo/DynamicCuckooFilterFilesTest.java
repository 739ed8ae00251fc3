package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.Delta;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
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
            "a5d59121e43db4424d02b11713e12a88939c54eb04ec4245a802c34ff2d687ba",
            filter(300, 0.01, 0)),
        new GoldenFile<>(
            "dynamic-cuckoo-one.bloom",
            "926a8947b32bb0e7ed8f23b3a48e24fde0995244b30d22e361ef96edd020fb3c",
            filter(300, 0.01, 1)),
        new GoldenFile<>(
            "dynamic-cuckoo-planned.bloom",
            "fc831085d32e39770c475213a9f28876313cc92c8331ab053017fa352c4eeb74",
            filter(300, 0.01, 300)),
        new GoldenFile<>(
            "dynamic-cuckoo-wide.bloom",
            "7a7ffba7f6b9fe714648977673e5cbfd1d615e514c67509b2c7d34670bca8fc0",
            filter(33, 1e-16, 33)),
        new GoldenFile<>(
            "dynamic-cuckoo-dense.bloom",
            "4940fc7a2bb036f2a6fa2048f9e77659807b1b155295fe430fc2dc85a45de637",
            filter(300, 0.9, 900)),
        new GoldenFile<>(
            "dynamic-cuckoo-copies.bloom",
            "4cf973acd9735df139ce48355ed41f320f3c1cfb2ac29c6b0501a1b53498a516",
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
    double bits = bitsInFile(0.01);
    assertTrue(bits <= 8.3, () -> bits + " bits");
    double atOnePerMille = bitsInFile(0.001);
    assertTrue(atOnePerMille <= 11.6, () -> atOnePerMille + " bits");
  }

  private static double bitsInFile(double fpp) {
    int elements = 200_000;
    DynamicCuckooFilter<Long> filter = filter(elements, fpp, elements);
    return 8.0 * filter.toBytes().length / filter.distinctFingerprints();
  }

  /** Tables are filled by other steps than they grow by, so a few may have the next finer size. */
  @Test
  void aReadFilterTakesAsMuchMemoryAsTheGrownOne() throws FilterFormatException {
    for (double fpp : new double[] {0.01, 0.001}) {
      for (int elements : new int[] {20_000, 200_000, 600_000}) {
        assertSameMemory(elements, fpp, 20261126, 1.05);
      }
      for (long secret = 0; secret < 300; secret++) {
        assertSameMemory(300, fpp, secret, 1.08); // one table, of the next size for 2 of 600
      }
    }
  }

  private static void assertSameMemory(int elements, double fpp, long secret, double most)
      throws FilterFormatException {
    DynamicCuckooFilter<Long> grown =
        DynamicCuckooFilter.builder(LONGS).expecting(elements, fpp).secret(secret).build();
    for (long i = 0; i < elements; i++) {
      grown.add(i);
    }
    DynamicCuckooFilter<Long> read =
        DynamicCuckooFilter.builder(LONGS).secret(secret).fromBytes(grown.toBytes());
    double ratio = (double) read.memoryBytes() / grown.memoryBytes();
    assertTrue(
        ratio <= most,
        () -> elements + " elements at " + fpp + ", secret " + secret + ": " + ratio);
  }

  /** A small file must not make a reader allocate much: here of fingerprints side by side. */
  @Test
  void clustersOfFingerprintsTakeLittleMemoryWhenTheyAreRead() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(20261125);
    for (int bits : new int[] {34, 47, 60}) {
      for (int each : new int[] {30, 100, 191, 192, 300, 1000}) {
        for (int groups : new int[] {1, 30}) {
          DynamicCuckooFilter<Long> filter =
              DynamicCuckooFilter.create(LONGS, 1L << (bits - 7), 0x1p-7);
          for (int group = 0; group < groups; group++) {
            long base = random.nextLong() << 16;
            for (long i = 0; i < each; i++) {
              filter.addHash(base + (i << (Long.SIZE - bits)));
            }
          }
          byte[] bytes = filter.toBytes();
          DynamicCuckooFilter<Long> read = fromBytes(bytes);
          assertEquals(filter, read);
          long most = 16L * bytes.length;
          assertTrue(filter.memoryBytes() < most, () -> bytes.length + ": " + filter.memoryBytes());
          assertTrue(read.memoryBytes() < most, () -> bytes.length + ": " + read.memoryBytes());
        }
      }
    }
  }

  @Test
  void extraCopiesThatAreReadTakeMemoryInTheirTableOnly() throws FilterFormatException {
    DynamicCuckooFilter<Long> filter = filter(100_000, 1e-9, 100_000);
    long without = fromBytes(filter.toBytes()).memoryBytes();
    Comparator<Long> byHash = (a, b) -> Long.compareUnsigned(LONGS.hash(a), LONGS.hash(b));
    long first = LongStream.range(0, 100_000).boxed().min(byHash).orElseThrow();
    long last = LongStream.range(0, 100_000).boxed().max(byHash).orElseThrow();
    for (long element : new long[] {first, last}) {
      DynamicCuckooFilter<Long> withCopies = filter.copy();
      for (int i = 0; i < 4; i++) {
        withCopies.add(element);
      }
      long more = fromBytes(withCopies.toBytes()).memoryBytes() - without;
      assertTrue(
          more <= 324 + ExtraCopies.OBJECT_BYTES,
          () -> "three sets, two of them empty, and marks take " + more + " bytes");
    }
  }

  @Test
  void removedElementsLeaveNoTraceInTheBytes() {
    DynamicCuckooFilter<Long> grown = filter(100_000, 0.01, 150_000);
    for (long element = 30_000; element < 150_000; element++) {
      assertTrue(grown.remove(element));
    }
    assertEquals(filter(100_000, 0.01, 30_000), grown);
    assertArrayEquals(filter(100_000, 0.01, 30_000).toBytes(), grown.toBytes());
  }

  @Test
  @Tag("deep")
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
