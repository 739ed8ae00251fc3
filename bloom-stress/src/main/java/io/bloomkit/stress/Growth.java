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
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Races between changes that grow or shrink a filter and other changes or queries. Each run uses a
 * random size of the filter.
 */
public final class Growth {

  private static final int MAX_SIZES = 8;
  private static final int MAX_ELEMENTS = 250;
  private static final int QUERIES = 5;

  /**
   * The seed of further elements. Differs from the seed of {@link Elements}, so that no element is
   * added twice.
   */
  private static final long SEED = 2;

  private Growth() {}

  /** The filters whose memory a change affects, with their expected states after a race. */
  private static final class Sizes {

    private final List<RacedDeletableFilter> before = new ArrayList<>();
    private final List<RacedDeletableFilter> after = new ArrayList<>();

    /** Adds elements one by one, and collects the filters in which adding X allocates memory. */
    static Sizes growing(Consumer<RacedDeletableFilter> race, long... elements) {
      Sizes sizes = new Sizes();
      RacedDeletableFilter filter = Elements.deletableFilterWith(elements);
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < MAX_ELEMENTS; i++) {
        sizes.addIf(filter, it -> it.add(X), race);
        filter.add(random.nextLong());
      }
      return sizes;
    }

    /** Removes elements one by one, and collects the filters in which removing Y frees memory. */
    static Sizes shrinking(Consumer<RacedDeletableFilter> race, long... elements) {
      Sizes sizes = new Sizes();
      RacedDeletableFilter filter = Elements.deletableFilterWith(elements);
      long[] others = new SplittableRandom(SEED).longs(MAX_ELEMENTS).toArray();
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
      if (changed.bytes() != filter.bytes() && before.size() < MAX_SIZES) {
        before.add(filter.copy());
        RacedDeletableFilter raced = filter.copy();
        race.accept(raced);
        after.add(raced);
      }
    }
  }

  /** A race on a filter of a random size. */
  private abstract static class OfRandomSize {

    final RacedDeletableFilter filter;
    private final RacedDeletableFilter after;

    OfRandomSize(Sizes sizes) {
      int size = ThreadLocalRandom.current().nextInt(sizes.before.size());
      filter = sizes.before.get(size).copy();
      after = sizes.after.get(size);
    }

    final boolean isSequential() {
      return filter.hasSameContents(after);
    }
  }

  /** Two additions to a full table. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class MeetsAnAddition extends OfRandomSize {

    private static final Sizes SIZES =
        Sizes.growing(
            filter -> {
              filter.add(X);
              filter.add(W);
            });

    public MeetsAnAddition() {
      super(SIZES);
    }

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = filter.add(X) && filter.mightContain(X);
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = filter.add(W) && filter.mightContain(W);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isSequential();
    }
  }

  /** An addition to a full table, and queries of a stored element and of the added one. */
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
  public static class MeetsQueries extends OfRandomSize {

    private static final Sizes SIZES = Sizes.growing(filter -> filter.add(X), Y, Z, W, V);

    private volatile boolean isAdded;

    public MeetsQueries() {
      super(SIZES);
    }

    @Actor
    public void addition(ZZZZ_Result r) {
      filter.add(X);
      isAdded = true;
    }

    @Actor
    public void queries(ZZZZ_Result r) {
      r.r1 = containsAll(filter);
      r.r2 = isAdded;
      r.r3 = filter.mightContain(X);
    }

    @Arbiter
    public void quiet(ZZZZ_Result r) {
      r.r4 = isSequential();
    }
  }

  private static boolean containsAll(RacedFilter filter) {
    boolean containsAll = true;
    for (int i = 0; i < QUERIES; i++) {
      containsAll &= filter.mightContain(Z) & filter.mightContain(W) & filter.mightContain(V);
    }
    return containsAll;
  }

  /**
   * A removal that leaves few elements in a table, and an addition to the table or to its
   * neighbour.
   */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class ShrinkingMeetsAnAddition extends OfRandomSize {

    private static final Sizes SIZES =
        Sizes.shrinking(
            filter -> {
              filter.remove(Y);
              filter.add(V);
            },
            Y);

    public ShrinkingMeetsAnAddition() {
      super(SIZES);
    }

    @Actor
    public void removal(ZZZ_Result r) {
      r.r1 = filter.remove(Y) && !filter.mightContain(Y);
    }

    @Actor
    public void addition(ZZZ_Result r) {
      r.r2 = filter.add(V) && filter.mightContain(V);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isSequential();
    }
  }

  /** A removal that leaves few elements in a table, and queries of the remaining elements. */
  @JCStressTest
  @JCStressMeta(SequentialOutcomes.class)
  @State
  public static class ShrinkingMeetsQueries extends OfRandomSize {

    private static final Sizes SIZES = Sizes.shrinking(filter -> filter.remove(Y), Y, Z, W, V);

    public ShrinkingMeetsQueries() {
      super(SIZES);
    }

    @Actor
    public void removal(ZZZ_Result r) {
      r.r1 = filter.remove(Y) && !filter.mightContain(Y);
    }

    @Actor
    public void queries(ZZZ_Result r) {
      r.r2 = containsAll(filter);
    }

    @Arbiter
    public void quiet(ZZZ_Result r) {
      r.r3 = isSequential();
    }
  }
}
