package io.bloomkit.internal.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The state that all filters have besides their contents. */
class FilterStateTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final Shape SHAPE = new FlatShape(1000, 7);
  private static final Optional<FilterPlan> LOOSE = Optional.of(new FilterPlan(100, 0.1));
  private static final Optional<FilterPlan> STRICT = Optional.of(new FilterPlan(100, 0.01));

  private static FilterState<Long> state(
      Shape shape, Optional<FilterPlan> plan, boolean concurrent, OptionalLong elements) {
    return new FilterState<>(
        LONGS, StrategyIdentity.of(LONGS), shape, plan, new ElementCount(concurrent, elements));
  }

  private static FilterState<Long> of(long elements) {
    return state(SHAPE, LOOSE, false, OptionalLong.of(elements));
  }

  @Test
  void aCopyIsIndependent() {
    FilterState<Long> state = state(SHAPE, LOOSE, true, OptionalLong.of(4));
    FilterState<Long> copy = state.copy();
    state.elements().add(1);
    assertEquals(OptionalLong.of(4), copy.elements().get());
    assertTrue(copy.elements().isConcurrent());
    assertEquals(state, copy);
    assertEquals(state.hashCode(), copy.hashCode());
    assertEquals(LONGS, copy.strategy());
    assertEquals(LOOSE, copy.plan());
    assertEquals(SHAPE, copy.shape());
    assertEquals("F[s, netInsertions=4, strategy=" + LONGS.id() + "]", copy.toString("F", "s"));
  }

  @Test
  void statesAreEqualByShapeAndStrategyAndTheStricterPlanIsKept() {
    FilterState<Long> state = of(2);
    FilterState<Long> strict = state(SHAPE, STRICT, false, OptionalLong.of(5));
    state.requireEqual(strict, "merge");
    state.merge(strict);
    assertEquals(STRICT, state.plan());
    assertEquals(OptionalLong.of(7), state.elements().get());
    FilterState<Long> intersected = of(2);
    intersected.intersect(strict);
    assertEquals(STRICT, intersected.plan());
    assertEquals(OptionalLong.empty(), intersected.elements().get());
    FilterState<Long> large = state(new FlatShape(1001, 7), LOOSE, false, OptionalLong.of(1));
    assertNotEquals(state, large);
    assertNotEquals(state.hashCode(), large.hashCode());
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> state.requireEqual(large, "merge"))
                .getMessage());
    assertEquals(
        "cannot merge: this filter has expected number %d and rate %s, other has expected number %d"
                .formatted(
                    STRICT.get().expectedInsertions(),
                    STRICT.get().fpp(),
                    LOOSE.get().expectedInsertions())
            + " and rate %s; build both with the same expected number and rate"
                .formatted(LOOSE.get().fpp()),
        message);
    FilterState<Long> unplanned =
        state(new FlatShape(1001, 7), Optional.empty(), false, OptionalLong.of(1));
    assertEquals(
        "cannot merge: this filter has 1000 positions and 7 hashes, other has 1001 positions and 7"
            + " hashes; build both with the same expected number and rate",
        assertThrows(IllegalArgumentException.class, () -> state.requireEqual(unplanned, "merge"))
            .getMessage());
    FilterState<Long> blocked =
        state(new BlockedShape(2, 512, 6), Optional.empty(), false, OptionalLong.of(1));
    FilterState<Long> more =
        state(new BlockedShape(8, 128, 6), Optional.empty(), false, OptionalLong.of(1));
    assertEquals(
        "cannot merge: this filter has 1024 positions in blocks of 512 and 6 hashes, other has 1024"
            + " positions in blocks of 128 and 6 hashes; build both with the same expected number"
            + " and rate",
        assertThrows(IllegalArgumentException.class, () -> blocked.requireEqual(more, "merge"))
            .getMessage());
  }
}
