package io.bloomkit.scalable.aging;

import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.time.InstantSource;

class TimedAgingBloomFilterContractTest
    implements TimedAgingFilterContract<String, AgingBloomFilter<String>> {

  @Override
  public AgingBloomFilter<String> newFilter(
      Duration window, long expectedAdditions, double fpp, InstantSource clock) {
    return AgingBloomFilter.builder(HashStrategies.utf8())
        .expecting(expectedAdditions, fpp)
        .window(window)
        .clock(clock)
        .build();
  }

  @Override
  public String element(long index) {
    return Long.toString(index, Character.MAX_RADIX);
  }

  @Override
  public boolean add(AgingBloomFilter<String> filter, String element) {
    return filter.add(element);
  }

  @Override
  public boolean addHash(AgingBloomFilter<String> filter, long hash) {
    return filter.addHash(hash);
  }

  @Override
  public void clear(AgingBloomFilter<String> filter) {
    filter.clear();
  }

  @Override
  public Duration timeUntilForgotten(AgingBloomFilter<String> filter) {
    return filter.generationDuration().orElseThrow().multipliedBy(filter.shape().slices());
  }
}
