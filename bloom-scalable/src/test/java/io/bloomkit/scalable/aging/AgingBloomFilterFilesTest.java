package io.bloomkit.scalable.aging;

import io.bloomkit.format.FilterFormatException;
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
            "c89e300a1d17262aed5de89ccde8a35cb3746f87bd77206e51f61045d67fa307",
            byCount(0)),
        new GoldenFile<>(
            "aging-one.bloom",
            "bc91605a717c9ddaa24cc6e0a625da5a4c1e56b5486e89a00d982789d37ba30c",
            byCount(1)),
        new GoldenFile<>(
            "aging-window.bloom",
            "a805f1c64c541cf36e8e6565ebb2d3bc52be120624247771eb2b98e0fa2ec532",
            byCount(131)),
        new GoldenFile<>(
            "aging-by-time-empty.bloom",
            "f45977047b696929df55c0256768b8e02902901d7d8c7f9532cc77d9e0fd6263",
            byTime(0)),
        new GoldenFile<>(
            "aging-by-time.bloom",
            "8b74c7c3ff4c8a220c3941632dd99089c0709340c77cf9533a65a229ec18ede3",
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
