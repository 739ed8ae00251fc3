package io.bloomkit.micrometer;

import io.bloomkit.DeletableFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.DeletableFilterContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** A metered filter keeps the contract of the filter that it wraps. */
class MeteredFilterContractTest implements DeletableFilterContract<String> {

  @Override
  public DeletableFilter<String> newFilter(long expectedInsertions, double fpp) {
    return FilterMetrics.of(new SimpleMeterRegistry(), "contract")
        .bind(CountingBloomFilter.create(HashStrategies.utf8(), expectedInsertions, fpp));
  }

  @Override
  public String element(long index) {
    return "element " + index;
  }
}
