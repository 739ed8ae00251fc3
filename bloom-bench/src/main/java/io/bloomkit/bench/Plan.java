package io.bloomkit.bench;

import io.bloomkit.bench.Subject.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What is measured. */
final class Plan {

  static final int QUICK_ROUNDS = 2;
  static final int FULL_ROUNDS = 5;

  private static final double FPP = 0.01;
  private static final double STRICT_FPP = 0.001;
  private static final int MILLION = 1_000_000;
  private static final int TEN_MILLION = 10_000_000;
  private static final int HUNDRED_MILLION = 100_000_000;

  /** The forms that take texts another way, and are else as their neighbours. */
  private static final Set<Subject> ONLY_TEXTS =
      EnumSet.of(Subject.CLASSIC_CHARS, Subject.BLOCKED_CHARS, Subject.GUAVA_CHARS);

  /** The ones that the goals are about. */
  private static final List<Subject> LEADERS =
      List.of(
          Subject.CLASSIC,
          Subject.BLOCKED,
          Subject.COUNTING,
          Subject.BLOCKED_COUNTING,
          Subject.GUAVA,
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

  /** What the quick plan leaves out: ours without a counterpart elsewhere, and the slowest peer. */
  private static final Set<Subject> ONLY_FULL =
      EnumSet.of(
          Subject.ORESTES_COUNTING,
          Subject.CLASSIC_CONCURRENT,
          Subject.COUNTING_CONCURRENT,
          Subject.BLOCKED_COUNTING_CONCURRENT,
          Subject.SCALABLE,
          Subject.SCALABLE_BLOCKED,
          Subject.SCALABLE_COUNTING,
          Subject.AGEING);

  private static final List<Subject> WITH_FLOOR =
      List.of(Subject.CLASSIC, Subject.BLOCKED, Subject.BLOCKED_COUNTING);

  private final List<Case> cases = new ArrayList<>();

  private Plan() {}

  /** Returns what takes less than ten minutes on two processors. */
  static List<Case> quick() {
    Plan plan = new Plan();
    plan.lives(
        withLongs().filter(subject -> !ONLY_FULL.contains(subject)), Keys.LONGS, MILLION, FPP);
    plan.equals(MILLION);
    plan.lives(
        LEADERS.stream().filter(subject -> subject != Subject.GUAVA), Keys.LONGS, TEN_MILLION, FPP);
    plan.concurrent(Subject.BLOCKED_CONCURRENT, TEN_MILLION);
    plan.floors(MILLION);
    plan.floors(TEN_MILLION);
    for (Keys keys : List.of(Keys.DIGITS, Keys.UUIDS)) {
      plan.lives(TEXT_LEADERS.stream(), keys, MILLION, FPP);
    }
    plan.polluted(Subject.CLASSIC, Keys.UUIDS, MILLION);
    plan.polluted(Subject.GUAVA, Keys.UUIDS, MILLION);
    return plan.distinctCases();
  }

  /** Returns everything. */
  static List<Case> full() {
    Plan plan = new Plan();
    for (int elements : List.of(100_000, MILLION, TEN_MILLION)) {
      plan.lives(withLongs(), Keys.LONGS, elements, FPP);
      plan.lives(LEADERS.stream(), Keys.LONGS, elements, STRICT_FPP);
      plan.equals(elements);
      plan.floors(elements);
      for (Keys keys : List.of(Keys.DIGITS, Keys.UUIDS)) {
        plan.lives(
            Stream.of(Subject.values()).filter(subject -> subject.has(Trait.TEXTS)),
            keys,
            elements,
            FPP);
      }
    }
    for (int elements : List.of(1_000, 10_000, HUNDRED_MILLION)) {
      plan.lives(LEADERS.stream(), Keys.LONGS, elements, FPP);
    }
    plan.lives(LEADERS.stream(), Keys.LONGS, HUNDRED_MILLION, STRICT_FPP);
    plan.equals(HUNDRED_MILLION);
    plan.floors(HUNDRED_MILLION);
    for (Subject subject : Subject.values()) {
      if (subject.name().endsWith("_CONCURRENT")) {
        plan.concurrent(subject, TEN_MILLION);
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
    return Stream.of(Subject.values()).filter(subject -> !ONLY_TEXTS.contains(subject));
  }

  private void lives(Stream<Subject> subjects, Keys keys, int elements, double fpp) {
    subjects.forEach(subject -> cases.add(Case.life(subject, keys, elements, fpp)));
  }

  private void floors(int elements) {
    WITH_FLOOR.forEach(subject -> cases.add(Case.floor(subject, elements, FPP)));
  }

  private void concurrent(Subject subject, int elements) {
    Case alone = Case.life(subject, Keys.LONGS, elements, FPP);
    cases.add(alone);
    cases.add(alone.with("threads", 2));
  }

  private void polluted(Subject subject, Keys keys, int elements) {
    cases.add(Case.life(subject, keys, elements, FPP).with("strategies", Maker.STRATEGIES));
  }

  /**
   * Plans our filters with the errors and with the bits of the peers that are not as asked for. At
   * a hundred million only the blocked ones are worth it.
   */
  private void equals(int elements) {
    Tables.OTHER_ERRORS.forEach(
        (peer, ours) -> {
          if (elements < HUNDRED_MILLION || peer == Subject.FAST_FILTER_BLOCKED) {
            Size size = Size.of(peer, FPP);
            lives(Stream.of(ours), Keys.LONGS, elements, size.fpp());
            lives(Stream.of(ours), Keys.LONGS, elements, size.fppOfSameBits(ours));
          }
        });
  }
}
