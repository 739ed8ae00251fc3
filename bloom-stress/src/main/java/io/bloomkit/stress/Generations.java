package io.bloomkit.stress;

import static io.bloomkit.stress.Elements.V;
import static io.bloomkit.stress.Elements.W;
import static io.bloomkit.stress.Elements.X;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Races of additions to aging filters at the end of a generation. */
public final class Generations {

  static final int ADDITIONS_OF_EACH = 3;

  private Generations() {}

  /** Two additions that both find a full generation. */
  @JCStressTest
  @Outcome(
      id = "true, true, true",
      expect = ACCEPTABLE,
      desc = "both elements are in the next generation")
  @Outcome(
      id = ".*, false",
      expect = FORBIDDEN,
      desc = "the state is not that of any sequential order")
  @Outcome(expect = FORBIDDEN, desc = "a first addition returned false or was not seen")
  @State
  public static class FoundOverByTwo {

    private static final RacedFilter AFTER = Elements.holding(V, V, V, X, W);

    private final RacedFilter filter = Elements.holding(V, V, V);

    /** Adds an element and queries. */
    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(X) && filter.mightContain(X);
    }

    /** Adds another element and queries. */
    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.add(W) && filter.mightContain(W);
    }

    /** Compares the final state with those of all sequential orders. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** Two additions, one of which finds room, while the other ends the generation. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "each element is in a generation")
  @Outcome(
      id = ".*, false",
      expect = FORBIDDEN,
      desc = "the state is not that of any sequential order")
  @Outcome(expect = FORBIDDEN, desc = "a first addition returned false or was not seen")
  @State
  public static class WithRoomForOne {

    private static final RacedFilter AFTER = Elements.holding(V, V, X, W);
    private static final RacedFilter AFTER_THE_OTHER_ORDER = Elements.holding(V, V, W, X);

    private final RacedFilter filter = Elements.holding(V, V);

    /** Adds an element and queries. */
    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(X) && filter.mightContain(X);
    }

    /** Adds another element and queries. */
    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.add(W) && filter.mightContain(W);
    }

    /** Compares the final state with those of all sequential orders. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER) || filter.holdsTheSameAs(AFTER_THE_OTHER_ORDER);
    }
  }

  /** Two first additions of one element, in two generations. */
  @JCStressTest
  @Outcome(
      id = {"true, true, true", "true, false, true", "false, true, true"},
      expect = ACCEPTABLE,
      desc = "one addition was first, or each was first at some position")
  @Outcome(id = "false, false, .*", expect = FORBIDDEN, desc = "neither returned true")
  @Outcome(
      id = ".*, false",
      expect = FORBIDDEN,
      desc = "the state is not that of any sequential order")
  @State
  public static class OfOneElement {

    private static final RacedFilter AFTER = Elements.holding(V, V, X, X);

    private final RacedFilter filter = Elements.holding(V, V);

    /** Adds the element. */
    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(X);
    }

    /** Adds the same element. */
    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.add(X);
    }

    /** Compares the final state with those of all sequential orders. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** An addition that ends a generation, and queries of a stored element and of the added one. */
  @JCStressTest
  @Outcome(id = "false, .*", expect = FORBIDDEN, desc = "a false negative")
  @Outcome(
      id = ".*, true, false, .*",
      expect = FORBIDDEN,
      desc = "an addition that happened before was lost")
  @Outcome(
      id = ".*, .*, .*, false",
      expect = FORBIDDEN,
      desc = "the state is not that of any sequential order")
  @Outcome(id = "true, .*, true, true", expect = ACCEPTABLE, desc = "seen")
  @Outcome(id = "true, false, false, true", expect = ACCEPTABLE, desc = "not seen yet")
  @State
  public static class MeetsQueries {

    private static final int QUERIES = 5;
    private static final RacedFilter AFTER = Elements.holding(V, V, V, X);

    private final RacedFilter filter = Elements.holding(V, V, V);
    private volatile boolean isAdded;

    /** Adds an element and sets the flag. */
    @Actor
    public void addition(ZZZZ_Result r) {
      filter.add(X);
      isAdded = true;
    }

    /** Queries several times, reads the other thread's flag, and queries the added element. */
    @Actor
    public void queries(ZZZZ_Result r) {
      r.r1 = true;
      for (int i = 0; i < QUERIES; i++) {
        r.r1 &= filter.mightContain(V);
      }
      r.r2 = isAdded;
      r.r3 = filter.mightContain(X);
    }

    /** Compares the final state with those of all sequential orders. */
    @Arbiter
    public void quiet(ZZZZ_Result r) {
      r.r4 = filter.holdsTheSameAs(AFTER);
    }
  }
}
