package io.bloomkit.bench;

import io.bloomkit.bench.result.Goal;
import io.bloomkit.bench.result.Goals;
import io.bloomkit.bench.result.Leaders;
import io.bloomkit.bench.result.Tables;
import io.bloomkit.bench.run.Case;
import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.run.Size;
import io.bloomkit.bench.subject.Maker;
import io.bloomkit.bench.subject.Subject;
import io.bloomkit.bench.subject.Subject.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The cases that a run measures. */
final class Plan {

  static final int QUICK_ROUNDS = 2;
  static final int LEADERS_ROUNDS = 3;
  static final int FULL_ROUNDS = 5;

  private static final double FPP = 0.01;
  private static final double STRICT_FPP = 0.001;
  private static final int HUNDRED_THOUSAND = 100_000;
  private static final int MILLION = 1_000_000;
  private static final int TEN_MILLION = 10_000_000;
  private static final int HUNDRED_MILLION = 100_000_000;

  /** The variants that differ from another subject only in the encoding of texts. */
  private static final Set<Subject> ONLY_TEXTS =
      EnumSet.of(Subject.CLASSIC_CHARS, Subject.BLOCKED_CHARS, Subject.GUAVA_CHARS);

  /** The subjects of the goals. */
  private static final List<Subject> LEADERS =
      List.of(
          Subject.CLASSIC,
          Subject.BLOCKED,
          Subject.COUNTING,
          Subject.BLOCKED_COUNTING,
          Subject.GUAVA,
          Subject.GUAVA_UNBOXED,
          Subject.FAST_FILTER_BLOOM,
          Subject.FAST_FILTER_BLOCKED,
          Subject.FAST_FILTER_COUNTING);

  private static final List<Subject> TEXT_LEADERS =
      List.of(
          Subject.CLASSIC,
          Subject.CLASSIC_CHARS,
          Subject.BLOCKED,
          Subject.BLOCKED_CHARS,
          Subject.GUAVA,
          Subject.GUAVA_CHARS,
          Subject.SPARK,
          Subject.BLOOM_FILTER_SCALA);

  /**
   * The subjects that the quick plan omits: Bloomkit's filters without a counterpart elsewhere, and
   * the slowest peer.
   */
  private static final Set<Subject> ONLY_FULL =
      EnumSet.of(
          Subject.ORESTES,
          Subject.ORESTES_COUNTING,
          Subject.ORESTES_COUNTING_BYTES,
          Subject.CLASSIC_CONCURRENT,
          Subject.COUNTING_CONCURRENT,
          Subject.BLOCKED_COUNTING_CONCURRENT,
          Subject.SCALABLE,
          Subject.SCALABLE_BLOCKED,
          Subject.AGING,
          Subject.AGING_CONCURRENT);

  private static final List<Subject> WITH_FLOOR =
      List.of(Subject.CLASSIC, Subject.BLOCKED, Subject.BLOCKED_COUNTING);

  private final List<Case> cases = new ArrayList<>();

  private Plan() {}

  /** Returns the cases of the goals relative to the fastest filters of other libraries. */
  static List<Case> leaders() {
    Plan plan = new Plan();
    plan.addLeaders();
    return plan.distinctCases();
  }

  /** Returns the cases of the quick plan, which takes some ten minutes on two processors. */
  static List<Case> quick() {
    Plan plan = new Plan();
    plan.peers(MILLION, subject -> !ONLY_FULL.contains(subject));
    Leaders.planned().forEach(goal -> plan.cases.add(Case.duel(goal.run(), goal.peer())));
    plan.goals(
        goal ->
            goal.run().elements() <= TEN_MILLION
                && goal.run().keys() == Keys.LONGS
                && goal.run().subject() != goal.peer().subject());
    return plan.distinctCases();
  }

