package io.bloomkit.counting;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.file.DeltaFormatContract;
import java.util.List;
import java.util.stream.LongStream;

/** Deltas whose units are not bits, and of sections that grow. */
class DeltaFilesTest implements DeltaFormatContract {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static CountingBloomFilter<Long> counting(long from, long to) {
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.builder(LONGS).shape(new Shape(1000, 5)).build();
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  /** With a counter far above fifteen, so that there is an excess. */
  private static CountingBloomFilter<Long> overflowed(int times) {
    CountingBloomFilter<Long> filter = counting(0, 50);
    for (int i = 0; i < times; i++) {
      filter.add(7L);
    }
    return filter;
  }

  private static CuckooFilter<Long> cuckoo(long from, long to) {
    CuckooFilter<Long> filter = CuckooFilter.create(LONGS, 200, 0.001);
    LongStream.range(from, to).forEach(filter::add);
    filter.add(from); // a copy
    return filter;
  }

  @Override
  public List<GoldenDelta> goldenDeltas() {
    return List.of(
        new GoldenDelta(
            "delta-counting.bloom",
            "451963217619b80c0f6a6a7f795e93e1d9cc45d109deb524c4ab16695be9e4e2",
            counting(0, 50),
            counting(5, 60)),
        new GoldenDelta(
            "delta-overflowed.bloom",
            "6fe6adec15d30b26f4b4710937fe918c3ba3882e62e46951f4cc8858a0f0f900",
            overflowed(2),
            overflowed(40)),
        new GoldenDelta(
            "delta-settled.bloom",
            "486a7178e29d2b4c3c314c1ec2ccd258d842582e0c5f6cef888153571b34e037",
            overflowed(40),
            overflowed(2)),
        new GoldenDelta(
            "delta-cuckoo.bloom",
            "18712c4e9c0564ee4d576822b605b9d8de365bfc0d99ad132ad24523207afaa2",
            cuckoo(0, 100),
            cuckoo(10, 120)));
  }
}
