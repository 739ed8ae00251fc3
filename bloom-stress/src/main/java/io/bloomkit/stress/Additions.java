package io.bloomkit.stress;

import static io.bloomkit.stress.Elements.X;
import static io.bloomkit.stress.Elements.Y;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Races between additions, and between additions and queries. */
public final class Additions {

  private Additions() {}

  /** Two first additions of one element. */
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

    private static final RacedFilter EXPECTED = Elements.filterWith(X, X);

    private final RacedFilter filter = Elements.filterWith();

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(X);
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.add(X);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED);
    }
  }

  /** Two additions that share one of their two positions. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class ToOnePosition {

    private static final RacedFilter EXPECTED = Elements.filterWith(X, Y);

    private final RacedFilter filter = Elements.filterWith();

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(X) && filter.mightContain(X);
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.add(Y) && filter.mightContain(Y);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED);
    }
  }

  /** An addition and queries. The last query knows whether the addition happened before it. */
  @JCStressTest
  @Outcome(id = "true, .*", expect = FORBIDDEN, desc = "seen at first, then not seen")
  @Outcome(
      id = ".*, true, false, .*",
      expect = FORBIDDEN,
      desc = "an addition that happened before was lost")
  @Outcome(
      id = ".*, .*, .*, false",
      expect = FORBIDDEN,
      desc = "the state is not that of any sequential order")
  @Outcome(id = "false, .*, true, true", expect = ACCEPTABLE, desc = "seen, and never lost")
  @Outcome(id = "false, false, false, true", expect = ACCEPTABLE, desc = "not seen yet")
  @State
  public static class MeetsQueries {

    private static final int QUERIES = 5;
    private static final RacedFilter EXPECTED = Elements.filterWith(X);

    private final RacedFilter filter = Elements.filterWith();
    private volatile boolean isAdded;

    @Actor
    public void addition(ZZZZ_Result r) {
      filter.add(X);
      isAdded = true;
    }

    @Actor
    public void queries(ZZZZ_Result r) {
      boolean wasSeen = false;
      for (int i = 0; i < QUERIES; i++) {
        boolean isSeen = filter.mightContain(X);
        r.r1 |= wasSeen && !isSeen;
        wasSeen = isSeen;
      }
      r.r2 = isAdded;
      r.r3 = filter.mightContain(X);
    }

    @Arbiter
    public void quiet(ZZZZ_Result r) {
      r.r4 = filter.hasSameContents(EXPECTED);
    }
  }
}
