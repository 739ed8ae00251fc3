package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
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
            "b5af1f6a732ac28a77b94a5010801d410114be856b59e8d7ebe0abb2db96db5d",
            filter(new BlockedShape(20, 512, 6), 1)),
        new GoldenFile<>(
            "blocked-sparse.bloom",
            "0a52c83cb3a7f283734aeb1dfd3ecc28c3c07e7b7b38670e9087c56f581346b4",
            filter(new BlockedShape(40, 512, 8), 60)),
        new GoldenFile<>(
            "blocked-planned.bloom",
            "9a1df9270e4575e941965d6b7f41391247ccfae145f712b7a308ffab9d1ac7d4",
            filter(new BlockedShape(4, 512, 6), 200)),
        new GoldenFile<>(
            "blocked-quarters.bloom",
            "54b0f0225b9793403f00073a40ed759240bfd18ef743611064bb87ce699fd92f",
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
