package io.bloomkit.bench.result;

import static io.bloomkit.bench.run.Operation.ADD;
import static io.bloomkit.bench.run.Operation.QUERY_ABSENT;
import static io.bloomkit.bench.run.Operation.QUERY_PRESENT;
import static io.bloomkit.bench.run.Operation.REMOVE;

import io.bloomkit.bench.run.Conditions;
import io.bloomkit.bench.run.Figure;
import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Writes the tables of a run. */
public final class Tables {

  private static final int PERCENT = 100;

  /**
   * The peers whose false-positive rate differs from the planned one, with Bloomkit's filter of the
   * same kind.
   */
  public static final Map<Subject, Subject> OTHER_ERRORS =
      Map.of(
          Subject.FAST_FILTER_BLOCKED, Subject.BLOCKED,
          Subject.FAST_FILTER_SUCCINCT_BLOCKED, Subject.BLOCKED_COUNTING,
          Subject.FAST_FILTER_CUCKOO_8, Subject.CUCKOO,
          Subject.FAST_FILTER_CUCKOO_16, Subject.CUCKOO,
          Subject.STREAM_LIB, Subject.CLASSIC);

  /**
   * Bloomkit's filters of bits. All other filters of bits are measured side by side with the first
   * one.
   */
  public static final List<Subject> OF_BITS = List.of(Subject.CLASSIC, Subject.BLOCKED);

  public static final List<Subject> OF_COUNTERS =
      List.of(Subject.COUNTING, Subject.BLOCKED_COUNTING);

  /** The operations of filters of bits, in the order of tables and charts. */
  static final List<Operation> TIMES_OF_BITS = List.of(QUERY_PRESENT, QUERY_ABSENT, ADD);

  /** The operations of filters that support removal, in the order of tables and charts. */
  static final List<Operation> TIMES_OF_COUNTERS =
      List.of(QUERY_PRESENT, QUERY_ABSENT, ADD, REMOVE);

  private final Results results;

  Tables(Results results) {
    this.results = results;
  }

  /**
   * Returns all figures, with a table for each kind and number of keys and each false-positive
   * rate.
   */
  String figures() {
    StringBuilder text = new StringBuilder();
    results
        .runs()
        .filter(Run::isPlain)
        .filter(run -> isRound(run.fpp()))
        .map(run -> run.with(Subject.CLASSIC))
        .distinct()
        .sorted(
            Comparator.comparing(Run::keys)
                .thenComparing(Run::elements)
                .thenComparing(Run::fpp, Comparator.reverseOrder()))
        .forEach(like -> text.append(heading(like)).append(figures(like)));
    return text.toString();
  }

  private static String heading(Run like) {
    return String.format(
        Locale.ROOT,
        "%n%,d %s at %s, nanoseconds each:%n%n",
        like.elements(),
        like.keys().label,
        percent(like.fpp()));
  }

  private String figures(Run like) {
    List<Operation> operations =
        Stream.of(Operation.values()).filter(operation -> anyOf(like, operation)).toList();
    List<String> titles = new ArrayList<>(List.of("filter"));
    operations.forEach(operation -> titles.add(operation.label));
    titles.addAll(List.of("bytes allocated", "errors", "bits"));
    MarkdownTable table = new MarkdownTable(titles);
    runsLike(like)
        .filter(run -> run.fpp() == like.fpp())
        .forEach(run -> table.row(cells(run, run.subject().label, operations)));
    return table.toString();
  }

  private List<String> cells(Run run, String name, List<Operation> operations) {
    List<String> cells = new ArrayList<>(List.of(name));
    operations.forEach(operation -> cells.add(time(run, operation.time())));
    cells.add(
        bytes(run).stream()
            .mapToObj(bytes -> String.format(Locale.ROOT, "%.0f", bytes))
            .findAny()
            .orElse(""));
    cells.add(results.figure(run, Metrics.ERROR).map(e -> percent(e.median())).orElse(""));
    cells.add(results.bitsPerElement(run).map(b -> decimal(b)).orElse(""));
    return cells;
  }

  private Stream<Run> runsLike(Run like) {
    return results
        .runs()
        .filter(run -> run.isPlain() && run.hasKeysOf(like) && !run.subject().isFloor());
  }

  private boolean anyOf(Run like, Operation operation) {
    return runsLike(like).anyMatch(run -> results.figure(run, operation.time()).isPresent());
  }

