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
            "5ebc5d9d8838aba494b19be54f011c8b4a8b1ea2706962b0036655bf1fd7d928",
            filter(20, 4, 0)),
        new GoldenFile<>(
            "blocked-counting-one.bloom",
            "8be7c44a504cb3ccf04301baa0d4c0f3291ecff9a7f42f5bf0af9b8d10795cda",
            filter(20, 4, 1)),
        new GoldenFile<>(
            "blocked-counting-sparse.bloom",
            "33120cf61bdc353cf361c811a4f129a20683b46e7713306c2eb97d5171423af1",
            filter(50, 4, 60)),
        new GoldenFile<>(
            "blocked-counting-planned.bloom",
            "7bccdd47fec0add34186ba322b5911905628b8168e22f184c237c47faaed99c3",
            filter(8, 4, 80)),
        new GoldenFile<>(
            "blocked-counting-overflowed.bloom",
            "659d73cd06d851680d060043e0f860716e2d45f3a4f463e669ed1ddb4c478344",
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
