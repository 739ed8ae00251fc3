package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.DeletableFilterContract;
import io.bloomkit.testkit.FalsePositiveRateContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Layers of blocks keep the contracts of all filters that can forget. */
@Tag("deepRate")
class BlockedScalableCountingBloomFilterContractTest
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
                        expectedInsertions > 32 ? expectedInsertions / 32 : expectedInsertions, fpp)
                    .blocked())
        .build();
  }

  /** Runs for many seconds; the flat form runs it in the short form of the tests. */
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
