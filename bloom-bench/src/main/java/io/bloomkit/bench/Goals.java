package io.bloomkit.bench;

import static io.bloomkit.bench.Operation.ADD;
import static io.bloomkit.bench.Operation.BATCH_ADD;
import static io.bloomkit.bench.Operation.BATCH_QUERY_PRESENT;
import static io.bloomkit.bench.Operation.QUERY_ABSENT;
import static io.bloomkit.bench.Operation.QUERY_PRESENT;
import static io.bloomkit.bench.Operation.REMOVE;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** How fast the filters are to be, as a part of what others take in the same run. */
final class Goals {

  private static final double FPP = 0.01;
  private static final int MILLION = 1_000_000;
  private static final int TEN_MILLION = 10_000_000;
  private static final int HUNDRED_MILLION = 100_000_000;

  /** Filters of bits of ten million elements lie at the edge of the shared cache. */
  private static final List<Integer> SIZES_OF_BITS = List.of(MILLION, HUNDRED_MILLION);

  private static final List<Integer> SIZES_OF_COUNTERS = List.of(MILLION, TEN_MILLION);

  /** Filters that take memory as they grow. */
  private static final Set<Subject> GROWING =
      EnumSet.of(Subject.SCALABLE, Subject.SCALABLE_BLOCKED, Subject.SCALABLE_COUNTING);

  private final Results results;
  private final MarkdownTable table =
      new MarkdownTable(List.of("what", "elements", "goal", "reached", ""));

  private Goals(Results results) {
    this.results = results;
  }

  /** Returns the table of all goals. */
  static String table(Results results) {
    Goals goals = new Goals(results);
    SIZES_OF_BITS.forEach(goals::classic);
    SIZES_OF_BITS.forEach(goals::blocked);
    SIZES_OF_COUNTERS.forEach(goals::counting);
    goals.blockedCounting();
    goals.texts();
    goals.nativeCode();
    goals.floor();
    goals.batches();
    goals.threads();
    goals.allocation();
    return goals.table.toString();
  }

  private void classic(int elements) {
    Run classic = plain(Subject.CLASSIC, elements);
    Run fast = plain(Subject.FAST_FILTER_BLOOM, elements);
    Run guava = plain(Subject.GUAVA, elements);
    goal(classic, QUERY_PRESENT, fast, QUERY_PRESENT, 1);
    goal(classic, QUERY_PRESENT, guava, QUERY_PRESENT, 1 / 4.0);
    goal(classic, QUERY_ABSENT, fast, QUERY_ABSENT, 0.75);
    goal(classic, ADD, fast, ADD, 1);
    goal(classic, ADD, guava, ADD, 1 / 7.0);
  }

  private void blocked(int elements) {
    Run fast = plain(Subject.FAST_FILTER_BLOCKED, elements);
    Run blocked = results.nearest(Subject.BLOCKED, fast, Metrics.ERROR);
    for (Operation operation : List.of(QUERY_PRESENT, QUERY_ABSENT, ADD)) {
      goal(blocked, operation, fast, operation, 1);
    }
  }

  private void counting(int elements) {
    Run fast = plain(Subject.FAST_FILTER_COUNTING, elements);
    for (Operation operation : List.of(ADD, REMOVE, QUERY_PRESENT, QUERY_ABSENT)) {
      goal(plain(Subject.COUNTING, elements), operation, fast, operation, 1);
    }
  }

  private void blockedCounting() {
    Run ours = plain(Subject.BLOCKED_COUNTING, TEN_MILLION);
    Run fast = plain(Subject.FAST_FILTER_COUNTING, TEN_MILLION);
    for (Operation operation : List.of(ADD, REMOVE, QUERY_PRESENT, QUERY_ABSENT)) {
      goal(ours, operation, fast, operation, 1 / 2.0);
      goal(ours, operation.otherForm(), fast, operation, 1 / 3.5);
    }
  }

  private void texts() {
    for (Keys keys : List.of(Keys.DIGITS, Keys.UUIDS)) {
      for (Operation operation : List.of(QUERY_PRESENT, QUERY_ABSENT)) {
        best(keys, operation, false)
            .ifPresent(
                peer ->
                    best(keys, operation, true)
                        .ifPresent(ours -> goal(ours, operation, peer, operation, 0.8)));
      }
    }
  }

  /** Returns the filter that answers a million texts fastest. */
  private Optional<Run> best(Keys keys, Operation operation, boolean ours) {
    return results
        .runs()
        .filter(run -> run.isPlain() && run.keys() == keys && run.elements() == MILLION)
        .filter(run -> run.subject().isOurs() == ours)
        .min(
            Comparator.comparingDouble(
                run -> results.figure(run, operation.time()).orElseThrow().median()));
  }

