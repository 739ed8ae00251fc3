package io.bloomkit.scalable.concurrent;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableCountingBloomFilter;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.DeletableFilterContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A concurrent filter keeps the contracts of all filters that can forget. */
@Tag("deepRate")
class ConcurrentScalableCountingBloomFilterContractTest
    implements AllocationContract<String>, DeletableFilterContract<String> {

  /** A builder plans its layers once. */
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
                        expectedInsertions > 32 ? expectedInsertions / 32 : expectedInsertions, fpp)
                    .concurrent())
        .build();
  }

  /** It counts a position as often as an element derives it. */
  @Override
  public boolean removesEveryPositive() {
    return false;
  }

  /** Runs for seconds; the single-writer form runs it in the short form of the tests. */
  @Override
  @Test
  @Tag("deep")
  public void aLongHistoryKeepsWhatIsHeldAndForgetsTheRest() {
    DeletableFilterContract.super.aLongHistoryKeepsWhatIsHeldAndForgetsTheRest();
  }

  @Override
  public String element(long index) {
    return Long.toString(index, Character.MAX_RADIX);
  }
}