  /** Returns the largest number of bytes that an operation on a single key allocates. */
  private OptionalDouble bytes(Run run) {
    return Stream.of(Operation.values())
        .filter(operation -> !operation.isBatch())
        .flatMap(operation -> results.figure(run, operation.allocation()).stream())
        .mapToDouble(Figure::median)
        .max();
  }

  /** Returns the form in which a long key reaches each filter. */
  String keys() {
    MarkdownTable table = new MarkdownTable(List.of("filter", "form of a long key"));
    results
        .runs()
        .filter(run -> run.isLife() && run.keys() == Keys.LONGS && !run.subject().isFloor())
        .map(Run::subject)
        .distinct()
        .forEach(subject -> table.row(List.of(subject.label, subject.maker.longKeys())));
    return table.toString();
  }

  /**
   * Returns the ratios of the times of peers to those of Bloomkit's filters, with a million long
   * keys.
   */
  String ratios() {
    Run like = Run.life(Subject.CLASSIC, Keys.LONGS, 1_000_000, 0.01);
    return "Filters of bits:\n\n"
        + ratios(like, OF_BITS, TIMES_OF_BITS, false)
        + "\nFilters that can remove:\n\n"
        + ratios(like, OF_COUNTERS, TIMES_OF_COUNTERS, true);
  }

  private String ratios(Run like, List<Subject> ours, List<Operation> operations, boolean remove) {
    List<String> titles = new ArrayList<>(List.of("times as long as"));
    for (Operation operation : operations) {
      ours.forEach(
          subject -> titles.add(subject.label.replace("Bloomkit ", "") + ": " + operation.label));
    }
    titles.addAll(List.of("bytes allocated", "errors", "bits"));
    MarkdownTable table = new MarkdownTable(titles);
    ours.forEach(subject -> table.row(ratios(like.with(subject), ours, operations)));
    runsLike(like)
        .filter(run -> run.fpp() == like.fpp() && !run.subject().isOurs())
        .filter(run -> run.subject().has(Subject.Trait.REMOVAL) == remove)
        .forEach(run -> table.row(ratios(run, ours, operations)));
    return table.toString();
  }

  private List<String> ratios(Run run, List<Subject> ours, List<Operation> operations) {
    List<String> cells = new ArrayList<>(List.of(run.subject().label));
    for (Operation operation : operations) {
      for (Subject subject : ours) {
        cells.add(timesAsLong(run, operation, run.with(subject)).map(Tables::decimal).orElse(""));
      }
    }
    List<String> rest = cells(run, "", List.of());
    cells.addAll(rest.subList(1, rest.size()));
    return cells;
  }

  /**
   * Returns the ratio of the time of a run to that of another, if both were measured side by side,
   * or both with Bloomkit's first filter of bits or of counters. Otherwise, the result is empty.
   */
  Optional<Double> timesAsLong(Run run, Operation operation, Run base) {
    Run bits = run.with(OF_BITS.get(0));
    Run counters = run.with(OF_COUNTERS.get(0));
    return direct(run, operation, base)
        .or(() -> product(direct(run, operation, bits), direct(bits, operation, base)))
        .or(() -> product(direct(run, operation, counters), direct(counters, operation, base)));
  }

  private Optional<Double> direct(Run run, Operation operation, Run base) {
    if (run.equals(base)) {
      return results.figure(run, operation.time()).map(time -> 1.0);
    }
    Optional<Double> direct = results.ratio(run, operation, base).map(Figure::median);
    return direct.or(() -> results.ratio(base, operation, run).map(ratio -> 1 / ratio.median()));
  }

  private static Optional<Double> product(Optional<Double> times, Optional<Double> others) {
    return times.flatMap(first -> others.map(second -> first * second));
  }

  /**
   * Returns the ratios of Bloomkit's times to those of peers whose false-positive rates differ from
   * the planned one, for filters of equal rate and for filters of equal size.
   */
  String equals() {
    List<Operation> operations = List.of(ADD, QUERY_PRESENT, QUERY_ABSENT, REMOVE);
    List<String> titles = new ArrayList<>(List.of("long keys"));
    operations.forEach(operation -> titles.add(operation.label));
    titles.addAll(List.of("errors", "bits"));
    MarkdownTable table = new MarkdownTable(titles);
    results
        .runs()
        .filter(run -> run.isPlain() && run.keys() == Keys.LONGS && isRound(run.fpp()))
        .filter(run -> OTHER_ERRORS.containsKey(run.subject()))
        .sorted(Comparator.comparing(Run::elements))
        .forEach(
            peer -> {
              Subject ours = OTHER_ERRORS.get(peer.subject());
              Optional<Run> asExact = results.like(ours, peer, Metrics.ERROR);
              Optional<Run> asLarge = results.like(ours, peer, Metrics.BITS);
              asExact
                  .or(() -> asLarge)
                  .ifPresent(
                      run -> {
                        String count = String.format(Locale.ROOT, ", %,d", peer.elements());
                        List<String> cells = new ArrayList<>(List.of(peer.subject().label + count));
                        operations.forEach(
                            op -> cells.add(results.ratio(run, op, peer).isPresent() ? "1" : ""));
                        table.row(withSize(cells, peer));
                      });
              String name = ours.label + ", as many errors";
              asExact.ifPresent(run -> table.row(equal(name, run, peer, operations)));
              asLarge
                  .filter(run -> !asExact.equals(asLarge))
                  .ifPresent(
                      run ->
                          table.row(equal(ours.label + ", as many bits", run, peer, operations)));
            });
    return table.toString();
  }

