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
            "e3b668eded27312356293c6b435217ee816d4e6dab5592c227a01bf48d3dd359",
            filter(builder(), 0)),
        new GoldenFile<>(
            "scalable-blocked-one.bloom",
            "02f10b2b206b5b76595bdb965adacce09738afd50d624590326fa2ef28665bf4",
            filter(builder(), 1)),
        new GoldenFile<>(
            "scalable-blocked-grown.bloom",
            "e7e5631f43ccb6638f39bdb5e3013d70d95302e40041d20c137071cfaf3c74bd",
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
