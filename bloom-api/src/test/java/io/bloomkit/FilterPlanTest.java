package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a filter was made for. */
class FilterPlanTest {

  private static final Optional<FilterPlan> NONE = Optional.empty();

  @Test
  void impossiblePlanIsRefusedByNameAndValue() {
    for (long elements : new long[] {0, -1, (1L << 60) + 1}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> new FilterPlan(elements, 0.01));
      assertEquals(
          "expectedInsertions must be in [1, " + (1L << 60) + "], got " + elements, e.getMessage());
    }
    for (double fpp : new double[] {0, 1, -1, Double.NaN}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> new FilterPlan(1, fpp));
      assertEquals("fpp must be in (0, 1), got " + fpp + "; 1 % is 0.01", e.getMessage());
    }
  }

  @Test
  void rateMayBeOnePerCentAboveThePlannedOne() {
    FilterPlan plan = new FilterPlan(1000, 0.01);
    assertFalse(plan.isExceededBy(0.0101));
    assertTrue(plan.isExceededBy(0.0102));
  }

  @Test
  void mergedPlanDoesNotDependOnTheOrder() {
    Optional<FilterPlan> few = Optional.of(new FilterPlan(1000, 0.01));
    Optional<FilterPlan> strict = Optional.of(new FilterPlan(1000, 0.009));
    Optional<FilterPlan> many = Optional.of(new FilterPlan(1001, 0.001));
    assertEquals(few, FilterPlan.ofMerged(few, many));
    assertEquals(few, FilterPlan.ofMerged(many, few));
    assertEquals(strict, FilterPlan.ofMerged(few, strict));
    assertEquals(many, FilterPlan.ofMerged(NONE, many));
    assertEquals(many, FilterPlan.ofMerged(many, NONE));
    assertEquals(NONE, FilterPlan.ofMerged(NONE, NONE));
  }
}