  /**
   * Returns the cases in README and docs/lab/performance.md. These are the quick plan; all goals,
   * including those with texts, threads, several hash functions, two kinds of filter and the usual
   * flags; the peers of the quick plan at 100,000 elements; Bloomkit's filters at all sizes; the
   * leaders at ten million elements and at a lower false-positive rate; and the lower bounds.
   */
  static List<Case> goals() {
    Plan plan = new Plan();
    plan.cases.addAll(quick());
    plan.peers(HUNDRED_THOUSAND, subject -> !ONLY_FULL.contains(subject));
    plan.lives(LEADERS.stream(), Keys.LONGS, TEN_MILLION, FPP);
    for (int elements : List.of(HUNDRED_THOUSAND, MILLION, TEN_MILLION)) {
      plan.lives(LEADERS.stream(), Keys.LONGS, elements, STRICT_FPP);
    }
    plan.peers(MILLION, Set.of(Subject.ORESTES, Subject.ORESTES_COUNTING_BYTES)::contains);
    plan.addLeaders();
    plan.goals(goal -> true);
    plan.equals(MILLION);
    plan.conditions(Subject.BLOCKED_CONCURRENT);
    plan.texts(List.of(Subject.SPARK, Subject.GUAVA), MILLION);
    plan.polluted(Subject.CLASSIC, Keys.UUIDS, MILLION);
    plan.polluted(Subject.GUAVA, Keys.UUIDS, MILLION);
    plan.twoKinds(MILLION);
    plan.floors(MILLION);
    plan.floors(TEN_MILLION);
    plan.growth(Stream.concat(Tables.OF_BITS.stream(), Tables.OF_COUNTERS.stream()).toList());
    // The goals at ten million elements are most sensitive to other memory traffic.
    List<Case> once = plan.distinctCases();
    return Stream.concat(once.stream(), once.stream().filter(it -> it.isDuelOf(TEN_MILLION)))
        .toList();
  }

  /** Returns all cases. */
  static List<Case> full() {
    Plan plan = new Plan();
    plan.cases.addAll(goals());
    plan.growth(LEADERS);
    for (int elements : List.of(HUNDRED_THOUSAND, MILLION, TEN_MILLION)) {
      plan.peers(elements, subject -> true);
      plan.equals(elements);
      plan.floors(elements);
      plan.texts(List.of(Subject.values()), elements);
      plan.lives(withLongs(), Keys.LONGS, elements, FPP);
    }
    plan.lives(LEADERS.stream(), Keys.LONGS, HUNDRED_MILLION, STRICT_FPP);
    plan.floors(HUNDRED_MILLION);
    for (Subject subject : Subject.values()) {
      if (subject.name().endsWith("_CONCURRENT")) {
        plan.conditions(subject);
      }
    }
    for (Subject subject : LEADERS) {
      plan.polluted(subject, Keys.LONGS, MILLION);
    }
    for (Subject subject : TEXT_LEADERS) {
      plan.polluted(subject, Keys.UUIDS, MILLION);
      plan.polluted(subject, Keys.DIGITS, MILLION);
    }
    return plan.distinctCases();
  }

  private List<Case> distinctCases() {
    return cases.stream().distinct().toList();
  }

  private static Stream<Subject> withLongs() {
    return Stream.of(Subject.values())
        .filter(subject -> !ONLY_TEXTS.contains(subject) && !subject.isFloor());
  }

  private void lives(Stream<Subject> subjects, Keys keys, int elements, double fpp) {
    subjects.forEach(subject -> cases.add(Case.life(subject, keys, elements, fpp)));
  }

