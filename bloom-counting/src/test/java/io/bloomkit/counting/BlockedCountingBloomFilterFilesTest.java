package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
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
            "a5aae0483737728d8ce898e95e97048ce1a8b67addb0386b70486c42a0fb0618",
            filter(20, 4, 0)),
        new GoldenFile<>(
            "blocked-counting-one.bloom",
            "4392fafdeb371f5f515f6186dbc21a729f58a6ec4f3363f2dba8e1e739c528bd",
            filter(20, 4, 1)),
        new GoldenFile<>(
            "blocked-counting-sparse.bloom",
            "b2401b16bc6e4b5817644c521efaa941de6494aa4f8556b73a8b6c321a23a5b5",
            filter(50, 4, 60)),
        new GoldenFile<>(
            "blocked-counting-planned.bloom",
            "36c506dac32257ad926ae628f51216703ef46659c2936e99bb8f99840973079f",
            filter(8, 4, 80)),
        new GoldenFile<>(
            "blocked-counting-overflowed.bloom",
            "6854fd6ef16818d762216f641b40584e8b7f30435c73c05213b3a9d079c74f32",
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
