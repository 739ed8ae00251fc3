package io.bloomkit.bench.result;

import static io.bloomkit.bench.run.Operation.ADD;
import static io.bloomkit.bench.run.Operation.BATCH_ADD;
import static io.bloomkit.bench.run.Operation.BATCH_QUERY_ABSENT;
import static io.bloomkit.bench.run.Operation.BATCH_QUERY_PRESENT;
import static io.bloomkit.bench.run.Operation.BATCH_REMOVE;
import static io.bloomkit.bench.run.Operation.QUERY_ABSENT;
import static io.bloomkit.bench.run.Operation.QUERY_PRESENT;
import static io.bloomkit.bench.run.Operation.REMOVE;

import io.bloomkit.bench.run.Figure;
import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The goals for speed other than those of the {@linkplain Leaders leaders}: for the largest
 * filters, texts, batches and threads, and relative to native code and to plain memory reads.
 */
public final class Goals {

  private static final double FPP = 0.01;
  private static final int MILLION = 1_000_000;
  private static final int TEN_MILLION = 10_000_000;
  private static final int HUNDRED_MILLION = 100_000_000;

  /** The filters that allocate memory for new layers or generations. */
  private static final Set<Subject> ALLOCATING =
      EnumSet.of(
          Subject.SCALABLE,
          Subject.SCALABLE_BLOCKED,
          Subject.AGING_CONCURRENT,
          Subject.DYNAMIC_CUCKOO);

  private final List<Goal> goals = new ArrayList<>();

  private Goals(AsExact asExact) {
    classic();
    blocked(asExact);
    blockedCounting();
    dynamic();
    texts();
    nativeCode();
    floor();
    batches();
    threads();
  }

  /** Returns all goals, for planning a run. */
  public static List<Goal> planned() {
    return new Goals(AsExact.planned()).goals;
  }

  /** Returns the table of all goals. */
  static String table(Results results) {
    MarkdownTable table = new MarkdownTable(List.of("what", "elements", "goal", "reached", ""));
    new Goals(AsExact.measured(results)).goals.forEach(goal -> table.row(row(goal, results)));
    table.row(allocation(results));
    return table.toString();
  }

  private void classic() {
    Run classic = plain(Subject.CLASSIC, HUNDRED_MILLION);
    Run fast = plain(Subject.FAST_FILTER_BLOOM, HUNDRED_MILLION);
    Run guava = plain(Subject.GUAVA, HUNDRED_MILLION);
    goal(classic, QUERY_PRESENT, fast, 1);
    goal(classic, QUERY_PRESENT, guava, 1 / 4.0);
    goal(classic, QUERY_ABSENT, fast, 0.75);
    goal(classic, ADD, fast, 1);
    goal(classic, ADD, guava, 1 / 7.0);
  }

  private void blocked(AsExact asExact) {
    Run fast = plain(Subject.FAST_FILTER_BLOCKED, HUNDRED_MILLION);
    Run blocked = asExact.of(Subject.BLOCKED, fast);
    for (Operation operation : List.of(QUERY_PRESENT, QUERY_ABSENT, ADD)) {
      goal(blocked, operation, fast, 1);
    }
  }

  private void blockedCounting() {
    Run ours = plain(Subject.BLOCKED_COUNTING, TEN_MILLION);
    Run fast = plain(Subject.FAST_FILTER_COUNTING, TEN_MILLION);
    for (Operation operation :
        List.of(BATCH_ADD, BATCH_REMOVE, BATCH_QUERY_PRESENT, BATCH_QUERY_ABSENT)) {
      goal(ours, operation, fast, 1 / 3.5);
    }
  }

  /**
   * Adds the goals of filters that grow. The time of additions includes growth, since they fill an
   * empty filter.
   */
  private void dynamic() {
    for (int elements : List.of(MILLION, TEN_MILLION)) {
      Run ours = plain(Subject.DYNAMIC_CUCKOO, elements);
      Run counting = plain(Subject.COUNTING, elements);
      goal(ours, QUERY_PRESENT, counting, 0.7);
      goal(ours, QUERY_ABSENT, counting, 0.7);
      goal(ours, REMOVE, counting, 1.3);
      twoThreads(QUERY_PRESENT, ours, 1.5);
      twoThreads(ADD, ours, 1.5);
    }
    Run ten = plain(Subject.DYNAMIC_CUCKOO, TEN_MILLION);
    Run fast = plain(Subject.FAST_FILTER_COUNTING, TEN_MILLION);
    goal(ten, QUERY_PRESENT, fast, 0.4);
    goal(ten, ADD, fast, 0.9);
    goal(ten, REMOVE, fast, 1.3);
  }

  private void texts() {
    for (Keys keys : List.of(Keys.DIGITS, Keys.UUIDS)) {
      Run peer = Run.life(Subject.BLOOM_FILTER_SCALA, keys, MILLION, FPP);
      for (Subject ours : List.of(Subject.BLOCKED, Subject.CLASSIC)) {
        goal(peer.with(ours), QUERY_PRESENT, peer, 0.8);
        goal(peer.with(ours), QUERY_ABSENT, peer, 0.8);
      }
    }
  }

