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
            "b1295b55d85f5d3d3ff3401f6ad816e3de39a9d9b468b62afe783ea0980dc26d",
            counting(0, 50),
            counting(5, 60)),
        new GoldenDelta(
            "delta-overflowed.bloom",
            "f82b8adddd1c8a8142a1c8ae6dc080133dfc6d64d61e8fcf9de8185a30c1beb1",
            overflowed(2),
            overflowed(40)),
        new GoldenDelta(
            "delta-settled.bloom",
            "2f2d6ae2cad925eba9f61e099d2d827d9757a4210fe84d51d6362f67b4f0b7fe",
            overflowed(40),
            overflowed(2)),
        new GoldenDelta(
            "delta-cuckoo.bloom",
            "18712c4e9c0564ee4d576822b605b9d8de365bfc0d99ad132ad24523207afaa2",
            cuckoo(0, 100),
            cuckoo(10, 120)));
  }
}
