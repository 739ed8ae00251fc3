package io.bloomkit.durable;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.hash.HashStrategies;

/** The log of a dynamic filter has all additions; that of a classic one lacks repeats. */
class DurableDynamicFilterContractTest extends DurableFilterContractTest {

  @Override
  FilterBuilder<Long> builder(long expectedInsertions, double fpp) {
    return DynamicCuckooFilter.builder(HashStrategies.longs()).expecting(expectedInsertions, fpp);
  }
}
