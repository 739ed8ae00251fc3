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
            "e043d1f28f09480b2ef4ddd2c1c2be7af1411aefaed78adb4f87ade5517620c5",
            filter(0)),
        new GoldenFile<>(
            "scalable-counting-blocked-one.bloom",
            "82a3ceac89556c4eeaa583e8577a8a3ed45658dd833a880ab0538bb2e7fd451e",
            filter(1)),
        new GoldenFile<>(
            "scalable-counting-blocked-grown.bloom",
            "d7d0a4480b6169d778415ef2f54729e670af93b71c0aca5a66bdab47cfe010ea",
            filter(50)),
        new GoldenFile<>(
            "scalable-counting-blocked-churned.bloom",
            "c576bea566f00a12cafd6b0917702007c8f6fee0692917ef9d9a2ecdbeea5968",
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
