package io.bloomkit.stress;

import static io.bloomkit.stress.Elements.X;
import static io.bloomkit.stress.Elements.Y;
import static io.bloomkit.stress.Elements.Z;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Races between removals, and between removals and additions. In most races, X stays and shares a
 * counter with all elements that are added or removed. Each thread queries X while the other one
 * may be in the middle of an operation; a third thread for queries would need a third processor.
 */
public final class Removals {

  private Removals() {}

  /** An addition and a removal of other elements, while X stays. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class MeetsAnAddition {

    private static final RacedDeletableFilter INITIAL = Elements.deletableFilterWith(X, Y);
    private static final RacedDeletableFilter EXPECTED = Elements.deletableFilterWith(X, Z);

    private final RacedDeletableFilter filter = INITIAL.copy();

    @Actor
    public void addition(ZZZ_Result r) {
      r.r1 = filter.add(Z) & (filter.mightContain(X) && filter.mightContain(Z));
    }

    @Actor
    public void removal(ZZZ_Result r) {
      r.r2 = filter.remove(Y) & (filter.mightContain(X) && filter.count(X) >= 1);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED);
    }
  }

  /** Removals of two elements, while X stays. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class OfTwoElements {

    private static final RacedDeletableFilter INITIAL = Elements.deletableFilterWith(X, Y, Z);
    private static final RacedDeletableFilter EXPECTED = Elements.deletableFilterWith(X);

    private final RacedDeletableFilter filter = INITIAL.copy();

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.remove(Y) & (filter.mightContain(X) && filter.count(X) >= 1);
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.remove(Z) & (filter.mightContain(X) && filter.count(X) >= 1);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED);
    }
  }

  /** Two removals of an element that was added once, while X stays. */
  @JCStressTest
  @Outcome(
      id = {"true, true, false, true, true", "false, true, true, true, true"},
      expect = ACCEPTABLE,
      desc = "one succeeded, the other had no visible effect")
  @Outcome(
      id = ".*, false, .*, .*, .*|.*, .*, .*, false, .*",
      expect = FORBIDDEN,
      desc = "a false negative")
  @Outcome(id = "(true|false), .*, \\1, .*", expect = FORBIDDEN, desc = "both or neither succeeded")
  @Outcome(
      id = ".*, false",
      expect = FORBIDDEN,
      desc = "the state is not that of any sequential order")
  @State
  public static class OfOneOccurrence {

    private static final RacedDeletableFilter INITIAL = Elements.deletableFilterWith(X, Y);
    private static final RacedDeletableFilter EXPECTED = Elements.deletableFilterWith(X);

    private final RacedDeletableFilter filter = INITIAL.copy();

    @Actor
    public void one(ZZZZZ_Result r) {
      r.r1 = filter.remove(Y);
      r.r2 = filter.mightContain(X);
    }

    @Actor
    public void other(ZZZZZ_Result r) {
      r.r3 = filter.remove(Y);
      r.r4 = filter.mightContain(X);
    }

    @Arbiter
    public void quiet(ZZZZZ_Result r) {
      r.r5 = filter.hasSameContents(EXPECTED);
    }
  }

  /** A removal of a certainly absent element. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class Refused {

    private static final RacedDeletableFilter INITIAL = Elements.deletableFilterWith(X);
    private static final RacedDeletableFilter EXPECTED = Elements.deletableFilterWith(X);

    private final RacedDeletableFilter filter = INITIAL.copy();

    @Actor
    public void removal(ZZZ_Result r) {
      r.r1 = !filter.remove(Y);
    }

    @Actor
    public void query(ZZZ_Result r) {
      r.r2 = filter.mightContain(X) && filter.count(X) == 1;
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED);
    }
  }

  /** An addition and a removal of X, which was added before. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class OfWhatIsAdded {

    private static final RacedDeletableFilter INITIAL = Elements.deletableFilterWith(X);
    private static final RacedDeletableFilter EXPECTED = Elements.deletableFilterWith(X);

    private final RacedDeletableFilter filter = INITIAL.copy();

    @Actor
    public void addition(ZZZ_Result r) {
      filter.add(X);
      r.r1 = filter.mightContain(X) && filter.count(X) >= 1;
    }

    @Actor
    public void removal(ZZZ_Result r) {
      r.r2 = filter.remove(X);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.hasSameContents(EXPECTED);
    }
  }
}
