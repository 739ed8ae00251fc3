package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScalableCountingBloomFilterFilesTest
    implements FileFormatContract<ScalableCountingBloomFilter<Long>> {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static ScalableCountingBloomFilter<Long> filter(int elements) {
    ScalableCountingBloomFilter<Long> filter = ScalableCountingBloomFilter.create(LONGS, 20, 0.2);
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static ScalableCountingBloomFilter<Long> firstDropped() {
    ScalableCountingBloomFilter<Long> filter = filter(60);
    LongStream.range(0, 30).forEach(filter::remove);
    return filter;
  }

  private static ScalableCountingBloomFilter<Long> withSpare() {
    ScalableCountingBloomFilter<Long> filter = filter(60);
    LongStream.range(15, 60).forEach(filter::remove);
    return filter;
  }

  private static ScalableCountingBloomFilter<Long> overflowed() {
    ScalableCountingBloomFilter<Long> filter = filter(60);
    for (int i = 0; i < 100; i++) {
      filter.add(3L);
      filter.add(50L);
    }
    return filter;
  }

  @Test
  void goldenFilesHaveWhatTheyAreNamedFor() {
    assertEquals(List.of(0, 1), indexes(filter(60)));
    assertEquals(List.of(1), indexes(firstDropped()));
    assertEquals(List.of(0), indexes(withSpare()));
    assertEquals(1, withSpare().contents().header().field(7));
    assertEquals(-1, firstDropped().contents().header().field(7));
    assertEquals(260, overflowed().elementCount().orElseThrow());
  }

  private static List<Integer> indexes(ScalableCountingBloomFilter<Long> filter) {
    return filter.state().layers().stream().map(ScalableFilterState.Layer::index).toList();
  }

  @Override
  public List<GoldenFile<ScalableCountingBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "scalable-counting-empty.bloom",
            "5553001853e1bcadc3042bbab2e6b31ca6f0b4f212119d063d544f69f8911d20",
            filter(0)),
        new GoldenFile<>(
            "scalable-counting-one.bloom",
            "a1495f08de58f78386e5f680d488172e832e43bbbb4653b1a29ac34e79430a0d",
            filter(1)),
        new GoldenFile<>(
            "scalable-counting-grown.bloom",
            "8810fa2c738cd2aace648e12dfb322ae2d452a7c42dd74438cd3fc61a47c40b7",
            filter(60)),
        new GoldenFile<>(
            "scalable-counting-first-dropped.bloom",
            "8ab978c8c8880cad10d0b2238d2a675a5b2abb47b38ec12b29ec28d231301835",
            firstDropped()),
        new GoldenFile<>(
            "scalable-counting-spare.bloom",
            "038fd5fc82053254f774a1dd7b266f28816e861bcbc4d920686f771bdc3eda47",
            withSpare()),
        new GoldenFile<>(
            "scalable-counting-overflowed.bloom",
            "254f41c4e9201fc8b1b0beaff97700edab1974715e1696efe369be8ce0be84ae",
            overflowed()));
  }

  @Override
  public List<ScalableCountingBloomFilter<Long>> largeFilters() {
    return Stream.of(0, 30_000, 1_500_000)
        .map(ScalableCountingBloomFilterFilesTest::large)
        .toList();
  }

  private static ScalableCountingBloomFilter<Long> large(int elements) {
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.create(LONGS, 500_000, 0.01);
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
