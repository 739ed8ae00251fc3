package io.bloomkit.bench.result;

import static io.bloomkit.bench.run.Operation.QUERY_PRESENT;

import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes the sentences on speed and the bars of README. */
final class Summary {

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH);

  private final Results results;
  private final Tables tables;

  Summary(Results results) {
    this.results = results;
    this.tables = new Tables(results);
  }

  /** Returns the sentences, or an empty result if a required figure was not measured. */
  Optional<String> text(LocalDate date) {
    List<String> times =
        List.of(
            times(Subject.GUAVA, Subject.BLOCKED, Tables.TIMES_OF_BITS),
            times(Subject.GUAVA_UNBOXED, Subject.BLOCKED, Tables.TIMES_OF_BITS),
            times(Subject.FAST_FILTER_BLOCKED, Subject.BLOCKED, Tables.TIMES_OF_BITS),
            times(Subject.HADOOP_COUNTING, Subject.BLOCKED_COUNTING, Tables.TIMES_OF_COUNTERS),
            times(
                Subject.FAST_FILTER_COUNTING, Subject.BLOCKED_COUNTING, Tables.TIMES_OF_COUNTERS));
    if (times.contains("")) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            """
            A million long keys at 1 %%, filters side by side in one process, JDK %s with the flags
            `%s`, %s ([conditions](#conditions)). Queries of present
            keys, queries of absent keys and additions of the blocked filter are the measure: Guava takes
            %s times as long (%s without boxing), FastFilter's
            blocked filter %s times. For the same operations and removals, with the
            blocked counting filter as the measure, Hadoop's counting filter takes %s
            times as long and FastFilter's %s times.
            """,
            results.javaVersion(),
            results.flags(),
            DATE.format(date),
            times.get(0),
            times.get(1),
            times.get(2),
            times.get(3),
            times.get(4)));
  }

  /** Returns three bars for queries of present keys, or an empty result if one was not measured. */
  Optional<String> bars(LocalDate date) {
    List<Subject> subjects = List.of(Subject.BLOCKED, Subject.FAST_FILTER_BLOCKED, Subject.GUAVA);
    Run base = Run.life(Subject.BLOCKED, Keys.LONGS, 1_000_000, 0.01);
    StringBuilder bars = new StringBuilder();
    for (Subject subject : subjects) {
      Optional<Double> time = tables.timesAsLong(base.with(subject), QUERY_PRESENT, base);
      if (time.isEmpty()) {
        return Optional.empty();
      }
      bars.append(
          String.format(
              Locale.ROOT,
              "%-20s %s %s%n",
              subject.label,
              "█".repeat((int) Math.max(1, Math.round(time.get()))),
              Tables.decimal(time.get())));
    }
    return tables
        .timesAsLong(base.with(Subject.GUAVA_UNBOXED), QUERY_PRESENT, base)
        .map(
            unboxed ->
                String.format(
                    Locale.ROOT,
                    """
                    ```text
                    %s```

                    Time of a query of a present key: a million `long` keys at 1 %%, filters side by side in one process, JDK
                    %s with `%s`, %s.
                    Guava boxes each key; without boxing it takes %s times as long.
                    """,
                    bars,
                    results.javaVersion(),
                    results.flags(),
                    DATE.format(date),
                    Tables.decimal(unboxed)));
  }

  /**
   * Returns the times of a peer by operation in words, or an empty result if one was not measured.
   */
  private String times(Subject peer, Subject ours, List<Operation> operations) {
    Run base = Run.life(ours, Keys.LONGS, 1_000_000, 0.01);
    List<String> times =
        operations.stream()
            .flatMap(it -> tables.timesAsLong(base.with(peer), it, base).stream())
            .map(Tables::decimal)
            .toList();
    int last = operations.size() - 1;
    return times.size() <= last
        ? ""
        : String.join(", ", times.subList(0, last)) + " and " + times.get(last);
  }
}
