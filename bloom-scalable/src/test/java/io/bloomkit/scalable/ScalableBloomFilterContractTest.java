package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.InsertableFilterContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Made so small that it has about five layers when it is filled as planned. */
class ScalableBloomFilterContractTest
    implements AllocationContract<String>, InsertableFilterContract<String> {

  /** A builder plans its layers once: the rate is tested with many small filters. */
  private static final Map<List<Object>, ScalableBloomFilter.Builder<CharSequence>> BUILDERS =
      new HashMap<>();

  @Override
  public ScalableBloomFilter<String> newFilter(long expectedInsertions, double fpp) {
    return BUILDERS
        .computeIfAbsent(
            List.of(isConcurrent(), expectedInsertions, fpp),
            size -> {
              long first = expectedInsertions > 32 ? expectedInsertions / 32 : expectedInsertions;
              ScalableBloomFilter.Builder<CharSequence> builder =
                  ScalableBloomFilter.builder(HashStrategies.utf8()).expecting(first, fpp);
              return isConcurrent() ? builder.concurrent() : builder;
            })
        .build();
  }

  boolean isConcurrent() {
    return false;
  }

  @Override
  public String element(long index) {
    return Long.toString(index, Character.MAX_RADIX);
  }
}
