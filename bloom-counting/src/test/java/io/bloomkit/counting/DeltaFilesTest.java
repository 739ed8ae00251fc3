package io.bloomkit.counting;

import io.bloomkit.FlatShape;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.formattests.DeltaFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import java.util.stream.LongStream;

/** Deltas whose units are not bits, and of sections that grow. */
class DeltaFilesTest implements DeltaFormatContract {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static CountingBloomFilter<Long> counting(long from, long to) {
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.builder(LONGS).shape(new FlatShape(1000, 5)).build();
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  /** With a counter far above fifteen, so that there is an overflow. */
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
            "fd7a617e1499b516ebc5e129295a50c9cc4ccd16fecdde854862a45904511adf",
            counting(0, 50),
            counting(5, 60)),
        new GoldenDelta(
            "delta-overflowed.bloom",
            "d6cf8f91a6b21eb8b008e6727f7f90abb922452fd64da13681e024fc229d501d",
            overflowed(2),
            overflowed(40)),
        new GoldenDelta(
            "delta-settled.bloom",
            "be6976dbb3e5ecb3ea93081f713e48caa0f7a2163e6b6158c3cf52671950a2ce",
            overflowed(40),
            overflowed(2)),
        new GoldenDelta(
            "delta-cuckoo.bloom",
            "881d503150354a1667269bcbbb9fd7690acd053ca75d9ebec55a580c879f332e",
            cuckoo(0, 100),
            cuckoo(10, 120)));
  }
}