  /**
   * Boost.Bloom, in C++ without vector instructions, and FastFilter on one machine: the ratio of
   * both there is the measure here.
   */
  private void nativeCode() {
    Run classic = plain(Subject.CLASSIC, MILLION);
    Run bloom = plain(Subject.FAST_FILTER_BLOOM, MILLION);
    goal("C++ classic × 1.2", classic, ADD, bloom, ADD, 1.2 * 10.9 / 16);
    goal("C++ classic × 1.2", classic, QUERY_PRESENT, bloom, QUERY_PRESENT, 1.2 * 12.2 / 15);
    goal("C++ classic × 1.2", classic, QUERY_ABSENT, bloom, QUERY_ABSENT, 1.2 * 17.7 / 22);
    Run blocked = plain(Subject.BLOCKED, MILLION);
    Run fast = plain(Subject.FAST_FILTER_BLOCKED, MILLION);
    goal("C++ multiblock × 1.2", blocked, ADD, fast, ADD, 1.2 * 5.8 / 5.5);
    goal("C++ multiblock × 1.2", blocked, QUERY_PRESENT, fast, QUERY_PRESENT, 1.2 * 7.4 / 5.6);
    goal("C++ multiblock × 1.2", blocked, QUERY_ABSENT, fast, QUERY_ABSENT, 1.2 * 7.5 / 5.6);
  }

  private void floor() {
    for (Subject subject : List.of(Subject.BLOCKED, Subject.BLOCKED_COUNTING)) {
      Run run = plain(subject, TEN_MILLION);
      Run floor = Run.floor(subject, TEN_MILLION, FPP);
      for (Operation operation : List.of(BATCH_ADD, BATCH_QUERY_PRESENT)) {
        goal("an independent read", run, operation, floor, Metrics.INDEPENDENT_READ, 1.8);
      }
      goal("an independent read", run, QUERY_PRESENT, floor, Metrics.INDEPENDENT_READ, 3);
    }
  }

  private void batches() {
    for (Subject subject : List.of(Subject.CLASSIC, Subject.BLOCKED, Subject.BLOCKED_COUNTING)) {
      Run run = plain(subject, TEN_MILLION);
      for (Operation operation : List.of(ADD, QUERY_PRESENT)) {
        goal("one by one", run, operation.otherForm(), run, operation.time(), 1 / 1.5);
      }
    }
  }

  private void threads() {
    Run alone = plain(Subject.BLOCKED, TEN_MILLION);
    Run one = alone.with(Subject.BLOCKED_CONCURRENT);
    Run two = one.withThreads(2);
    for (Operation operation : List.of(ADD, QUERY_PRESENT)) {
      goal("the single-writer form", one, operation, alone, operation.time(), 1.5);
      goal("two threads of one", two, operation, one, operation.time(), 1 / 1.6);
    }
  }

  /** No operation allocates; the forms for many texts keep their hashes, and say so. */
  private void allocation() {
    double most =
        results
            .runs()
            .filter(run -> run.isPlain() && run.subject().isOurs())
            .filter(run -> !GROWING.contains(run.subject()))
            .flatMap(
                run ->
                    Stream.of(Operation.values())
                        .filter(operation -> run.keys() == Keys.LONGS || !operation.isBatch())
                        .flatMap(op -> results.figure(run, op.allocation()).stream()))
            .mapToDouble(Figure::most)
            .max()
            .orElse(Double.NaN);
    table.row(
        List.of(
            "bytes an operation, any filter of fixed size",
            "all",
            "0",
            String.format(Locale.ROOT, "%.2f", most),
            Double.isNaN(most) ? "not measured" : most < 0.1 ? "met" : "**missed**"));
  }

  private void goal(Run run, Operation operation, Run peer, Operation other, double limit) {
    goal(peer.subject().label, run, operation, peer, other.time(), limit);
  }

  private void goal(
      String title, Run run, Operation operation, Run peer, Operation other, double limit) {
    String name = title + " (by " + peer.subject().label + ")";
    goal(name, run, operation, peer, other.time(), limit);
  }

  private void goal(
      String peerName, Run run, Operation operation, Run peer, String peerMetric, double limit) {
    Optional<Figure> ratio = results.ratio(run, operation.time(), peer, peerMetric);
    String keys = run.keys() == Keys.LONGS ? "" : ", " + run.keys().label;
    table.row(
        List.of(
            run.subject().label + keys + ", " + operation.label + " : " + peerName,
            String.format(Locale.ROOT, "%,d", run.elements()),
            String.format(Locale.ROOT, "≤ %.2f", limit),
            ratio
                .map(
                    figure ->
                        String.format(
                            Locale.ROOT,
                            "%.2f (%.2f to %.2f)",
                            figure.median(),
                            figure.least(),
                            figure.most()))
                .orElse(""),
            ratio
                .map(figure -> figure.median() <= limit ? "met" : "**missed**")
                .orElse("not measured")));
  }

  private static Run plain(Subject subject, int elements) {
    return Run.life(subject, Keys.LONGS, elements, FPP);
  }
}
