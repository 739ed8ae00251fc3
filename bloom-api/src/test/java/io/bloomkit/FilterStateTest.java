package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the interface says of the state of a filter that implements only what it must. */
class FilterStateTest {

  private static final FilterPlan PLAN = new FilterPlan(1000, 0.01);

  /** A filter of even hashes. */
  private static class Evens implements MembershipFilter<Long> {

    @Override
    public boolean mightContain(Long element) {
      return mightContainHash(element);
    }

    @Override
    public boolean mightContainHash(long hash) {
      return hash % 2 == 0;
    }

    @Override
    public double expectedFpp() {
      return 0.5;
    }

    @Override
    public long approximateElementCount() {
      return 1;
    }

    @Override
    public long memoryBytes() {
      return 0;
    }

    @Override
    public HashStrategy<? super Long> strategy() {
      return HashStrategies.longs();
    }
  }

  /** A filter that knows what it was made for. */
  private static final class Planned extends Evens {

    private final OptionalLong elements;
    private final double fpp;

    Planned(OptionalLong elements, double fpp) {
      this.elements = elements;
      this.fpp = fpp;
    }

    @Override
    public Optional<FilterPlan> plan() {
      return Optional.of(PLAN);
    }

    @Override
    public OptionalLong elementCount() {
      return elements;
    }

    @Override
    public double expectedFpp() {
      return fpp;
    }
  }

  @Test
  void aFilterIsThePredicateOfItsPositives() {
    assertEquals(2, Stream.of(1L, 2L, 3L, 4L).filter(new Evens()).count());
  }

  @Test
  void withoutAPlanTheRatioIsNaNAndTheFilterIsNotOverfull() {
    MembershipFilter<Long> filter = new Evens();
    assertEquals(Optional.empty(), filter.plan());
    assertEquals(OptionalLong.empty(), filter.elementCount());
    assertEquals(Double.NaN, filter.fppRatio());
    assertFalse(filter.isOverfull());
  }

  @Test
  void theRateIsComparedWithThePlannedOne() {
    assertEquals(1.5, new Planned(OptionalLong.of(1), 0.015).fppRatio());
  }

  @Test
  void aFilterIsOverfullAboveThePlannedNumberAndRate() {
    assertTrue(new Planned(OptionalLong.of(1001), 0.0102).isOverfull());
    assertFalse(new Planned(OptionalLong.of(1000), 0.0102).isOverfull(), "as many as planned");
    assertFalse(new Planned(OptionalLong.of(1001), 0.0101).isOverfull(), "repeats");
  }

  @Test
  void aFilterThatDoesNotCountIsJudgedByItsRate() {
    assertTrue(new Planned(OptionalLong.empty(), 0.0102).isOverfull());
    assertFalse(new Planned(OptionalLong.empty(), 0.01).isOverfull());
  }
}
