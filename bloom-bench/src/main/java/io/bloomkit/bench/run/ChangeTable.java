package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Filters from which elements can be removed, side by side in this process, each with {@linkplain
 * OwnClasses classes of its own}. In each round, all filters perform an operation one after
 * another, and then the next one. A time is the processor time of the thread, the median of the
 * rounds; a ratio is the median of the ratios to the last filter in the same round, which depends
 * less on the load of the machine.
 */
public final class ChangeTable {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The number of parts in which a filter is filled. Its size is taken after each of them. */
  private static final int PARTS = 20;

  /** The columns, in the order in which they are measured. */
  private enum Column {
    GROWING("bits, mean from n/10 to n"),
    FULL("bits, full"),
    ERROR("errors"),
    FILL("fill", Operation.ADD),
    ADD("add, last tenth", Operation.ADD),
    QUERY_PRESENT("query, present", Operation.QUERY_PRESENT),
    QUERY_ABSENT("query, absent", Operation.QUERY_ABSENT),
    REMOVE("remove", Operation.REMOVE),
    BULK_FILL("fill in bulk", Operation.BATCH_ADD),
    BULK_REMOVE("remove in bulk", Operation.BATCH_REMOVE);

    private final String label;
    private final Operation operation;

    Column(String label) {
      this(label, Operation.QUERY_MIXED); // not measured here
    }

    Column(String label, Operation operation) {
      this.label = label;
      this.operation = operation;
    }

    boolean isTime() {
      return compareTo(FILL) >= 0;
    }
  }

  private final List<Subject> subjects;
  private final List<Contender> contenders;
  private final int elements;

  /** The figures of all rounds, by column, of each filter. */
  private final List<Map<Column, double[]>> figures = new ArrayList<>();

  private ChangeTable(List<Subject> subjects, int elements, double fpp, int rounds) {
    this.subjects = subjects;
    this.elements = elements;
    this.contenders =
        subjects.stream()
            .map(it -> new Contender(new Run(it, Keys.LONGS, elements, fpp, 1)))
            .toList();
    for (int i = 0; i < contenders.size(); i++) {
      Map<Column, double[]> ofFilter = new EnumMap<>(Column.class);
      for (Column column : Column.values()) {
        double[] none = new double[rounds];
        Arrays.fill(none, Double.NaN);
        ofFilter.put(column, none);
      }
      figures.add(ofFilter);
    }
  }

  /**
   * Measures filters and returns a Markdown table.
   *
   * @param subjects the filters; the last one is the measure of the others
   */
  public static String of(List<Subject> subjects, int elements, double fpp, int rounds) {
    ChangeTable table = new ChangeTable(subjects, elements, fpp, rounds);
    for (int round = 0; round < rounds; round++) {
      table.run(round);
    }
    table.contenders.forEach(Contender::close);
    return table.toString();
  }

  private void run(int round) {
    for (Column column : Column.values()) {
      if (column.isTime() && column != Column.ADD) { // measured with the filling
        for (int turn = 0; turn < contenders.size(); turn++) {
          int index = (turn + round) % contenders.size();
          if (contenders.get(index).operations().contains(column.operation)) {
            measure(contenders.get(index), figures.get(index), column, round);
          }
        }
      }
    }
  }

  private void measure(
      Contender contender, Map<Column, double[]> result, Column column, int round) {
    if (column == Column.FILL) {
      fill(contender, result, round);
      return;
    }
    if (column == Column.BULK_FILL) {
      contender.renew();
    }
    int keys = contender.keysOf(column.operation);
    contender.beginIteration();
    result.get(column)[round] = (double) time(contender, column.operation, 0, keys) / keys;
    if (column == Column.QUERY_ABSENT) {
      result.get(Column.ERROR)[round] = contender.positives(column.operation);
    }
  }

  private void fill(Contender contender, Map<Column, double[]> result, int round) {
    contender.renew();
    double time = 0;
    double bits = 0;
    int last = elements - elements / 10;
    for (int part = 0; part < PARTS; part++) {
      int from = (int) ((long) elements * part / PARTS);
      int to = (int) ((long) elements * (part + 1) / PARTS);
      long taken = time(contender, Operation.ADD, from, to);
      time += taken;
      if (from >= last) {
        double before = result.get(Column.ADD)[round];
        result.get(Column.ADD)[round] =
            (Double.isNaN(before) ? 0 : before) + (double) taken / (elements - last);
      }
      if (to >= elements / 10) {
        bits += (double) contender.bits() / to / (PARTS - PARTS / 10 + 1);
      }
    }
    result.get(Column.FILL)[round] = time / elements;
    result.get(Column.GROWING)[round] = bits;
    result.get(Column.FULL)[round] = (double) contender.bits() / elements;
  }

  private static long time(Contender contender, Operation operation, int from, int to) {
    long start = THREADS.getCurrentThreadCpuTime();
    contender.perform(operation, from, to);
    return THREADS.getCurrentThreadCpuTime() - start;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("| filter");
    for (Column column : Column.values()) {
      text.append(" | ").append(column.label);
    }
    text.append(" |\n").append("|---".repeat(1 + Column.values().length)).append("|\n");
    for (int i = 0; i < subjects.size(); i++) {
      text.append("| ").append(subjects.get(i).label);
      for (Column column : Column.values()) {
        text.append(" | ").append(cell(i, column));
      }
      text.append(" |\n");
    }
    return text.append("\nNanoseconds per element, and the ratio to the last filter.\n").toString();
  }

  private String cell(int index, Column column) {
    double[] values = figures.get(index).get(column);
    if (Double.isNaN(values[0])) {
      return "";
    }
    double median = Figure.median(DoubleStream.of(values));
    if (!column.isTime()) {
      return column == Column.ERROR
          ? String.format(Locale.ROOT, "%.2f %%", 100 * median)
          : String.format(Locale.ROOT, "%.1f", median);
    }
    Map<Column, double[]> measure = figures.get(figures.size() - 1);
    double[] of =
        measure.get(
            switch (column) {
              case BULK_FILL -> Column.FILL;
              case BULK_REMOVE -> Column.REMOVE;
              default -> column;
            });
    double[] ratios = new double[values.length];
    Arrays.setAll(ratios, round -> values[round] / of[round]);
    return String.format(
        Locale.ROOT, "%.0f (%.2f)", median, Figure.median(DoubleStream.of(ratios)));
  }
}
