package io.bloomkit.scalable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
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
            "00a2ba97a407707344891e34faa5a23a1e7376c7cba80a88a2728f0e3ab30550",
            filter(builder(), 0)),
        new GoldenFile<>(
            "scalable-one.bloom",
            "f1507d25563aa1871f3fc07bf3d75ef6e28535dc9c5710bfb032f3e855a3e96e",
            filter(builder(), 1)),
        new GoldenFile<>(
            "scalable-grown.bloom",
            "d5c6d706d6c2be05dbf589fb5c0c4591b18ef2bbff24610d553d17026b89bc6e",
            filter(builder(), 300)),
        new GoldenFile<>(
            "scalable-tight.bloom",
            "6389ae80dae8edfee2c72874d0f2243bf869e4909bb3cdf39c399f4b5d2e545a",
            filter(builder().growthFactor(1).tighteningRatio(0.5), 130)),
        new GoldenFile<>(
            "scalable-concurrent.bloom",
            "863276792f2c805a927c1bd5afe27c5990e05acbe1b70dfecf8ea820ef7eb2bc",
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
