package io.bloomkit.stress;

import static io.bloomkit.stress.Elements.V;
import static io.bloomkit.stress.Elements.W;
import static io.bloomkit.stress.Elements.X;
import static io.bloomkit.stress.Elements.Y;
import static io.bloomkit.stress.Elements.Z;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Races of removals, with additions and with each other. In most of them X stays and shares a
 * counter with all that comes and goes, and each thread queries X while the other may be in the
 * middle of its work: a third thread that queries would need a third processor.
 */
public final class Removals {

  private Removals() {}

  /** An addition and a removal of other elements, while X stays. */
  @JCStressTest
  @Outcome(
      id = "true, true, true, true, true",
      expect = ACCEPTABLE,
      desc = "as if one came after the other")
  @Outcome(
      id = "false, .*",
      expect = FORBIDDEN,
      desc = "a first addition returned false or was not seen")
  @Outcome(
      id = ".*, false, .*, .*, .*|.*, .*, .*, false, .*",
      expect = FORBIDDEN,
      desc = "a false negative")
  @Outcome(
      id = ".*, .*, false, .*",
      expect = FORBIDDEN,
      desc = "a removal of what was there was refused")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @State
  public static class MeetsAnAddition {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X, Y);
    private static final RacedDeletableFilter AFTER = Elements.counting(X, Z);

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Adds an element and queries. */
    @Actor
    public void addition(ZZZZZ_Result r) {
      r.r1 = filter.add(Z);
      r.r2 = filter.mightContain(X) && filter.mightContain(Z);
    }

    /** Removes another one and queries. */
    @Actor
    public void removal(ZZZZZ_Result r) {
      r.r3 = filter.remove(Y);
      r.r4 = filter.mightContain(X) && filter.count(X) >= 1;
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZZZ_Result r) {
      r.r5 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** Removals of two elements, while X stays. */
  @JCStressTest
  @Outcome(
      id = "true, true, true, true, true",
      expect = ACCEPTABLE,
      desc = "as if one came after the other")
  @Outcome(
      id = ".*, false, .*, .*, .*|.*, .*, .*, false, .*",
      expect = FORBIDDEN,
      desc = "a false negative")
  @Outcome(
      id = "false, .*|.*, .*, false, .*",
      expect = FORBIDDEN,
      desc = "a removal of what was there was refused")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @State
  public static class OfTwoElements {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X, Y, Z);
    private static final RacedDeletableFilter AFTER = Elements.counting(X);

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Removes and queries. */
    @Actor
    public void one(ZZZZZ_Result r) {
      r.r1 = filter.remove(Y);
      r.r2 = filter.mightContain(X) && filter.count(X) >= 1;
    }

    /** Removes another one and queries. */
    @Actor
    public void other(ZZZZZ_Result r) {
      r.r3 = filter.remove(Z);
      r.r4 = filter.mightContain(X) && filter.count(X) >= 1;
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZZZ_Result r) {
      r.r5 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** Two removals of an element that is there once, while X stays. */
  @JCStressTest
  @Outcome(
      id = {"true, true, false, true, true", "false, true, true, true, true"},
      expect = ACCEPTABLE,
      desc = "one succeeded, the other never showed")
  @Outcome(
      id = ".*, false, .*, .*, .*|.*, .*, .*, false, .*",
      expect = FORBIDDEN,
      desc = "a false negative")
  @Outcome(id = "(true|false), .*, \\1, .*", expect = FORBIDDEN, desc = "not one of them succeeded")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @State
  public static class OfOneOccurrence {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X, Y);
    private static final RacedDeletableFilter AFTER = Elements.counting(X);

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Removes and queries. */
    @Actor
    public void one(ZZZZZ_Result r) {
      r.r1 = filter.remove(Y);
      r.r2 = filter.mightContain(X);
    }

    /** Removes the same and queries. */
    @Actor
    public void other(ZZZZZ_Result r) {
      r.r3 = filter.remove(Y);
      r.r4 = filter.mightContain(X);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZZZ_Result r) {
      r.r5 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** A removal of what is certainly absent. */
  @JCStressTest
  @Outcome(id = "false, true, true", expect = ACCEPTABLE, desc = "it never showed")
  @Outcome(id = "true, .*", expect = FORBIDDEN, desc = "a removal of what was absent succeeded")
  @Outcome(id = ".*, false, .*", expect = FORBIDDEN, desc = "a false negative")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @State
  public static class Refused {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X);
    private static final RacedDeletableFilter AFTER = Elements.counting(X);

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Removes what is absent. */
    @Actor
    public void removal(ZZZ_Result r) {
      r.r1 = filter.remove(Y);
    }

    /** Asks for what is there. */
    @Actor
    public void query(ZZZ_Result r) {
      r.r2 = filter.mightContain(X) && filter.count(X) == 1;
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** An addition and a removal of X, which is there before. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "additions stayed ahead")
  @Outcome(id = "false, .*", expect = FORBIDDEN, desc = "a false negative")
  @Outcome(
      id = ".*, false, .*",
      expect = FORBIDDEN,
      desc = "a removal of what was there was refused")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @State
  public static class OfWhatIsAdded {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X);
    private static final RacedDeletableFilter AFTER = Elements.counting(X);

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Adds once more and queries. */
    @Actor
    public void addition(ZZZ_Result r) {
      filter.add(X);
      r.r1 = filter.mightContain(X) && filter.count(X) >= 1;
    }

    /** Removes. */
    @Actor
    public void removal(ZZZ_Result r) {
      r.r2 = filter.remove(X);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** An addition and a removal that share words but no counter. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "as if one came after the other")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a wrong answer")
  @State
  public static class InOneWord {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X);
    private static final RacedDeletableFilter AFTER = Elements.counting(W);

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Adds and queries. */
    @Actor
    public void addition(ZZZ_Result r) {
      r.r1 = filter.add(W) && filter.mightContain(W);
    }

    /** Removes another one and queries. */
    @Actor
    public void removal(ZZZ_Result r) {
      r.r2 = filter.remove(X) && !filter.mightContain(X);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** Two removals that share words but no counter. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "as if one came after the other")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a wrong answer")
  @State
  public static class OfTwoElementsInOneWord {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X, W);
    private static final RacedDeletableFilter AFTER = Elements.counting();

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Removes and queries. */
    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.remove(X) && !filter.mightContain(X);
    }

    /** Removes another one and queries. */
    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.remove(W) && !filter.mightContain(W);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER);
    }
  }

  /** Removals in the two halves of a filter: of one line each if it has two. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "as if one came after the other")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a wrong answer")
  @State
  public static class InTwoHalves {

    private static final RacedDeletableFilter BEFORE = Elements.counting(X, V);
    private static final RacedDeletableFilter AFTER = Elements.counting(X, V, V);

    private final RacedDeletableFilter filter = BEFORE.copy();

    /** Removes and adds again. */
    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.remove(X) && !filter.mightContain(X) && filter.add(X);
    }

    /** Adds, removes and adds again in the other half. */
    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = !filter.add(V) && filter.remove(V) && filter.mightContain(V) && !filter.add(V);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(AFTER);
    }
  }
}
