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
            "f5335f114fbc5f0c61cde544a99fad9f025850fbb8590d64b9635e608e9504b9",
            filter(new BlockedShape(20, 512, 6), 1)),
        new GoldenFile<>(
            "blocked-sparse.bloom",
            "85cb37595c987eb5e4e4e0b2efd8dedb0422ea077a64d238ba282b8af774eacb",
            filter(new BlockedShape(40, 512, 8), 60)),
        new GoldenFile<>(
            "blocked-planned.bloom",
            "c308e2f844bbbf1687b4b8d33b1b45f91bf35c340e4025080006205a9fa55d1c",
            filter(new BlockedShape(4, 512, 6), 200)),
        new GoldenFile<>(
            "blocked-quarters.bloom",
            "909a5d031793a245dc13549d992febd40729262ce89b698e16f70aa55d237825",
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
