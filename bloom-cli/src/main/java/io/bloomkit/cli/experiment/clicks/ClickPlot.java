package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.chart.Charts;
import io.bloomkit.cli.experiment.clicks.ClickResult.Moment;
import java.awt.Color;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws two charts over the time of a stream: memory and lost first clicks. */
final class ClickPlot {

  private static final int HEIGHT = 420;

  /**
   * The minimum number of lost clicks for a measured rate; with fewer, its standard error would
   * exceed a third.
   */
  private static final int LEAST_LOST = 10;

  /** The number of points of a computed curve. */
  private static final int POINTS = 500;

  private static final int MOMENTS_PER_POINT = 16;

  private static final double MILLIS_PER_SECOND = 1000;
  private static final double BYTES_PER_MIB = 1 << 20;

  /** The factor by which an axis extends beyond the curves. */
  private static final double MARGIN = 2;

  /** The maximum ratio between the highest rate and the lower end of the loss axis. */
  private static final double DEPTH = 1e3;

  /** The styles of the filters in the order of the results, with the colours of RatePlot. */
  private static final List<Style> STYLES =
      List.of(
          new Style(new Color(0x009e73), SeriesMarkers.CIRCLE), // aging filter
          new Style(new Color(0x0072b2), SeriesMarkers.TRIANGLE_UP), // counting filter, queue
          new Style(new Color(0xd55e00), SeriesMarkers.DIAMOND)); // exact set

  private record Style(Color color, Marker marker) {}

  /** The points of a curve. */
  private record Curve(List<Double> seconds, List<Double> values) {

    Curve() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(double millis, double value) {
      seconds.add(millis / MILLIS_PER_SECOND);
      values.add(value);
    }

    double most() {
      return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** Returns the points whose values are positive and at least {@code least}. */
    Curve from(double least) {
      Curve rest = new Curve();
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) >= least && values.get(i) > 0) {
          rest.seconds.add(seconds.get(i));
          rest.values.add(values.get(i));
        }
      }
      return rest;
    }
  }

  private ClickPlot() {}

  /** Returns a PNG picture of the results. */
  static byte[] png(ClicksExperiment.Settings settings, List<ClickResult> results) {
    return Charts.png(memory(settings, results), loss(settings, results));
  }

  private static XYChart memory(ClicksExperiment.Settings settings, List<ClickResult> results) {
    XYChart chart = chart(settings, "Memory over the time of the stream", "memory (MiB)");
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int i = 0; i < results.size(); i++) {
      ClickResult result = results.get(i);
      Style style = STYLES.get(i % STYLES.size());
      Curve measured = new Curve();
      for (Moment moment : result.curve()) {
        measured.add((double) moment.millis(), moment.bytes() / BYTES_PER_MIB);
      }
      addPoints(chart, result.plan().name(), measured, style);
      Curve formula = new Curve();
      for (int point = 1; point <= POINTS; point++) {
        long messages = Math.max(1, settings.messages() * point / POINTS);
        double mebibytes = result.plan().bytes().applyAsLong(messages) / BYTES_PER_MIB;
        formula.add((double) settings.traffic().millisOf(messages), mebibytes);
        least = Math.min(least, mebibytes);
        most = Math.max(most, mebibytes);
      }
      addLine(chart, result.plan().name() + ", computed", formula, style);
    }
    chart.getStyler().setYAxisMin(least / MARGIN).setYAxisMax(most * MARGIN);
    return chart;
  }

  private static XYChart loss(ClicksExperiment.Settings settings, List<ClickResult> results) {
    XYChart chart =
        chart(
            settings,
            "First clicks mistaken for repeats (measured where at least "
                + LEAST_LOST
                + " were; an exact set loses none)",
            "first clicks lost (%)");
    List<Curve> formulas = new ArrayList<>();
    double most = 0;
    for (ClickResult result : results) {
      Curve formula = expectedLoss(result.plan().forecast(), (double) settings.millis());
      formulas.add(formula);
      most = Math.max(most, formula.most());
    }
    double least = most / DEPTH;
    for (int i = 0; i < results.size(); i++) {
      ClickResult result = results.get(i);
      Style style = STYLES.get(i % STYLES.size());
      addPoints(chart, result.plan().name() + ", measured", measuredLoss(result), style);
      addLine(chart, result.plan().name() + ", formula", formulas.get(i).from(least), style);
    }
    if (most > 0) {
      chart.getStyler().setYAxisMin(least).setYAxisMax(MARGIN * most);
    }
    return chart;
  }

  private static Curve measuredLoss(ClickResult result) {
    Curve measured = new Curve();
    long from = 0;
    for (Moment moment : result.curve()) {
      if (moment.lost().falsePositives() >= LEAST_LOST) {
        measured.add((from + moment.millis()) / 2.0, 100 * moment.lost().value());
      }
      from = moment.millis();
    }
    return measured;
  }

  /**
   * Returns the predicted loss. Each point is the mean of its neighbourhood, since the loss varies
   * within each generation.
   */
  private static Curve expectedLoss(ClickForecast forecast, double millis) {
    Curve formula = new Curve();
    double step = millis / (POINTS * MOMENTS_PER_POINT);
    for (int point = 0; point < POINTS; point++) {
      double sum = 0;
      for (int i = 0; i < MOMENTS_PER_POINT; i++) {
        sum += forecast.lossAt((point * MOMENTS_PER_POINT + i + 0.5) * step);
      }
      formula.add((point + 0.5) * MOMENTS_PER_POINT * step, 100 * sum / MOMENTS_PER_POINT);
    }
    return formula;
  }

  private static XYChart chart(
      ClicksExperiment.Settings settings, String title, String yAxisTitle) {
    XYChart chart = Charts.chart(HEIGHT, title, "time of the stream (s)", yAxisTitle);
    chart
        .getStyler()
        .setXAxisMax(settings.millis() / MILLIS_PER_SECOND)
        .setYAxisTickLabelsFormattingFunction(ClickPlot::plain)
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Horizontal);
    return chart;
  }

  /** Formats a power of ten without an exponent. */
  private static String plain(double value) {
    return new BigDecimal(value).round(new MathContext(1)).stripTrailingZeros().toPlainString();
  }

  private static void addPoints(XYChart chart, String name, Curve curve, Style style) {
    if (!curve.values.isEmpty()) {
      chart
          .addSeries(name, curve.seconds, curve.values)
          .setMarker(style.marker)
          .setMarkerColor(style.color)
          .setLineStyle(SeriesLines.NONE);
    }
  }

  private static void addLine(XYChart chart, String name, Curve curve, Style style) {
    if (!curve.values.isEmpty()) {
      chart
          .addSeries(name, curve.seconds, curve.values)
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(style.color)
          .setLineStyle(SeriesLines.SOLID);
    }
  }
}
