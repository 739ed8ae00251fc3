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

class BlockedScalableCountingBloomFilterFilesTest
    implements FileFormatContract<ScalableCountingBloomFilter<Long>> {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static ScalableCountingBloomFilter<Long> filter(int elements) {
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.builder(LONGS).expecting(20, 0.2).blocked().build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static ScalableCountingBloomFilter<Long> churned() {
    ScalableCountingBloomFilter<Long> filter = filter(50);
    for (int i = 0; i < 40; i++) {
      filter.add(3L);
      filter.add(48L);
    }
    LongStream.range(10, 45).forEach(filter::remove);
    return filter;
  }

  @Override
  public List<GoldenFile<ScalableCountingBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "scalable-counting-blocked-empty.bloom",
            "a0c2e62373391f35b70bf25f102df2cea773934fbbf7f801e3f0750e8917726c",
            filter(0)),
        new GoldenFile<>(
            "scalable-counting-blocked-one.bloom",
            "8b3c0faeaa7f867da37244dc144f814b1c115bdffffb7a12bd5df919e22bbee7",
            filter(1)),
        new GoldenFile<>(
            "scalable-counting-blocked-grown.bloom",
            "78b7e7ed1bce8cfde3f834fc59ff0e8bacda86e94d138aa0ef6e0ff1cb1ac655",
            filter(50)),
        new GoldenFile<>(
            "scalable-counting-blocked-churned.bloom",
            "ce292575ea89e142a841e0c979c62629c69ee01be4d03ebd043528f785f8a951",
            churned()));
  }

  @Override
  public List<ScalableCountingBloomFilter<Long>> largeFilters() {
    return Stream.of(0, 30_000, 1_500_000)
        .map(BlockedScalableCountingBloomFilterFilesTest::large)
        .toList();
  }

  private static ScalableCountingBloomFilter<Long> large(int elements) {
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.builder(LONGS).expecting(500_000, 0.01).blocked().build();
    for (long i = 0; i < elements; i++) {
      filter.add(i);
    }
    return filter;
  }

  @Override
  public ScalableCountingBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return ScalableCountingBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public ScalableCountingBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return ScalableCountingBloomFilter.fromBytes(bytes, LONGS);
  }
}
