package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;

class BlockedBloomFilterFilesTest implements FileFormatContract<BlockedBloomFilter<Long>> {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static BlockedBloomFilter<Long> filter(BlockedShape shape, int elements) {
    BlockedBloomFilter<Long> filter = BlockedBloomFilter.builder(LONGS).shape(shape).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  @Override
  public List<GoldenFile<BlockedBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "blocked-empty.bloom",
            "ecda97785321ce68afe14d79bcf008746d823d1e186a73d6caf0c7b388782a41",
            filter(new BlockedShape(20, 512, 6), 0)),
        new GoldenFile<>(
            "blocked-one.bloom",
            "a67840ce1aff362067baacd25b2b92bc308c0ebd53b3c51d341e5181c07abe50",
            filter(new BlockedShape(20, 512, 6), 1)),
        new GoldenFile<>(
            "blocked-sparse.bloom",
            "500936835e5afb92b173a82121a7e83f0048b6c501568d18a18b299c3b59c344",
            filter(new BlockedShape(40, 512, 8), 60)),
        new GoldenFile<>(
            "blocked-planned.bloom",
            "d022e39402ba6ec0b056c0fa626275f6ea4f116fdb61ffae74a34ad84387e2cc",
            filter(new BlockedShape(4, 512, 6), 200)),
        new GoldenFile<>(
            "blocked-quarters.bloom",
            "a2d9678646779c6e1fedd379e493c105dd082a796404f36543be1ac82c6d0401",
            filter(new BlockedShape(12, 128, 4), 114)));
  }

  @Override
  public List<BlockedBloomFilter<Long>> largeFilters() {
    BlockedShape shape = new BlockedShape(50_000, 512, 8);
    return List.of(filter(shape, 0), filter(shape, 33_000), filter(shape, 2_000_000));
  }

  @Override
  public BlockedBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return BlockedBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public BlockedBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return BlockedBloomFilter.fromBytes(bytes, LONGS);
  }
}
