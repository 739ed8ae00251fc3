package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All that holds for the single-writer form holds for the concurrent one. */
class ConcurrentBlockedCountingBloomFilterContractTest
    extends BlockedCountingBloomFilterContractTest {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }

  @Override
  @Test
  @Tag("deep")
  public void aLongHistoryKeepsWhatIsHeldAndForgetsTheRest() {
    super.aLongHistoryKeepsWhatIsHeldAndForgetsTheRest();
  }

  @Override
  @Test
  @Tag("deep")
  public void aLongHistoryLeavesTheFilterOfWhatIsLeft() {
    super.aLongHistoryLeavesTheFilterOfWhatIsLeft();
  }
}
