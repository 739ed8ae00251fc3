package io.bloomkit.stress;

import static io.bloomkit.stress.Elements.V;
import static io.bloomkit.stress.Elements.X;
import static io.bloomkit.stress.Elements.Y;
import static io.bloomkit.stress.Elements.Z;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Races in which a 4-bit counter overflows and returns below the overflow. The counter that X, Y
 * and Z share starts with a random value from 14 to 17.
 */
public final class Overflow {

  /** The smallest value of the shared counter before a race. */
  private static final int MIN_VALUE = 14;

  private static final int VALUE_COUNT = 4;

  private Overflow() {}

  /** Returns a filter with X once and Y as often as the value of the shared counter requires. */
  private static RacedDeletableFilter filledTo(int value) {
    RacedDeletableFilter filter = Elements.deletableFilterWith(X);
    for (int i = 1; i < value; i++) {
      filter.add(Y);
    }
    return filter;
  }

  private static RacedDeletableFilter with(RacedDeletableFilter filter, long hash) {
    filter.add(hash);
    return filter;
  }

  private static RacedDeletableFilter[] forEachValue(IntFunction<RacedDeletableFilter> filter) {
    return IntStream.range(MIN_VALUE, MIN_VALUE + VALUE_COUNT)
        .mapToObj(filter)
        .toArray(RacedDeletableFilter[]::new);
  }

  private static int anyValue() {
    return ThreadLocalRandom.current().nextInt(MIN_VALUE, MIN_VALUE + VALUE_COUNT);
  }

  /** An addition that exceeds fifteen, and a removal that returns below it. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class AdditionMeetsRemoval {

    private static final RacedDeletableFilter[] INITIAL = forEachValue(Overflow::filledTo);
    private static final RacedDeletableFilter[] EXPECTED =
        forEachValue(value -> with(filledTo(value - 1), Z));

    private final int value = anyValue();
    private final RacedDeletableFilter filter = INITIAL[value - MIN_VALUE].copy();

    @Actor
    public void addition(ZZZ_Result r) {
      r.r1 =
          filter.add(Z)
              && filter.mightContain(Z) & (filter.mightContain(X) && filter.count(Y) >= value - 2);
    }

    @Actor
    public void removal(ZZZ_Result r) {
      r.r2 = filter.remove(Y) & (filter.mightContain(X) && filter.count(Y) >= value - 2);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED[value - MIN_VALUE]);
    }
  }

  /** Two additions that exceed fifteen. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class OfTwoAdditions {

    private static final RacedDeletableFilter[] INITIAL = forEachValue(Overflow::filledTo);
    private static final RacedDeletableFilter[] EXPECTED =
        forEachValue(value -> with(filledTo(value + 1), Z));

    private final int value = anyValue();
    private final RacedDeletableFilter filter = INITIAL[value - MIN_VALUE].copy();

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(Z) && filter.mightContain(Z);
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = !filter.add(Y) && filter.count(Y) >= value;
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED[value - MIN_VALUE]);
    }
  }

  /** Two removals from a counter near fifteen. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class OfTwoRemovals {

    private static final RacedDeletableFilter[] INITIAL = forEachValue(Overflow::filledTo);
    private static final RacedDeletableFilter[] EXPECTED =
        forEachValue(value -> filledTo(value - 2));

    private final int value = anyValue();
    private final RacedDeletableFilter filter = INITIAL[value - MIN_VALUE].copy();

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.remove(Y) && filter.mightContain(X) && filter.count(Y) >= value - 3;
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.remove(Y) && filter.mightContain(X) && filter.count(Y) >= value - 3;
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED[value - MIN_VALUE]);
    }
  }

  /**
   * Counters in both halves of a filter overflow (in both lines, if it has two). The overflow above
   * fifteen of all counters is in one shared table.
   */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class InTwoHalves {

    private static final RacedDeletableFilter[] INITIAL =
        forEachValue(value -> filledWithBoth(value, value));
    private static final RacedDeletableFilter[] EXPECTED =
        forEachValue(value -> filledWithBoth(value + 1, value - 1));

    private final int value = anyValue();
    private final RacedDeletableFilter filter = INITIAL[value - MIN_VALUE].copy();

    private static RacedDeletableFilter filledWithBoth(int x, int v) {
      RacedDeletableFilter filter = Elements.deletableFilterWith();
      IntStream.range(0, x).forEach(i -> filter.add(X));
      IntStream.range(0, v).forEach(i -> filter.add(V));
      return filter;
    }

    @Actor
    public void up(ZZZ_Result r) {
      r.r1 = !filter.add(X) && !filter.add(X) && filter.count(X) == value + 2 && filter.remove(X);
    }

    @Actor
    public void down(ZZZ_Result r) {
      r.r2 = !filter.add(V) && filter.remove(V) && filter.count(V) == value && filter.remove(V);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED[value - MIN_VALUE]);
    }
  }
}
