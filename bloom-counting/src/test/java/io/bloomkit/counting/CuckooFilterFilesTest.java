package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
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
    CuckooSize size = CuckooSize.of(60, 0.03);
    FingerprintTable layout = new FingerprintTable(size.buckets(), size.fingerprintBits());
    CuckooFilter<Long> filter = CuckooFilter.create(LONGS, 60, 0.03);
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
    return bucket < 2 && layout.partner(bucket, layout.fingerprintOf(hash)) < 2;
  }

  @Test
  void goldenFilesHaveWhatTheyAreNamedFor() {
    assertTrue(withStash().stashed() > 4, () -> withStash().toString());
    assertEquals(32, filter(33, 3e-9, 33).fingerprintBits());
  }

  @Override
  public List<GoldenFile<CuckooFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "cuckoo-empty.bloom",
            "809d4001a0c9739a3964292b10c8ad28c7b8152c47c9baefb5f45614f5fc2e40",
            filter(300, 0.01, 0)),
        new GoldenFile<>(
            "cuckoo-one.bloom",
            "60e6ce4e2a537e6eced3430bd657bd1e610b861d9f6d73d78caaed349fa567dd",
            filter(300, 0.01, 1)),
        new GoldenFile<>(
            "cuckoo-planned.bloom",
            "35cf907506fda259f2f52c64f343036f2defe033bb5de7daf84fde21210c5782",
            filter(300, 0.01, 300)),
        new GoldenFile<>(
            "cuckoo-wide.bloom",
            "4b83f6ed33b3a1950e9081698267787da743660c895f5c531dc1086d62fed3a3",
            filter(33, 3e-9, 33)),
        new GoldenFile<>(
            "cuckoo-copies.bloom",
            "d393dd5343046df30de9771ed75fd8e03c3fa844aafe3819fcb12f78faf189db",
            withCopies()),
        new GoldenFile<>(
            "cuckoo-stash.bloom",
            "257b16dbbb63995eab2928d854034b88e4948cbdc2a7955fd7cbf375916b9721",
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