  /**
   * Adds the goals relative to native code: the ratio between Boost.Bloom (C++ without vector
   * instructions) and FastFilter on one machine is applied to FastFilter here.
   */
  private void nativeCode() {
    Run classic = plain(Subject.CLASSIC, MILLION);
    Run bloom = plain(Subject.FAST_FILTER_BLOOM, MILLION);
    String name = "C++ classic × 1.2, by FastFilter Bloom";
    goals.add(new Goal(name, classic, ADD, bloom, 1.2 * 10.9 / 16));
    goals.add(new Goal(name, classic, QUERY_PRESENT, bloom, 1.2 * 12.2 / 15));
    goals.add(new Goal(name, classic, QUERY_ABSENT, bloom, 1.2 * 17.7 / 22));
    Run blocked = plain(Subject.BLOCKED, MILLION);
    Run fast = plain(Subject.FAST_FILTER_BLOCKED, MILLION);
    name = "C++ multiblock × 1.2, by FastFilter blocked";
    goals.add(new Goal(name, blocked, ADD, fast, 1.2 * 5.8 / 5.5));
    goals.add(new Goal(name, blocked, QUERY_PRESENT, fast, 1.2 * 7.4 / 5.6));
    goals.add(new Goal(name, blocked, QUERY_ABSENT, fast, 1.2 * 7.5 / 5.6));
  }

  private void floor() {
    floor(Subject.BLOCKED, Subject.READ_OF_BLOCKED);
    floor(Subject.BLOCKED_COUNTING, Subject.READ_OF_BLOCKED_COUNTING);
  }

  private void floor(Subject ours, Subject read) {
    Run run = plain(ours, TEN_MILLION);
    Run floor = plain(read, TEN_MILLION);
    goal(run, BATCH_ADD, floor, 1.8);
    goal(run, BATCH_QUERY_PRESENT, floor, 1.8);
    goal(run, QUERY_PRESENT, floor, 3);
  }

  private void batches() {
    for (Subject subject : List.of(Subject.BLOCKED, Subject.COUNTING, Subject.BLOCKED_COUNTING)) {
      Run run = plain(subject, TEN_MILLION);
      goals.add(new Goal("one by one", run, BATCH_ADD, run, 1 / 1.5));
      goals.add(new Goal("one by one", run, BATCH_QUERY_PRESENT, run, 1 / 1.5));
    }
  }

  private void threads() {
    Run blocked = plain(Subject.BLOCKED, TEN_MILLION);
    threads(ADD, blocked, Subject.BLOCKED_CONCURRENT, 1.5, 1.6);
    threads(QUERY_PRESENT, blocked, Subject.BLOCKED_CONCURRENT, 1.5, 1.6);
    Run aging = plain(Subject.AGING, MILLION);
    threads(ADD, aging, Subject.AGING_CONCURRENT, 2.5, 1.3);
    threads(QUERY_PRESENT, aging, Subject.AGING_CONCURRENT, 1.5, 1.3);
    threads(QUERY_ABSENT, aging, Subject.AGING_CONCURRENT, 1.5, 1.3);
  }

  /**
   * Adds the goals for the cost of one thread of a concurrent filter and for the gain of two
   * threads.
   */
  private void threads(
      Operation operation, Run alone, Subject concurrent, double most, double leastGain) {
    Run one = alone.with(concurrent);
    goals.add(new Goal("the single-writer form", one, operation, alone, most));
    twoThreads(operation, one, leastGain);
  }

  private void twoThreads(Operation operation, Run one, double leastGain) {
    goals.add(new Goal("two threads of one", one.withThreads(2), operation, one, 1 / leastGain));
  }

  private void goal(Run run, Operation operation, Run peer, double limit) {
    goals.add(Goal.of(run, operation, peer, limit));
  }

  /**
   * Returns whether the ratio meets its limit in all processes, misses it in all processes, or
   * neither.
   */
  private static String verdict(Figure ratio, double limit) {
    if (ratio.most() <= limit) {
      return "met";
    }
    return ratio.least() > limit ? "**missed**" : "undecided";
  }

  private static List<String> row(Goal goal, Results results) {
    Run run = goal.run();
    Optional<Figure> ratio = results.ratio(run, goal.operation(), goal.peer());
    String keys = run.keys() == Keys.LONGS ? "" : ", " + run.keys().label;
    return List.of(
        run.subject().label + keys + ", " + goal.operation().label + " : " + goal.name(),
        String.format(Locale.ROOT, "%,d", run.elements()),
        String.format(Locale.ROOT, "≤ %.2f", goal.limit()),
        ratio.map(Figure::asRatio).orElse(""),
        ratio.map(figure -> verdict(figure, goal.limit())).orElse("not measured"));
  }

  /**
   * Returns the row of the goal that no operation allocates. Batch methods for texts are excluded,
   * since they allocate an array of hashes.
   */
  private static List<String> allocation(Results results) {
    double most =
        results
            .runs()
            .filter(run -> run.isPlain() && run.subject().isOurs())
            .filter(run -> !ALLOCATING.contains(run.subject()))
            .flatMap(
                run ->
                    Stream.of(Operation.values())
                        .filter(operation -> run.keys() == Keys.LONGS || !operation.isBatch())
                        .flatMap(op -> results.figure(run, op.allocation()).stream()))
            .mapToDouble(Figure::most)
            .max()
            .orElse(Double.NaN);
    return List.of(
        "bytes per operation, any filter whose arrays are made once",
        "all",
        "0",
        String.format(Locale.ROOT, "%.2f", most),
        Double.isNaN(most) ? "not measured" : most < 0.1 ? "met" : "**missed**");
  }

  private static Run plain(Subject subject, int elements) {
    return Run.life(subject, Keys.LONGS, elements, FPP);
  }
}
