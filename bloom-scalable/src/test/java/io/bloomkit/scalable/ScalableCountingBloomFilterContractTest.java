package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.DeletableFilterContract;
import io.bloomkit.testkit.FalsePositiveRateContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Made so small that it has about ten layers when it holds a thousand elements or more as queried
 * for, and four when it holds ten.
 */
class ScalableCountingBloomFilterContractTest
    implements AllocationContract<String>,
        DeletableFilterContract<String>,
        FalsePositiveRateContract<String> {

  /** A builder plans its layers once: the rate is tested with many small filters. */
  private static final Map<List<Object>, ScalableCountingBloomFilter.Builder<CharSequence>>
      BUILDERS = new HashMap<>();

  @Override
  public ScalableCountingBloomFilter<String> newFilter(long expectedInsertions, double fpp) {
    return BUILDERS
        .computeIfAbsent(
            List.of(expectedInsertions, fpp),
            size ->
                ScalableCountingBloomFilter.builder(HashStrategies.utf8())
                    .expecting(
                        expectedInsertions < 1 ? expectedInsertions : 1 + expectedInsertions / 1024,
                        fpp))
        .build();
  }

  /** It counts a position as often as an element derives it. */
  @Override
  public boolean removesEveryPositive() {
    return false;
  }

  @Override
  public String element(long index) {
    return Long.toString(index, Character.MAX_RADIX);
  }
}
