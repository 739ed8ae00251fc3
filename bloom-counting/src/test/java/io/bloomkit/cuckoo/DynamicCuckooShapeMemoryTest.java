package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The memory that {@link DynamicCuckooShape} states, beside that of filters. */
class DynamicCuckooShapeMemoryTest {

  private static final List<FilterPlan> PLANS =
      List.of(
          new FilterPlan(1_000_000, 0.01),
          new FilterPlan(1_000_000, 0.001),
          new FilterPlan(1_000_000_000, 0.01));

  @TestFactory
  Stream<DynamicTest> theStatedMemoryIsThatOfAFullFilterWithinOnePercent() {
    return PLANS.stream().map(plan -> DynamicTest.dynamicTest(plan.toString(), () -> check(plan)));
  }

  private static void check(FilterPlan plan) {
    DynamicCuckooFilter<Long> filter =
        DynamicCuckooFilter.create(HashStrategies.longs(), plan.expectedInsertions(), plan.fpp());
    SplittableRandom random = new SplittableRandom(20261126);
    long most = Math.min(plan.expectedInsertions(), 1_000_000);
    long added = 0;
    for (int percent = 40; percent <= 130; percent += 10) {
      long elements = most / 100 * percent;
      for (; added < elements; added++) {
        filter.addHash(random.nextLong());
      }
      double stated = filter.shape().memoryBytes(elements);
      // A filter with fewer elements has tables of two sizes, and chance decides how many of each.
      double tolerance = percent == 100 ? 0.01 : 0.03;
      assertEquals(1, filter.memoryBytes() / stated, tolerance, percent + " %");
    }
  }
}
