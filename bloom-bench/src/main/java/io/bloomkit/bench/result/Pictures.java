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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The charts of a run. */
final class Pictures {

  private static final int WIDTH = 1100;
  private static final int HEIGHT = 560;
  private static final double FPP = 0.01;

  /** The height of what is above and below the bars of a chart, and that of a bar. */
  private static final int HEADING = 120;

  private static final int BAR = 18;

  private final Results results;

  Pictures(Results results) {
    System.setProperty("java.awt.headless", "true"); // a picture needs no display
    this.results = results;
  }

  /** Draws how long queries and removals take, of all filters with a million long keys. */
  void speed(Path file) throws IOException {
    write(
        file,
        Stream.of(
            bars(
                "Query",
                List.of(Operation.QUERY_PRESENT, Operation.QUERY_ABSENT),
                Tables.OF_BITS.get(0)),
            bars("Remove", List.of(Operation.REMOVE), Tables.OF_COUNTERS.get(0))));
  }

  private Optional<Chart<?, ?>> bars(String title, List<Operation> operations, Subject base) {
    Tables tables = new Tables(results);
    List<Run> runs =
        results
            .runs()
            .filter(run -> run.isPlain() && run.keys() == Keys.LONGS && run.fpp() == FPP)
            .filter(run -> run.elements() == 1_000_000 && !run.subject().isFloor())
            .filter(
                run ->
                    operations.stream()
                        .allMatch(op -> tables.timesAsLong(run, op, run.with(base)).isPresent()))
            .sorted(
                Comparator.comparingDouble(
                        (Run run) ->
                            tables
                                .timesAsLong(run, operations.get(0), run.with(base))
                                .orElseThrow())
                    .reversed())
            .toList();
    if (runs.isEmpty()) {
      return Optional.empty();
    }
    HorizontalBarChart chart =
        new HorizontalBarChartBuilder()
            .width(WIDTH)
            .height(HEADING + BAR * operations.size() * runs.size())
            .title(title + ": 1,000,000 long keys, 1 %")
            .xAxisTitle("times as long as " + base.label)
            .build();
    chart
        .getStyler()
        .setPlotGridLinesColor(new Color(0xdddddd))
        .setXAxisTickMarkSpacingHint(BAR) // rules the names too: each bar has one
        .setXAxisMin(0.0)
        .setLocale(Locale.ROOT)
        .setLegendPosition(LegendPosition.InsideSE)
        .setLegendVisible(operations.size() > 1)
        .setChartBackgroundColor(Color.WHITE);
    List<String> names = runs.stream().map(run -> run.subject().label).toList();
    for (Operation operation : operations) {
      List<Double> times =
          runs.stream()
              .map(run -> tables.timesAsLong(run, operation, run.with(base)).orElseThrow())
              .toList();
      chart.addSeries(operation.label, times, names);
    }
    return Optional.of(chart);
  }

  /** Draws time and memory an element against the number of elements, of filters alone. */
  void growth(Path file) throws IOException {
    write(
        file,
        Stream.of(
            curves("add, long keys, 1 %", "nanoseconds", Operation.ADD.time()),
            curves("query, present", "nanoseconds", Operation.QUERY_PRESENT.time()),
            curves("memory", "bits an element", Metrics.BITS)));
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

  /** Writes charts, one below the other, as PNG; nothing if there is none. */
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
