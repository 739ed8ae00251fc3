package io.bloomkit.counting.dynamic;

import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Tag;

/** All that holds for the single-writer form holds for the concurrent one. */
@Tag("deepRate")
class ConcurrentDynamicCuckooFilterContractTest extends DynamicCuckooFilterContractTest {

  @Override
  public DynamicCuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return DynamicCuckooFilter.builder(HashStrategies.longs())
        .expectingAtMost(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
