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
            "d40dfaa0cfc753db425d593187ce4665340fc44f81918063a72d319f253ffeb4",
            filter(1)),
        new GoldenFile<>(
            "scalable-counting-blocked-grown.bloom",
            "cca3e2829d08735f2d8ff5feea97f862a9e2c10677dbe5a36f2fefb4dc9ec3e1",
            filter(50)),
        new GoldenFile<>(
            "scalable-counting-blocked-churned.bloom",
            "5ca53ea38a4e171429cbc99a64b5d8f3957038081e4af19147c67c83b786a532",
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
