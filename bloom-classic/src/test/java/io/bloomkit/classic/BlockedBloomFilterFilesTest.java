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
            "395aa1fb70580070d8ec3cba71bb5f4d60f79652bcbe6f4f945ce1b6593d58d3",
            filter(new BlockedShape(20, 512, 6), 1)),
        new GoldenFile<>(
            "blocked-sparse.bloom",
            "dfce59f6786b66f0bf0352ba7836af2ae87689dfd73d8bff139376323e4a5b97",
            filter(new BlockedShape(40, 512, 8), 60)),
        new GoldenFile<>(
            "blocked-planned.bloom",
            "17bac1dcff53851b41c332dd8d84507efc38968073402dc3f446ab9dea8f503d",
            filter(new BlockedShape(4, 512, 6), 200)),
        new GoldenFile<>(
            "blocked-quarters.bloom",
            "e1b8f271438d9e82a92b1a170590441337da1abec2325ac53f940b5968aac06e",
            filter(new BlockedShape(11, 128, 4), 114)));
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