  private List<String> equal(String name, Run run, Run peer, List<Operation> operations) {
    List<String> cells = new ArrayList<>(List.of(name));
    operations.forEach(operation -> cells.add(ratio(run, operation, peer)));
    return withSize(cells, run);
  }

  private List<String> withSize(List<String> cells, Run run) {
    cells.add(results.figure(run, Metrics.ERROR).map(e -> percent(e.median())).orElse(""));
    cells.add(results.bitsPerElement(run).map(Tables::decimal).orElse(""));
    return cells;
  }

  private String ratio(Run run, Operation operation, Run peer) {
    return results.ratio(run, operation, peer).map(Figure::asRatio).orElse("");
  }

  /** Returns the times of memory reads and of the hash alone. */
  String floor() {
    MarkdownTable table =
        new MarkdownTable(
            List.of("array as large as", "elements", "independent read", "dependent read", "hash"));
    results
        .runs()
        .filter(run -> !run.isLife())
        .sorted(Comparator.comparing(Run::subject).thenComparing(Run::elements))
        .forEach(
            run ->
                table.row(
                    List.of(
                        run.subject().label,
                        String.format(Locale.ROOT, "%,d", run.elements()),
                        time(run, Metrics.INDEPENDENT_READ),
                        time(run, Metrics.DEPENDENT_READ),
                        time(run, Metrics.HASH))));
    return table.toString();
  }

  /**
   * Returns the cost of threads, hash functions and kinds of filter, relative to the plain form.
   */
  String conditions() {
    List<Operation> operations = List.of(ADD, QUERY_PRESENT, QUERY_ABSENT, REMOVE);
    List<String> titles = new ArrayList<>(List.of("filter", "keys", "beside"));
    operations.forEach(operation -> titles.add(operation.label));
    MarkdownTable table = new MarkdownTable(titles);
    results
        .runs()
        .filter(Run::isLife)
        .forEach(
            run ->
                results
                    .peers(run)
                    .filter(peer -> isOtherCondition(run, peer))
                    .forEach(
                        peer -> {
                          List<String> cells = new ArrayList<>();
                          cells.add(condition(run));
                          cells.add(
                              String.format(
                                  Locale.ROOT, "%,d %s", run.elements(), run.keys().label));
                          cells.add(condition(peer));
                          operations.forEach(op -> cells.add(ratio(run, op, peer)));
                          table.row(cells);
                        }));
    return table.toString();
  }

  private static boolean isOtherCondition(Run run, Run peer) {
    boolean isConcurrent = run.subject().name().equals(peer.subject().name() + "_CONCURRENT");
    return isConcurrent || run.subject() == peer.subject() && !run.isPlain();
  }

  private static String condition(Run run) {
    String name = run.subject().label;
    Conditions conditions = run.conditions();
    if (conditions.threads() > 1) {
      name += ", " + conditions.threads() + " threads";
    }
    if (conditions.strategies() > 1) {
      name += ", " + conditions.strategies() + " hash functions";
    }
    if (conditions.kinds() > 1) {
      name += ", " + conditions.kinds() + " kinds of filter";
    }
    return name;
  }

  private String time(Run run, String metric) {
    Optional<Figure> figure = results.figure(run, metric);
    return figure.map(time -> decimal(time.median()) + " ± " + decimal(time.error())).orElse("");
  }

  static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.3f %%", PERCENT * part);
  }

  /** Returns whether a rate is planned for all filters, and not only for one peer. */
  private static boolean isRound(double fpp) {
    double digits = Math.log10(fpp);
    return Math.abs(digits - Math.rint(digits)) < 1e-9;
  }
}
