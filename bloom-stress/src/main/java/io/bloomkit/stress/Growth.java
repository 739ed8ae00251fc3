package io.bloomkit.stress;

import static io.bloomkit.stress.Elements.V;
import static io.bloomkit.stress.Elements.W;
import static io.bloomkit.stress.Elements.X;
import static io.bloomkit.stress.Elements.Y;
import static io.bloomkit.stress.Elements.Z;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Races of changes that make a filter take more memory or less, with other changes and with
 * queries. Each run is at another of its sizes.
 */
public final class Growth {

  private static final int MOST_SIZES = 8;
  private static final int MOST_ELEMENTS = 250;
  private static final int QUERIES = 5;

  /** The most elements of a crowded filter. */
  static final int CROWD = 40;

  /** Not that of {@link Elements}, so that no element is added twice. */
  private static final long SEED = 2;

  private Growth() {}

  /** The filters in which a change takes other memory, and what they are after a race. */
  private static final class Sizes {

    private final List<RacedDeletableFilter> before = new ArrayList<>();
    private final List<RacedDeletableFilter> after = new ArrayList<>();

    /** Adds elements one by one, and keeps the filters in which the addition of X takes memory. */
    static Sizes growing(Consumer<RacedDeletableFilter> race, long... elements) {
      Sizes sizes = new Sizes();
      RacedDeletableFilter filter = Elements.counting(elements);
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < MOST_ELEMENTS; i++) {
        sizes.addIf(filter, it -> it.add(X), race);
        filter.add(random.nextLong());
      }
      return sizes;
    }

    /**
     * Removes elements one by one, and keeps the filters in which the removal of Y frees memory.
     */
    static Sizes shrinking(Consumer<RacedDeletableFilter> race, long... elements) {
      Sizes sizes = new Sizes();
      RacedDeletableFilter filter = Elements.counting(elements);
      long[] others = new SplittableRandom(SEED).longs(MOST_ELEMENTS).toArray();
      for (long other : others) {
        filter.add(other);
      }
      for (long other : others) {
        sizes.addIf(filter, it -> it.remove(Y), race);
        filter.remove(other);
      }
      sizes.addIf(filter, it -> it.remove(Y), race);
      return sizes;
    }

