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

class ScalableBloomFilterFilesTest implements FileFormatContract<ScalableBloomFilter<Long>> {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static ScalableBloomFilter.Builder<Long> builder() {
    return ScalableBloomFilter.builder(LONGS).expecting(40, 0.1);
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
            "scalable-empty.bloom",
            "4da37b67b3462e1d3e9e042a0d86551e82427da222171b94e646e18e2d02083d",
            filter(builder(), 0)),
        new GoldenFile<>(
            "scalable-one.bloom",
            "366f1b57854c16c9c110a69ef3743c2916c03a53099913a70906345b9263a7c6",
            filter(builder(), 1)),
        new GoldenFile<>(
            "scalable-grown.bloom",
            "f2d159f56b574269fe5222a90899ba76fe4de592d94c2ae4b7a7cf250bfe146f",
            filter(builder(), 300)),
        new GoldenFile<>(
            "scalable-tight.bloom",
            "5173d6d6f11887705394b83968ec3b2b9d00a252d3790e29129e0a7bfb7a92ae",
            filter(builder().growthFactor(1).tighteningRatio(0.5), 130)),
        new GoldenFile<>(
            "scalable-concurrent.bloom",
            "40921c5b146f6a3803d6af9fd2aa5a04e9349c5a1d701ded80d3649c7e7c6bfd",
            filter(builder().concurrent(), 200)));
  }

  @Override
  public List<ScalableBloomFilter<Long>> largeFilters() {
    return Stream.of(0, 30_000, 1_500_000).map(ScalableBloomFilterFilesTest::large).toList();
  }

  private static ScalableBloomFilter<Long> large(int elements) {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 1_000_000, 0.01);
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