  /** Adds cases that compare every filter with Bloomkit's first filter of bits or of counters. */
  private void peers(int elements, Predicate<Subject> wanted) {
    withLongs()
        .filter(wanted)
        .filter(subject -> !subject.name().endsWith("_CONCURRENT"))
        .forEach(
            subject -> {
              boolean counts = subject.has(Trait.REMOVAL);
              Subject ours = (counts ? Tables.OF_COUNTERS : Tables.OF_BITS).get(0);
              Run run = Run.life(ours, Keys.LONGS, elements, FPP);
              if (subject == Tables.OF_COUNTERS.get(0)) {
                cases.add(Case.duel(run, run.with(Tables.OF_BITS.get(0))));
              } else if (subject.isOurs() && subject != ours) {
                cases.add(Case.duel(run.with(subject), run));
              } else if (subject != ours) {
                cases.add(Case.duel(run, run.with(subject)));
              }
            });
  }

  /**
   * Adds the cases of the goals relative to the leaders, some of them also under further
   * conditions.
   */
  private void addLeaders() {
    for (Goal goal : Leaders.planned()) {
      Run run = goal.run();
      Run peer = goal.peer();
      cases.add(Case.duel(run, peer));
      if (Leaders.hasConditions(goal)) {
        cases.add(Case.duel(run.withUsualFlags(), peer.withUsualFlags()));
        cases.add(Case.duel(run.withTwoKinds(), peer.withTwoKinds()));
      }
    }
  }

  private void goals(Predicate<Goal> wanted) {
    Goals.planned().stream()
        .filter(wanted)
        .forEach(goal -> cases.add(Case.duel(goal.run(), goal.peer())));
  }

  private void texts(List<Subject> peers, int elements) {
    for (Keys keys : List.of(Keys.DIGITS, Keys.UUIDS)) {
      Run ours = Run.life(Subject.BLOCKED, keys, elements, FPP);
      peers.stream()
          .filter(peer -> peer.has(Trait.TEXTS) && peer != Subject.BLOCKED)
          .forEach(peer -> cases.add(Case.duel(ours, ours.with(peer))));
    }
  }

  private void growth(List<Subject> subjects) {
    for (int elements = 1_000; elements <= HUNDRED_MILLION; elements *= 10) {
      lives(subjects.stream(), Keys.LONGS, elements, FPP);
    }
  }

  private void floors(int elements) {
    WITH_FLOOR.forEach(subject -> cases.add(Case.floor(subject, elements, FPP)));
  }

  /**
   * Adds cases for the cost of a concurrent filter and for the gain of two threads, also for plain
   * memory reads.
   */
  private void conditions(Subject concurrent) {
    String alone = concurrent.name().substring(0, concurrent.name().lastIndexOf('_'));
    Run run = Run.life(concurrent, Keys.LONGS, TEN_MILLION, FPP);
    cases.add(Case.duel(run, run.with(Subject.valueOf(alone))));
    cases.add(Case.duel(run.withThreads(2), run));
    Run read = run.with(Subject.READ_OF_BLOCKED);
    cases.add(Case.duel(read.withThreads(2), read));
  }

  private void polluted(Subject subject, Keys keys, int elements) {
    Run run = Run.life(subject, keys, elements, FPP);
    cases.add(Case.duel(run.withStrategies(Maker.STRATEGIES), run));
  }

  /** Adds cases for the cost of call sites that have seen two kinds of filter. */
  private void twoKinds(int elements) {
    for (Subject subject : LEADERS) {
      Run run = Run.life(subject, Keys.LONGS, elements, FPP);
      if (subject.otherKind().isPresent()) {
        cases.add(Case.duel(run.withTwoKinds(), run));
      }
    }
  }

  /**
   * Adds cases of Bloomkit's filters with the false-positive rates and with the sizes of peers
   * whose rates differ from the planned ones.
   */
  private void equals(int elements) {
    Tables.OTHER_ERRORS.forEach(
        (peer, ours) -> {
          Size size = Size.of(peer, FPP);
          for (double fpp : new double[] {size.fpp(), size.fppOfSameBits(ours)}) {
            cases.add(
                Case.duel(
                    Run.life(ours, Keys.LONGS, elements, fpp),
                    Run.life(peer, Keys.LONGS, elements, FPP)));
          }
        });
  }
}