    private void addIf(
        RacedDeletableFilter filter,
        Consumer<RacedDeletableFilter> change,
        Consumer<RacedDeletableFilter> race) {
      RacedDeletableFilter changed = filter.copy();
      change.accept(changed);
      if (changed.bytes() != filter.bytes() && before.size() < MOST_SIZES) {
        before.add(filter.copy());
        RacedDeletableFilter raced = filter.copy();
        race.accept(raced);
        after.add(raced);
      }
    }
  }

  /** A race at one of the sizes. */
  private abstract static class AtOneSize {

    final RacedDeletableFilter filter;
    private final RacedDeletableFilter after;

    AtOneSize(Sizes sizes) {
      int size = ThreadLocalRandom.current().nextInt(sizes.before.size());
      filter = sizes.before.get(size).copy();
      after = sizes.after.get(size);
    }

    final boolean isAsAfterAnyOrder() {
      return filter.holdsTheSameAs(after);
    }
  }

  /** Two additions to a table that is full. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "both are in")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a first addition returned false or was not seen")
  @State
  public static class MeetsAnAddition extends AtOneSize {

    private static final Sizes SIZES =
        Sizes.growing(
            filter -> {
              filter.add(X);
              filter.add(W);
            });

    /** Takes a filter of any of the sizes. */
    public MeetsAnAddition() {
      super(SIZES);
    }

    /** Adds and queries. */
    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(X) && filter.mightContain(X);
    }

    /** Adds another and queries. */
    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.add(W) && filter.mightContain(W);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isAsAfterAnyOrder();
    }
  }

  /** An addition to a table that is full, and a removal from it. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "as if one came after the other")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a wrong answer")
  @State
  public static class MeetsARemoval extends AtOneSize {

    private static final Sizes SIZES =
        Sizes.growing(
            filter -> {
              filter.add(X);
              filter.remove(Y);
            },
            Y);

    /** Takes a filter of any of the sizes. */
    public MeetsARemoval() {
      super(SIZES);
    }

    /** Adds and queries. */
    @Actor
    public void addition(ZZZ_Result r) {
      r.r1 = filter.add(X) && filter.mightContain(X);
    }

    /** Removes and queries. */
    @Actor
    public void removal(ZZZ_Result r) {
      r.r2 = filter.remove(Y) && !filter.mightContain(Y);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isAsAfterAnyOrder();
    }
  }

  /** An addition to a table that is full meets queries of what is there and what it adds. */
  @JCStressTest
  @Outcome(id = "false, .*", expect = FORBIDDEN, desc = "a false negative")
  @Outcome(id = ".*, true, false, .*", expect = FORBIDDEN, desc = "an addition before was lost")
  @Outcome(id = ".*, .*, .*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(id = "true, .*, true, true", expect = ACCEPTABLE, desc = "seen")
  @Outcome(id = "true, false, false, true", expect = ACCEPTABLE, desc = "not seen yet")
  @State
  public static class MeetsQueries extends AtOneSize {

    private static final Sizes SIZES = Sizes.growing(filter -> filter.add(X), Y, Z, W, V);

    private volatile boolean isAdded;

    /** Takes a filter of any of the sizes. */
    public MeetsQueries() {
      super(SIZES);
    }

    /** Adds and sets the flag. */
    @Actor
    public void addition(ZZZZ_Result r) {
      filter.add(X);
      isAdded = true;
    }

    /** Queries several times, reads the flag, and queries what was added. */
    @Actor
    public void queries(ZZZZ_Result r) {
      r.r1 = areHeld(filter);
      r.r2 = isAdded;
      r.r3 = filter.mightContain(X);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZZ_Result r) {
      r.r4 = isAsAfterAnyOrder();
    }
  }

  private static boolean areHeld(RacedFilter filter) {
    boolean areHeld = true;
    for (int i = 0; i < QUERIES; i++) {
      areHeld &= filter.mightContain(Z) & filter.mightContain(W) & filter.mightContain(V);
    }
    return areHeld;
  }

  /** An addition to a filter that has room for one more, which moves what is there. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "all that is there was seen")
  @Outcome(id = ".*, false, .*", expect = FORBIDDEN, desc = "a false negative")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a first addition returned false")
  @State
  public static class CrowdedMeetsQueries {

    private static final List<RacedDeletableFilter> BEFORE = crowds();
    private static final List<RacedDeletableFilter> AFTER = crowds();

    static {
      AFTER.forEach(filter -> filter.add(X));
    }

    private final RacedDeletableFilter filter;
    private final RacedDeletableFilter after;

    /** Takes one of some filters. */
    public CrowdedMeetsQueries() {
      int which = ThreadLocalRandom.current().nextInt(MOST_SIZES);
      filter = BEFORE.get(which).copy();
      after = AFTER.get(which);
    }

    /** Filters that hold others besides. */
    private static List<RacedDeletableFilter> crowds() {
      List<RacedDeletableFilter> crowds = new ArrayList<>();
      for (int i = 0; i < MOST_SIZES; i++) {
        RacedDeletableFilter filter = Elements.counting(Z, W, V);
        new SplittableRandom(SEED + i).longs(CROWD - 4).forEach(filter::add);
        crowds.add(filter);
      }
      return crowds;
    }

    /** Adds. */
    @Actor
    public void addition(ZZZ_Result r) {
      r.r1 = filter.add(X);
    }

    /** Queries what is there. */
    @Actor
    public void queries(ZZZ_Result r) {
      r.r2 = areHeld(filter);
    }

    /** Compares with what the addition leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = filter.holdsTheSameAs(after);
    }
  }

  /** A removal that leaves little in a table, and an addition to it or to its neighbor. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "as if one came after the other")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a wrong answer")
  @State
  public static class ShrinkingMeetsAnAddition extends AtOneSize {

    private static final Sizes SIZES =
        Sizes.shrinking(
            filter -> {
              filter.remove(Y);
              filter.add(V);
            },
            Y);

    /** Takes a filter of any of the sizes. */
    public ShrinkingMeetsAnAddition() {
      super(SIZES);
    }

    /** Removes and queries. */
    @Actor
    public void removal(ZZZ_Result r) {
      r.r1 = filter.remove(Y) && !filter.mightContain(Y);
    }

    /** Adds and queries. */
    @Actor
    public void addition(ZZZ_Result r) {
      r.r2 = filter.add(V) && filter.mightContain(V);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isAsAfterAnyOrder();
    }
  }

  /** Two removals, of which either may be the one that leaves little. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "as if one came after the other")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a wrong answer")
  @State
  public static class ShrinkingMeetsARemoval extends AtOneSize {

    private static final Sizes SIZES =
        Sizes.shrinking(
            filter -> {
              filter.remove(Y);
              filter.remove(V);
            },
            Y,
            V);

    /** Takes a filter of any of the sizes. */
    public ShrinkingMeetsARemoval() {
      super(SIZES);
    }

    /** Removes and queries. */
    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.remove(Y) && !filter.mightContain(Y);
    }

    /** Removes another one and queries. */
    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.remove(V) && !filter.mightContain(V);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isAsAfterAnyOrder();
    }
  }

  /** A removal that leaves little meets queries of what stays. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "all that stays was seen")
  @Outcome(id = ".*, false, .*", expect = FORBIDDEN, desc = "a false negative")
  @Outcome(id = ".*, false", expect = FORBIDDEN, desc = "not what any order leaves")
  @Outcome(expect = FORBIDDEN, desc = "a removal of what was there was refused")
  @State
  public static class ShrinkingMeetsQueries extends AtOneSize {

    private static final Sizes SIZES = Sizes.shrinking(filter -> filter.remove(Y), Y, Z, W, V);

    /** Takes a filter of any of the sizes. */
    public ShrinkingMeetsQueries() {
      super(SIZES);
    }

    /** Removes and queries. */
    @Actor
    public void removal(ZZZ_Result r) {
      r.r1 = filter.remove(Y) && !filter.mightContain(Y);
    }

    /** Queries what stays. */
    @Actor
    public void queries(ZZZ_Result r) {
      r.r2 = areHeld(filter);
    }

    /** Compares with what any order leaves. */
    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isAsAfterAnyOrder();
    }
  }
}
