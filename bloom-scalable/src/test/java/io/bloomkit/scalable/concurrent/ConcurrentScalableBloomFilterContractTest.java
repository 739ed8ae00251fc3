package io.bloomkit.scalable.concurrent;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.InsertableFilterContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A concurrent filter keeps the contract of all filters, whatever the threads. */
class ConcurrentScalableBloomFilterContractTest
    implements AllocationContract<String>, InsertableFilterContract<String> {

  private static final Map<List<Object>, ScalableBloomFilter.Builder<CharSequence>> BUILDERS =
      new HashMap<>();

  @Override
  public ScalableBloomFilter<String> newFilter(long expectedInsertions, double fpp) {
    return BUILDERS
        .computeIfAbsent(
            List.of(expectedInsertions, fpp),
            size ->
                ScalableBloomFilter.builder(HashStrategies.utf8())
                    .expecting(
                        expectedInsertions > 32 ? expectedInsertions / 32 : expectedInsertions, fpp)
                    .concurrent())
        .build();
  }

  @Override
  public String element(long index) {
    return Long.toString(index, Character.MAX_RADIX);
  }
}
