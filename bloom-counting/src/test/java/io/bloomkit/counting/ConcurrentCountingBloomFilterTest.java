package io.bloomkit.counting;

import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;

class ConcurrentCountingBloomFilterTest extends RacingCounters {

  private static CountingBloomFilter.Builder<Long> builder(FlatShape shape) {
    return CountingBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent();
  }

  private static CounterFilter<Long> filter(CountingBloomFilter.Builder<Long> builder) {
    CountingBloomFilter<Long> filter = builder.build();
    return filter.copy(); // which must be as concurrent
  }

  @Override
  CounterFilter<Long> crowded() {
    return filter(builder(new FlatShape(64, 3)));
  }

  @Override
  CounterFilter<Long> spacious() {
    return filter(builder(new FlatShape(20_000, 7)));
  }

  @Override
  CounterFilter<Long> tiny() {
    return filter(builder(new FlatShape(8, 3)));
  }

  @Override
  long nonZeroCounters(CounterFilter<Long> filter) {
    return ((CountingBloomFilter<Long>) filter).nonZeroCounters();
  }
}
