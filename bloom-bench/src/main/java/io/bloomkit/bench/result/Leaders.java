package io.bloomkit.bench.result;

import static io.bloomkit.bench.run.Operation.ADD;
import static io.bloomkit.bench.run.Operation.ADD_USED;
import static io.bloomkit.bench.run.Operation.BATCH_ADD;
import static io.bloomkit.bench.run.Operation.BATCH_REMOVE;
import static io.bloomkit.bench.run.Operation.QUERY_ABSENT;
import static io.bloomkit.bench.run.Operation.QUERY_MIXED;
import static io.bloomkit.bench.run.Operation.QUERY_PRESENT;
import static io.bloomkit.bench.run.Operation.REMOVE;

import io.bloomkit.bench.run.Figure;
import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The goals relative to the fastest filters of other libraries, with long keys at 1 %. Some pairs
 * are also measured under two further conditions: with the usual flags of the virtual machine, and
 * with call sites that have seen two kinds of filter.
 */
public final class Leaders {

  private static final double FPP = 0.01;
  private static final int HUNDRED_THOUSAND = 100_000;
  private static final int MILLION = 1_000_000;
  private static final int TEN_MILLION = 10_000_000;

  /** The share of the peer's time by which a median may exceed its goal. */
  private static final double TOLERANCE = 0.03;

  private final AsExact asExact;
  private final List<Goal> goals = new ArrayList<>();

  private Leaders(AsExact asExact) {
    this.asExact = asExact;
    blocked(HUNDRED_THOUSAND, 1);
    blocked(MILLION, 1);
    blocked(TEN_MILLION, 1.15);
    counting(MILLION);
    counting(TEN_MILLION);
    batches();
    classic();
    blockedCounting();
    guava();
  }

  /** Returns all goals, for planning a run. */
  public static List<Goal> planned() {
    return new Leaders(AsExact.planned()).goals;
  }

  /** Returns whether a pair is also measured under the further conditions. */
  public static boolean hasConditions(Goal goal) {
    return goal.run().elements() == MILLION || goal.run().subject() == Subject.BLOCKED_COUNTING;
  }

  /** Returns the table of all goals, followed by the number of goals met. */
  static String table(Results results) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "what",
                "elements",
                "goal",
                "reached",
                "",
                "usual JVM flags",
                "two kinds of filter"));
    List<Goal> goals = new Leaders(AsExact.measured(results)).goals;
    for (Goal goal : goals) {
      Optional<Figure> reached = results.ratio(goal.run(), goal.operation(), goal.peer());
      boolean isMet = isMet(goal, reached);
      table.row(
          List.of(
              goal.run().subject().label + ", " + goal.operation().label + " : " + goal.name(),
              String.format(Locale.ROOT, "%,d", goal.run().elements()),
              String.format(Locale.ROOT, "≤ %.2f", goal.limit()),
              reached.map(Figure::asRatio).orElse(""),
              reached.isEmpty() ? "not measured" : isMet ? "met" : "**missed**",
              in(Run::withUsualFlags, goal, results),
              in(Run::withTwoKinds, goal, results)));
    }
    return String.format(
        Locale.ROOT,
        "%s%nMet: %d of %d. A goal is met if the median is at most %.2f above it.%n",
        table,
        countMet(goals, results),
        goals.size(),
        TOLERANCE);
  }

  /** Returns a sentence with the number of goals met. */
  static String met(Results results) {
    List<Goal> goals = new Leaders(AsExact.measured(results)).goals;
    return String.format(
        Locale.ROOT,
        "Beside FastFilter and Guava: %d of %d goals met.%n",
        countMet(goals, results),
        goals.size());
  }

  private static long countMet(List<Goal> goals, Results results) {
    return goals.stream()
        .filter(goal -> isMet(goal, results.ratio(goal.run(), goal.operation(), goal.peer())))
        .count();
  }

  private static boolean isMet(Goal goal, Optional<Figure> reached) {
    return reached.filter(it -> it.median() <= goal.limit() + TOLERANCE).isPresent();
  }

  private static String in(UnaryOperator<Run> condition, Goal goal, Results results) {
    return results
        .ratio(condition.apply(goal.run()), goal.operation(), condition.apply(goal.peer()))
        .map(Figure::asRatio)
        .orElse("");
  }

  private void blocked(int elements, double absent) {
    Run fast = plain(Subject.FAST_FILTER_BLOCKED, elements);
    Run blocked = asExact.of(Subject.BLOCKED, fast);
    goal(blocked, QUERY_PRESENT, fast, 1);
    goal(blocked, QUERY_ABSENT, fast, absent);
    goal(blocked, QUERY_MIXED, fast, 0.5);
    goal(blocked, ADD, fast, 0.95);
    goal(blocked, ADD_USED, fast, 1.15);
  }

  private void counting(int elements) {
    Run counting = plain(Subject.COUNTING, elements);
    Run fast = counting.with(Subject.FAST_FILTER_COUNTING);
    goal(counting, ADD, fast, 1);
    goal(counting, REMOVE, fast, 1.06);
    goal(counting, QUERY_PRESENT, fast, 0.92);
    goal(counting, QUERY_ABSENT, fast, 0.92);
  }

  private void batches() {
    Run counting = plain(Subject.COUNTING, TEN_MILLION);
    Run fast = counting.with(Subject.FAST_FILTER_COUNTING);
    goal(counting, BATCH_ADD, fast, 0.8);
    goal(counting, BATCH_REMOVE, fast, 0.8);
  }

  private void classic() {
    Run classic = plain(Subject.CLASSIC, MILLION);
    Run fast = classic.with(Subject.FAST_FILTER_BLOOM);
    goal(classic, QUERY_PRESENT, fast, 0.95);
    goal(classic, QUERY_ABSENT, fast, 0.65);
    goal(classic, ADD, fast, 1);
  }

  private void blockedCounting() {
    Run counting = plain(Subject.BLOCKED_COUNTING, TEN_MILLION);
    Run fast = counting.with(Subject.FAST_FILTER_COUNTING);
    goal(counting, ADD, fast, 0.33);
    goal(counting, REMOVE, fast, 0.42);
    goal(counting, QUERY_PRESENT, fast, 0.44);
    goal(counting, QUERY_ABSENT, fast, 0.72);
  }

  private void guava() {
    Run classic = plain(Subject.CLASSIC, MILLION);
    Run guava = classic.with(Subject.GUAVA);
    goal(classic, QUERY_PRESENT, guava, 0.22);
    goal(classic, ADD, guava, 0.16);
  }

  private void goal(Run run, Operation operation, Run peer, double limit) {
    goals.add(Goal.of(run, operation, peer, limit));
  }

  private static Run plain(Subject subject, int elements) {
    return Run.life(subject, Keys.LONGS, elements, FPP);
  }
}
