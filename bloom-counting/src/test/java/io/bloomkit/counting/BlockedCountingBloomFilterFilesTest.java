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
    BlockedCountingBloomFilter<Long> filter = filter(10, 6, 60);
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
            "5ebc5d9d8838aba494b19be54f011c8b4a8b1ea2706962b0036655bf1fd7d928",
            filter(20, 4, 0)),
        new GoldenFile<>(
            "blocked-counting-one.bloom",
            "0ed21d2ec9cb72d579c6a63daeb7ff965ac18f406cb0f10aaeabc96fe386ffeb",
            filter(20, 4, 1)),
        new GoldenFile<>(
            "blocked-counting-sparse.bloom",
            "c4c4f4a84297eac578be84659b1fd443f85fc12c84c12fa9adca20e4fd846e5b",
            filter(50, 4, 60)),
        new GoldenFile<>(
            "blocked-counting-planned.bloom",
            "94fb9e51664ac691796ff1635033cb257a4a601fe8ef903d06c86fdc9c5fd5c6",
            filter(8, 4, 80)),
        new GoldenFile<>(
            "blocked-counting-overflowed.bloom",
            "6d9862ae4836e84cc7ab3104f1f3089baf7bb0ee1a3c30a2d106be06f8a61316",
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
