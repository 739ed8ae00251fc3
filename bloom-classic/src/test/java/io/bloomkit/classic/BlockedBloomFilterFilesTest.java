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
            "6d3a12d1f6480371d53c3e395b2f63f8cafca3e239e22575d438bf90d17fe24c",
            filter(new BlockedShape(20, 512, 6), 0)),
        new GoldenFile<>(
            "blocked-one.bloom",
            "828113db3986bb21448abfe43f8183bbadc5e2743fb399e43f06e8ecce85b164",
            filter(new BlockedShape(20, 512, 6), 1)),
        new GoldenFile<>(
            "blocked-sparse.bloom",
            "4e5a65a0023a311d3d50af58e92671a3582197e822debe3ad54f12e6a1696e0d",
            filter(new BlockedShape(40, 512, 8), 60)),
        new GoldenFile<>(
            "blocked-planned.bloom",
            "aa2178d1a4d0e2c9e9335b2f50e2e86fe87f935ea07e636432aad31e8e062f11",
            filter(new BlockedShape(4, 512, 6), 200)),
        new GoldenFile<>(
            "blocked-quarters.bloom",
            "a406ed9657ffadd574871067bd0a38fee0e9c7a180a177ae6563e85b1f1b85fa",
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
