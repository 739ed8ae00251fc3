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
            "33c862b8874aa57b36e4d6b548756a6552875c0c60aa1af1f38a21a18146ccd2",
            filter(300, 0.01, 0)),
        new GoldenFile<>(
            "cuckoo-one.bloom",
            "936574b389eb7958cfa7d814d608100d2bbffb3378188d124ced4736564f8351",
            filter(300, 0.01, 1)),
        new GoldenFile<>(
            "cuckoo-planned.bloom",
            "ad9074b17b4af015ba70444cf967e3f9942ee5ee91cb170d3cff56917a957830",
            filter(300, 0.01, 300)),
        new GoldenFile<>(
            "cuckoo-wide.bloom",
            "5149df967dde4964e04154ed0475e3f4e3e357bac1d5142b14318bbea0cf9091",
            filter(33, 3e-9, 33)),
        new GoldenFile<>(
            "cuckoo-copies.bloom",
            "7167a68b011d7e248a48571d83e72327d94c8f6b3daa81eeef858e3b1e6159b1",
            withCopies()),
        new GoldenFile<>(
            "cuckoo-stash.bloom",
            "022fabd4181df5fcf717a3e85c3f58344462ad4a3c71efb87a17fc373201187a",
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
