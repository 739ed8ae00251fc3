package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.hash.HashStrategies;

class ConcurrentBlockedCountingBloomFilterTest extends RacingCounters {

  private static CounterFilter<Long> filter(BlockedShape shape) {
    BlockedCountingBloomFilter<Long> filter =
        BlockedCountingBloomFilter.builder(HashStrategies.longs())
            .shape(shape)
            .concurrent()
            .build();
    return filter.copy(); // which must be as concurrent
  }

  /** Two blocks, whose removals do not exclude each other but share the table of what exceeds. */
  @Override
  CounterFilter<Long> crowded() {
    return filter(new BlockedShape(2, 128, 16));
  }

  @Override
  CounterFilter<Long> spacious() {
    return filter(new BlockedShape(150, 128, 4));
  }

  @Override
  CounterFilter<Long> tiny() {
    return filter(new BlockedShape(2, 128, 16));
  }

  @Override
  long nonZeroCounters(CounterFilter<Long> filter) {
    return ((BlockedCountingBloomFilter<Long>) filter).nonZeroCounters();
  }
}
