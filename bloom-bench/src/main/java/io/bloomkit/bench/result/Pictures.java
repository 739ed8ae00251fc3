package io.bloomkit.bench.result;

import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws the charts of a run. */
final class Pictures {

  private static final int WIDTH = 1100;
  private static final int HEIGHT = 560;
  private static final double FPP = 0.01;

  /** The height of the space above and below the bars of a chart. */
  private static final int HEADING = 120;

  private static final int BAR = 18;

  private final Results results;

  Pictures(Results results) {
    System.setProperty("java.awt.headless", "true"); // drawing a picture needs no display
    this.results = results;
  }

  /** Draws the times of operations on filters of bits with a million long keys. */
  void bits(Path file) throws IOException {
    speed(file, Tables.OF_BITS, Tables.TIMES_OF_BITS, false);
  }

  /** Draws the times of operations on filters that support removal, with a million long keys. */
  void counters(Path file) throws IOException {
    speed(file, Tables.OF_COUNTERS, Tables.TIMES_OF_COUNTERS, true);
  }

  private void speed(Path file, List<Subject> ours, List<Operation> operations, boolean removing)
      throws IOException {
    write(file, operations.stream().map(operation -> bars(operation, ours.get(0), removing)));
  }

  /**
   * Draws the times of one operation for all filters of a family: the fastest at the top,
   * Bloomkit's filters in colour.
   */
  private Optional<Chart<?, ?>> bars(Operation operation, Subject base, boolean removing) {
    Map<String, Double> times = new LinkedHashMap<>();
    Set<String> ours = new HashSet<>();
    Tables tables = new Tables(results);
    results
        .runs()
        .filter(run -> run.isPlain() && run.keys() == Keys.LONGS && run.fpp() == FPP)
        .filter(run -> run.elements() == 1_000_000 && !run.subject().isFloor())
        .filter(run -> run.subject().has(Subject.Trait.REMOVAL) == removing)
        .forEach(
            run ->
                tables
                    .timesAsLong(run, operation, run.with(base))
                    .ifPresent(
                        time -> {
                          times.put(run.subject().label, time);
                          if (run.subject().isOurs()) {
                            ours.add(run.subject().label);
                          }
                        }));
    if (times.isEmpty()) {
      return Optional.empty();
    }
    List<String> names =
        times.entrySet().stream()
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    HorizontalBarChart chart =
        new HorizontalBarChartBuilder()
            .width(WIDTH)
            .height(HEADING + BAR * names.size())
            .title(operation.label + ": 1,000,000 long keys, 1 %")
            .xAxisTitle("times as long as " + base.label)
            .build();
    chart
        .getStyler()
        .setPlotGridLinesColor(new Color(0xdddddd))
        .setXAxisTickMarkSpacingHint(BAR) // also applies to the names, so that each bar has one
        .setXAxisMin(0.0)
        .setLocale(Locale.ROOT)
        .setLegendPosition(LegendPosition.InsideSE)
        .setChartBackgroundColor(Color.WHITE)
        .setSeriesColors(new Color[] {new Color(0x1f6feb), new Color(0x9aa4ae)});
    chart.addSeries("Bloomkit", times(names, times, ours::contains), names);
    chart.addSeries("others", times(names, times, name -> !ours.contains(name)), names);
    return Optional.of(chart);
  }

  /**
   * Returns the times of the filters of one colour. The others get a bar of length 0 in this
   * series.
   */
  private static List<Double> times(
      List<String> names, Map<String, Double> times, Predicate<String> shown) {
    return names.stream().map(name -> shown.test(name) ? times.get(name) : 0.0).toList();
  }

  /**
   * Draws time and memory per element against the number of elements, for filters measured alone.
   */
  void growth(Path file) throws IOException {
    write(
        file,
        Stream.of(
            curves("add, long keys, 1 %", "nanoseconds", Operation.ADD.time()),
            curves("query, present", "nanoseconds", Operation.QUERY_PRESENT.time()),
            curves("memory", "bits per element", Metrics.BITS)));
  }

  private Optional<Chart<?, ?>> curves(String title, String unit, String metric) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("elements")
            .yAxisTitle(unit)
            .build();
    chart
        .getStyler()
        .setPlotGridLinesColor(new Color(0xdddddd))
        .setXAxisLogarithmic(true)
        .setYAxisLogarithmic(true)
        .setLegendPosition(LegendPosition.OutsideE)
        .setLocale(Locale.ROOT)
        .setChartBackgroundColor(Color.WHITE);
    boolean isEmpty = true;
    for (Subject subject : Subject.values()) {
      List<Run> runs =
          results
              .runs()
              .filter(run -> run.isPlain() && run.keys() == Keys.LONGS && run.fpp() == FPP)
              .filter(run -> run.subject() == subject)
              .filter(run -> results.figureAlone(run, metric).isPresent())
              .sorted(Comparator.comparing(Run::elements))
              .toList();
      if (runs.size() > 1) {
        isEmpty = false;
        chart.addSeries(
            subject.label,
            runs.stream().map(Run::elements).toList(),
            runs.stream().map(run -> alone(run, metric)).toList());
      }
    }
    return isEmpty ? Optional.empty() : Optional.of(chart);
  }

  private double alone(Run run, String metric) {
    double median = results.figureAlone(run, metric).orElseThrow().median();
    return metric.equals(Metrics.BITS) ? median / run.elements() : median;
  }

  /** Writes charts, one below the other, as PNG. Writes nothing if there are no charts. */
  private static void write(Path file, Stream<Optional<Chart<?, ?>>> optional) throws IOException {
    List<Chart<?, ?>> charts = new ArrayList<>();
    optional.forEach(chart -> chart.ifPresent(charts::add));
    if (charts.isEmpty()) {
      return;
    }
    int height = charts.stream().mapToInt(Chart::getHeight).sum();
    BufferedImage image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    for (Chart<?, ?> chart : charts) {
      chart.paint(graphics, WIDTH, chart.getHeight());
      graphics.translate(0, chart.getHeight());
    }
    graphics.dispose();
    ImageIO.write(image, "png", file.toFile());
  }
}
