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
            "fc8e39584754ce49ccb540165b4754cc102e67c08d3ddbafe08b786e00aa5431",
            filter(0)),
        new GoldenFile<>(
            "scalable-counting-one.bloom",
            "8925dccbb1aced9ee9aaaa2c54abb87596d0bc8918d7eeeb4a8a2f5fab4ae599",
            filter(1)),
        new GoldenFile<>(
            "scalable-counting-grown.bloom",
            "79764354d8eb99f83f5217b2dab90fba16e5df4d4884bb61d4d385e5882d7255",
            filter(60)),
        new GoldenFile<>(
            "scalable-counting-first-dropped.bloom",
            "5c13d04a32c346e5ea6a1298a29f11c0249052381ab2a419c2a55b9b07132603",
            firstDropped()),
        new GoldenFile<>(
            "scalable-counting-spare.bloom",
            "a2a096b082e76257969bc2fc027f136b0703cc2259d6a0406ebc2c5a08f6cc3a",
            withSpare()),
        new GoldenFile<>(
            "scalable-counting-overflowed.bloom",
            "20ae77fbfa543605d635a46d7636238b0af3e766e0911fe06132d49f4ee6b97c",
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
