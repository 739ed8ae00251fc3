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
            "a0d67920a88164a4f5f9fbdd88355739df14e3a425a24c3f1085debc9e7eb9c1",
            filter(1)),
        new GoldenFile<>(
            "scalable-counting-blocked-grown.bloom",
            "802d2ab4632a7848c2037e1b90848162ef63ba2406634ec7c1960dea1e919a50",
            filter(50)),
        new GoldenFile<>(
            "scalable-counting-blocked-churned.bloom",
            "279c9e6d82a131aba435672f5928c688f343c67f9c29e81ef89df859c5ad364c",
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
