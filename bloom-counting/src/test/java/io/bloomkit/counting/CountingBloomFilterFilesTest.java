package io.bloomkit.counting;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;

class CountingBloomFilterFilesTest implements FileFormatContract<CountingBloomFilter<Long>> {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static CountingBloomFilter<Long> filter(FlatShape shape, int elements) {
    CountingBloomFilter<Long> filter = CountingBloomFilter.builder(LONGS).shape(shape).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static CountingBloomFilter<Long> overflowed() {
    CountingBloomFilter<Long> filter = filter(new FlatShape(1003, 5), 0);
    for (int i = 0; i < 20; i++) {
      filter.add(3L);
      filter.add(5L);
    }
    for (int doublings = 0; doublings < 40; doublings++) {
      filter.merge(filter);
    }
    LongStream.range(0, 100).forEach(filter::add);
    for (int i = 0; i < 30; i++) {
      filter.add(7L);
    }
    filter.remove(3L);
    return filter;
  }

  @Override
  public List<GoldenFile<CountingBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "counting-empty.bloom",
            "fa9fa0fe2f0197a22121ea3c9cc7e0ae753783c8f8ed625edbbf9e4ecb8875e9",
            filter(new FlatShape(2000, 7), 0)),
        new GoldenFile<>(
            "counting-one.bloom",
            "a47ad28c77d6e3050f8f507d2ff28f83e028ef14d07b41f76203f9864c088a34",
            filter(new FlatShape(2000, 7), 1)),
        new GoldenFile<>(
            "counting-sparse.bloom",
            "95a42ae4a25c9858c11229e319c5b75bbe0e6eb13298dce56c057f9c74ddd02f",
            filter(new FlatShape(6000, 5), 60)),
        new GoldenFile<>(
            "counting-planned.bloom",
            "8989fcb28bf533e6816bad5abd3289a0119f4e5a4570c03b262a7eac4dfd6b1a",
            filter(new FlatShape(999, 7), 100)),
        new GoldenFile<>(
            "counting-overflowed.bloom",
            "7670afcc69870e1e2acc9bd1ae89ab862bef052db5ff1aa9a29a77bf501b34f8",
            overflowed()));
  }

  @Override
  public List<CountingBloomFilter<Long>> largeFilters() {
    CountingBloomFilter<Long> overflowed = filter(new FlatShape(500_000, 7), 40_000);
    for (int doublings = 0; doublings < 5; doublings++) {
      overflowed.merge(overflowed);
    }
    FlatShape shape = new FlatShape(10_000_001, 7);
    return List.of(filter(shape, 0), filter(shape, 50_000), filter(shape, 600_000), overflowed);
  }

  @Override
  public CountingBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return CountingBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public CountingBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return CountingBloomFilter.fromBytes(bytes, LONGS);
  }
}
