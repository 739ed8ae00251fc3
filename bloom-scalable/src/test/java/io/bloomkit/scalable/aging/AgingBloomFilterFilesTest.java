package io.bloomkit.scalable.aging;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class AgingBloomFilterFilesTest implements FileFormatContract<AgingBloomFilter<Long>> {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static final AgingShape SHAPE = new AgingShape(4, 3, 128, 20);
  private static final long START = 1_700_000_000_000L;

  private static AgingBloomFilter<Long> byCount(int additions) {
    AgingBloomFilter<Long> filter = AgingBloomFilter.builder(LONGS).shape(SHAPE).build();
    LongStream.range(0, additions).forEach(filter::add);
    return filter;
  }

  private static AgingBloomFilter<Long> byTime(int additions) {
    HandClock clock = new HandClock(START);
    AgingBloomFilter<Long> filter =
        AgingBloomFilter.builder(LONGS).shape(SHAPE, Duration.ofSeconds(1)).clock(clock).build();
    for (long i = 0; i < additions; i++) {
      filter.add(i);
      clock.millis += 60;
    }
    return filter;
  }

  @Override
  public List<GoldenFile<AgingBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "aging-empty.bloom",
            "1c9efc4860c3101c064626f6660938e36925d16401d24d18614e405049a5bb93",
            byCount(0)),
        new GoldenFile<>(
            "aging-one.bloom",
            "9c8ed37ff9dd6436f7942d32771e5e2550282d3017a7e58aabe33a6dfdb9706f",
            byCount(1)),
        new GoldenFile<>(
            "aging-window.bloom",
            "6036f36a8e34c15ad5be6fea4dfe7d811f1b00772db28352eebe76d78c3b3da9",
            byCount(131)),
        new GoldenFile<>(
            "aging-by-time-empty.bloom",
            "541aa9f58f9e3be8d681d1e750359e41e6cc71673b30522177768428b37a98df",
            byTime(0)),
        new GoldenFile<>(
            "aging-by-time.bloom",
            "9ee6603c0636ea1748878c4c5b2c95df7ac9d22f955bf167b4d3c746b127947d",
            byTime(100)));
  }

  @Override
  public List<AgingBloomFilter<Long>> largeFilters() {
    return Stream.of(0, 30_000, 1_500_000).map(AgingBloomFilterFilesTest::large).toList();
  }

  private static AgingBloomFilter<Long> large(int elements) {
    AgingBloomFilter<Long> filter = AgingBloomFilter.create(LONGS, 1_000_000, 0.01);
    for (long i = 0; i < elements; i++) {
      filter.add(i);
    }
    return filter;
  }

  @Override
  public AgingBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return AgingBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public AgingBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return AgingBloomFilter.fromBytes(bytes, LONGS);
  }
}
