package io.bloomkit.bench;

import static io.bloomkit.bench.Operation.ADD;
import static io.bloomkit.bench.Operation.QUERY_ABSENT;
import static io.bloomkit.bench.Operation.QUERY_PRESENT;
import static io.bloomkit.bench.Operation.REMOVE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The tables of a run. */
final class Tables {

  private static final int PERCENT = 100;

  /** Peers whose error is not what they are asked for, and the filter of ours of their kind. */
  static final Map<Subject, Subject> OTHER_ERRORS =
      Map.of(
          Subject.FAST_FILTER_BLOCKED, Subject.BLOCKED,
          Subject.FAST_FILTER_SUCCINCT_BLOCKED, Subject.BLOCKED_COUNTING,
          Subject.FAST_FILTER_CUCKOO_8, Subject.CUCKOO,
          Subject.FAST_FILTER_CUCKOO_16, Subject.CUCKOO,
          Subject.STREAM_LIB, Subject.CLASSIC);

  private static final List<Subject> OF_BITS = List.of(Subject.CLASSIC, Subject.BLOCKED);
  private static final List<Subject> OF_COUNTERS =
      List.of(Subject.COUNTING, Subject.BLOCKED_COUNTING);

  private final Results results;

  Tables(Results results) {
    this.results = results;
  }

  /** Returns all figures, a table for each kind and number of keys and each error asked for. */
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
    return results.runs().filter(run -> run.isPlain() && run.hasKeysOf(like));
  }

  private boolean anyOf(Run like, Operation operation) {
    return runsLike(like).anyMatch(run -> results.figure(run, operation.time()).isPresent());
  }

  /** Returns the most that an operation with a single key allocates. */
  private OptionalDouble bytes(Run run) {
    return Stream.of(Operation.values())
        .filter(operation -> !operation.isBatch())
        .flatMap(operation -> results.figure(run, operation.allocation()).stream())
        .mapToDouble(Figure::median)
        .max();
  }

  /** Returns how many times as long as ours the peers take, where both have a million long keys. */
  String ratios() {
    Run like = Run.life(Subject.CLASSIC, Keys.LONGS, 1_000_000, 0.01);
    return "Filters of bits:\n\n"
        + ratios(like, OF_BITS, List.of(QUERY_PRESENT, QUERY_ABSENT, ADD), false)
        + "\nFilters that can remove:\n\n"
        + ratios(like, OF_COUNTERS, List.of(QUERY_PRESENT, QUERY_ABSENT, ADD, REMOVE), true);
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
        cells.add(
            results
                .ratio(run, operation.time(), run.with(subject), operation.time())
                .map(ratio -> decimal(ratio.median()))
                .orElse(""));
      }
    }
    List<String> rest = cells(run, "", List.of());
    cells.addAll(rest.subList(1, rest.size()));
    return cells;
  }

  /** Returns peers with another error beside ours of the same error, and ours of the same bits. */
  String equals() {
    List<Operation> operations = List.of(ADD, QUERY_PRESENT, QUERY_ABSENT, REMOVE);
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "long keys",
                "add",
                "query, present",
                "query, absent",
                "remove",
                "bytes allocated",
                "errors",
                "bits"));
    results
        .runs()
        .filter(run -> run.isPlain() && run.keys() == Keys.LONGS && isRound(run.fpp()))
        .filter(run -> OTHER_ERRORS.containsKey(run.subject()))
        .sorted(Comparator.comparing(Run::elements))
        .forEach(
            peer -> {
              Subject ours = OTHER_ERRORS.get(peer.subject());
              String count = String.format(Locale.ROOT, ", %,d", peer.elements());
              table.row(cells(peer, peer.subject().label + count, operations));
              for (String metric : List.of(Metrics.ERROR, Metrics.BITS)) {
                String what = metric.equals(Metrics.ERROR) ? ", as many errors" : ", as many bits";
                Run run = results.nearest(ours, peer, metric);
                table.row(cells(run, ours.label + what, operations));
              }
            });
    return table.toString();
  }

  /** Returns what memory and the hash alone take. */
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

  /** Returns runs with several threads or hash functions, beside the plain ones. */
  String conditions() {
    List<Operation> operations = List.of(ADD, QUERY_PRESENT, QUERY_ABSENT, REMOVE);
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "filter",
                "keys",
                "threads",
                "hash functions",
                "add",
                "query, present",
                "query, absent",
                "remove"));
    results
        .runs()
        .filter(Run::isLife)
        .filter(run -> !run.isPlain())
        .flatMap(run -> Stream.of(run.withThreads(1).withStrategies(1), run))
        .distinct()
        .forEach(
            run -> {
              List<String> cells = new ArrayList<>();
              cells.add(run.subject().label);
              cells.add(String.format(Locale.ROOT, "%,d %s", run.elements(), run.keys().label));
              cells.add(String.valueOf(run.threads()));
              cells.add(String.valueOf(run.strategies()));
              operations.forEach(operation -> cells.add(time(run, operation.time())));
              table.row(cells);
            });
    return table.toString();
  }

  private String time(Run run, String metric) {
    Optional<Figure> figure = results.figure(run, metric);
    return figure.map(time -> decimal(time.median()) + " ± " + decimal(time.error())).orElse("");
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.3f %%", PERCENT * part);
  }

  /** Whether it is an error that all filters are asked for, and not the error of one peer. */
  private static boolean isRound(double fpp) {
    double digits = Math.log10(fpp);
    return Math.abs(digits - Math.rint(digits)) < 1e-9;
  }
}
