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
            "ad65a2fde6654d7c529cc9d4147e6fa974584042f7f54ebd9f6fb1e6dd17f17b",
            filter(1)),
        new GoldenFile<>(
            "scalable-counting-grown.bloom",
            "14a78dcb816d5231fb01b8236b18250fb617ace4e008b46cef30cb2469d1de05",
            filter(60)),
        new GoldenFile<>(
            "scalable-counting-first-dropped.bloom",
            "22f756ba90411f103db06b549cca705fead757ce5a39fd66cb48f800ccd171b7",
            firstDropped()),
        new GoldenFile<>(
            "scalable-counting-spare.bloom",
            "916484bad3737d3dae7c45effb3f2a485337897f45e8cbe7faab20affe2bf1b9",
            withSpare()),
        new GoldenFile<>(
            "scalable-counting-overflowed.bloom",
            "dfe2fd9ce641a6e58f61bdc230a473cd32b50a7314171b4c411dcfeb498b1500",
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
