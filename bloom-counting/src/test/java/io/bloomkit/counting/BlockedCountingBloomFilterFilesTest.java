package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;

class BlockedCountingBloomFilterFilesTest
    implements FileFormatContract<BlockedCountingBloomFilter<Long>> {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static BlockedCountingBloomFilter<Long> filter(int blocks, int hashes, int elements) {
    BlockedCountingBloomFilter<Long> filter =
        BlockedCountingBloomFilter.builder(LONGS)
            .shape(new BlockedShape(blocks, BlockedShape.COUNTERS_PER_BLOCK, hashes))
            .build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static BlockedCountingBloomFilter<Long> overflowed() {
    BlockedCountingBloomFilter<Long> filter = filter(9, 6, 60);
    for (int i = 0; i < 1000; i++) {
      filter.add(3L);
      filter.add((long) i % 7);
    }
    return filter;
  }

  @Override
  public List<GoldenFile<BlockedCountingBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "blocked-counting-empty.bloom",
            "a5aae0483737728d8ce898e95e97048ce1a8b67addb0386b70486c42a0fb0618",
            filter(20, 4, 0)),
        new GoldenFile<>(
            "blocked-counting-one.bloom",
            "a3a5cdf265bad3da010580647ed6a0808941bfa94e0226b8826eaa0eebe4494b",
            filter(20, 4, 1)),
        new GoldenFile<>(
            "blocked-counting-sparse.bloom",
            "466ba743ea35c7dbd0cfa94eec454fe3dbe47078039ff69360b91b5d9cf6c4a0",
            filter(50, 4, 60)),
        new GoldenFile<>(
            "blocked-counting-planned.bloom",
            "7efc1a86348287cd9ed1a6f563caad4a2cdbc798eaa85022cb24b645cac80c68",
            filter(8, 4, 80)),
        new GoldenFile<>(
            "blocked-counting-overflowed.bloom",
            "2a62d2e1331e7211d2f9c294dac557b30c0283c9d123fb619fc848bb8d7012d8",
            overflowed()));
  }

  @Override
  public List<BlockedCountingBloomFilter<Long>> largeFilters() {
    BlockedCountingBloomFilter<Long> overflowed = filter(4000, 6, 40_000);
    for (int doublings = 0; doublings < 5; doublings++) {
      overflowed.merge(overflowed);
    }
    return List.of(filter(80_000, 4, 0), filter(80_000, 4, 600_000), overflowed);
  }

  @Override
  public BlockedCountingBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return BlockedCountingBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public BlockedCountingBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return BlockedCountingBloomFilter.fromBytes(bytes, LONGS);
  }
}
