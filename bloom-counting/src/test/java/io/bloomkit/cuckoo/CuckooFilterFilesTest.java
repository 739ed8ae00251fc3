package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CuckooFilterFilesTest implements FileFormatContract<CuckooFilter<Long>> {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static CuckooFilter<Long> filter(long capacity, double fpp, int elements) {
    CuckooFilter<Long> filter = CuckooFilter.create(LONGS, capacity, fpp);
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static CuckooFilter<Long> withCopies() {
    CuckooFilter<Long> filter = filter(300, 0.01, 250);
    for (int i = 0; i < 1000; i++) {
      filter.add((long) i % 40);
      filter.add(1L);
    }
    return filter;
  }

  /** Fourteen fingerprints that may stand in two buckets only, where eight have a place. */
  private static CuckooFilter<Long> withStash() {
    CuckooFilter<Long> filter = CuckooFilter.create(LONGS, 60, 0.03);
    FingerprintTable layout =
        new FingerprintTable(filter.shape().buckets(), filter.shape().fingerprintBits());
    new SplittableRandom(1)
        .longs()
        .filter(hash -> isInFirstTwo(layout, hash))
        .limit(14)
        .forEach(filter::addHash);
    LongStream.range(0, 30).forEach(filter::add);
    for (int i = 0; i < 3; i++) {
      filter.add(2L);
    }
    return filter;
  }

  private static boolean isInFirstTwo(FingerprintTable layout, long hash) {
    int bucket = layout.bucketOf(hash);
    return bucket < 2 && layout.alternate(bucket, layout.fingerprintOf(hash)) < 2;
  }

  @Test
  void goldenFilesHaveWhatTheyAreNamedFor() {
    assertTrue(withStash().stashed() > 4, () -> withStash().toString());
    assertEquals(32, filter(33, 3e-9, 33).shape().fingerprintBits());
  }

  @Test
  void aReadFilterHasTheRateAndTheFreePlacesOfTheWrittenOne() throws FilterFormatException {
    for (CuckooFilter<Long> written : List.of(withCopies(), withStash(), filter(300, 0.01, 300))) {
      CuckooFilter<Long> read = CuckooFilter.fromBytes(written.toBytes(), LONGS);
      assertEquals(written.expectedFpp(), read.expectedFpp());
      assertEquals(written.memoryBytes(), read.memoryBytes());
      assertEquals(written.distinctFingerprints(), read.distinctFingerprints());
      for (long element = 0; element < 20; element++) { // copies, of which some find a place
        written.add(element);
        read.add(element);
      }
      assertArrayEquals(written.toBytes(), read.toBytes());
    }
  }

  @Override
  public List<GoldenFile<CuckooFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "cuckoo-empty.bloom",
            "6fb5f881ad24a8221fe6e3a4ed071d2d06247dca921f5eca98b7950775960a70",
            filter(300, 0.01, 0)),
        new GoldenFile<>(
            "cuckoo-one.bloom",
            "d13b86d64c214be440ca47dad41ebf299fd3995ab9fe2e4cc25d052d6c52a9aa",
            filter(300, 0.01, 1)),
        new GoldenFile<>(
            "cuckoo-planned.bloom",
            "a94e2a69c8612bc8a8ee730bb56f0dbe6c5890b8c0e8666d68ab4ab2f8a9fe9c",
            filter(300, 0.01, 300)),
        new GoldenFile<>(
            "cuckoo-wide.bloom",
            "58276b2b0cd92083832a3afdbde8fb85e7a9aa111ec6191afe320bf9ab6fde75",
            filter(33, 3e-9, 33)),
        new GoldenFile<>(
            "cuckoo-copies.bloom",
            "79a3db4b2dd7a2d69dc4e9051ee7896a1ab46533915d8a2a688aa819b5ad496d",
            withCopies()),
        new GoldenFile<>(
            "cuckoo-stash.bloom",
            "4c6739de05f9efb085bb566ec6178aaa809fb3b4d0c4fd3fb0d12166dedf7988",
            withStash()));
  }

  @Override
  public List<CuckooFilter<Long>> largeFilters() {
    CuckooFilter<Long> copies = filter(40_000, 0.01, 40_000);
    for (int i = 0; i < 4; i++) {
      LongStream.range(0, 40_000).forEach(copies::add);
    }
    return List.of(filter(1_000_000, 0.01, 0), filter(1_000_000, 0.01, 900_000), copies);
  }

  @Override
  public CuckooFilter<Long> readFrom(InputStream in) throws IOException {
    return CuckooFilter.readFrom(in, LONGS);
  }

  @Override
  public CuckooFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return CuckooFilter.fromBytes(bytes, LONGS);
  }
}
