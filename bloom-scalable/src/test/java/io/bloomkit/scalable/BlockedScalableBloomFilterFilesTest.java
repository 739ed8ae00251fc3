package io.bloomkit.scalable;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class BlockedScalableBloomFilterFilesTest implements FileFormatContract<ScalableBloomFilter<Long>> {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  /** The smallest layer takes 4 KiB: few of its bits are set, so the files are small. */
  private static ScalableBloomFilter.Builder<Long> builder() {
    return ScalableBloomFilter.builder(LONGS).expecting(20, 0.1).blocked();
  }

  private static ScalableBloomFilter<Long> filter(
      ScalableBloomFilter.Builder<Long> builder, int elements) {
    ScalableBloomFilter<Long> filter = builder.build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  @Override
  public List<GoldenFile<ScalableBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "scalable-blocked-empty.bloom",
            "a4a6335a09ae2d2ee63039e9d92babbe4a5ce9e0b212c840f9b9f17b05d4eba5",
            filter(builder(), 0)),
        new GoldenFile<>(
            "scalable-blocked-one.bloom",
            "ed12473950ed187077257f0e8bbbe1319811ab00f65734a541aee53e954fb5d2",
            filter(builder(), 1)),
        new GoldenFile<>(
            "scalable-blocked-grown.bloom",
            "d0d82e18228ac3580a7c66a59e9d5ba1f493829b958b5aa433c150d5a7f9fe0d",
            filter(builder(), 50)));
  }

  @Override
  public List<ScalableBloomFilter<Long>> largeFilters() {
    return Stream.of(0, 30_000, 1_500_000).map(BlockedScalableBloomFilterFilesTest::large).toList();
  }

  private static ScalableBloomFilter<Long> large(int elements) {
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.builder(LONGS).expecting(1_000_000, 0.01).blocked().build();
    for (long i = 0; i < elements; i++) {
      filter.add(i);
    }
    return filter;
  }

  @Override
  public ScalableBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return ScalableBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public ScalableBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return ScalableBloomFilter.fromBytes(bytes, LONGS);
  }
}
