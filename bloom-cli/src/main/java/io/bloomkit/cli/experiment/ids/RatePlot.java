package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.chart.Charts;
import io.bloomkit.cli.experiment.ids.FilterResult.Checkpoint;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws the false-positive rates of filters while they are filled: lines for the formulas and
 * points for measured rates. The scale is logarithmic, because the rates rise by powers of ten.
 */
final class RatePlot {

  private static final int HEIGHT = 700;

  /** The ratio of the upper end of the axis to the highest rate. */
  private static final double HEADROOM = 1.5;

  private static final double DEPTH = 1000;

  /**
   * The minimum number of false positives for a measured rate; with fewer, its standard error would
   * exceed a third.
   */
  private static final int LEAST_FALSE_POSITIVES = 10;

  /** The styles of the filters, in the order of the results. */
  private static final List<Style> STYLES =
      List.of(
          new Style(0xd55e00, SeriesMarkers.DIAMOND, SeriesLines.SOLID), // article
          new Style(0x0072b2, SeriesMarkers.CIRCLE, SeriesLines.SOLID), // classic
          new Style(0x56b4e9, SeriesMarkers.TRIANGLE_UP, SeriesLines.SOLID), // blocked
          new Style(0xe69f00, SeriesMarkers.CROSS, SeriesLines.DASH_DASH), // counting
          new Style(0xcc79a7, SeriesMarkers.TRIANGLE_DOWN, SeriesLines.SOLID), // blocked-counting
          new Style(0x000000, SeriesMarkers.PLUS, SeriesLines.SOLID), // cuckoo
          new Style(0x009e73, SeriesMarkers.SQUARE, SeriesLines.SOLID)); // scalable

  /**
   * The style of a curve. Colour-blind readers can distinguish the colours (M. Okabe, K. Ito,
   * 2008). Classic and counting filters of one shape have the same rate, so one of the lines is
   * dashed.
   */
  private record Style(Color color, Marker marker, BasicStroke line) {
    Style(int rgb, Marker marker, BasicStroke line) {
      this(new Color(rgb), marker, line);
    }
  }

  private RatePlot() {}

  /** Returns a PNG picture of the curves of all results. */
  static byte[] png(List<FilterResult> results) {
    XYChart chart =
        Charts.chart(
            HEIGHT,
            "False-positive rate while the filters are filled (measured where at least "
                + LEAST_FALSE_POSITIVES
                + " were found)",
            "elements added",
            "false-positive rate (%)");
    double most = mostExpected(results);
    chart
        .getStyler()
        .setYAxisMin(percent(most / DEPTH))
        .setYAxisMax(percent(Math.min(1, most * HEADROOM)))
        .setLegendPosition(LegendPosition.InsideSE);
    for (int i = 0; i < results.size(); i++) {
      addCurves(chart, results.get(i), STYLES.get(i % STYLES.size()), most / DEPTH);
    }
    return Charts.png(chart);
  }

  private static void addCurves(XYChart chart, FilterResult result, Style style, double least) {
    List<Checkpoint> formula =
        result.curve().stream().filter(point -> point.expectedFpp() >= least).toList();
    if (!formula.isEmpty()) {
      chart
          .addSeries(
              result.filter() + ", formula",
              elements(formula),
              percentages(formula, Checkpoint::expectedFpp))
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(style.color)
          .setLineStyle(style.line);
    }
    List<Checkpoint> measured = result.curve().stream().filter(RatePlot::isMeasured).toList();
    if (!measured.isEmpty()) {
      chart
          .addSeries(
              result.filter() + ", measured",
              elements(measured),
              percentages(measured, RatePlot::measured))
          .setMarker(style.marker)
          .setMarkerColor(style.color)
          .setLineStyle(SeriesLines.NONE);
    }
  }

  private static double mostExpected(List<FilterResult> results) {
    return results.stream()
        .flatMap(result -> result.curve().stream())
        .mapToDouble(Checkpoint::expectedFpp)
        .max()
        .orElse(1);
  }

  private static boolean isMeasured(Checkpoint point) {
    return point.rate() != null && point.rate().falsePositives() >= LEAST_FALSE_POSITIVES;
  }

  private static double measured(Checkpoint point) {
    return point.rate() == null ? 0 : point.rate().value();
  }

  private static double percent(double probability) {
    return 100 * probability;
  }

  private static double[] elements(List<Checkpoint> points) {
    return points.stream().mapToDouble(Checkpoint::elements).toArray();
  }

  private static double[] percentages(List<Checkpoint> points, ToDoubleFunction<Checkpoint> rate) {
    return points.stream().mapToDouble(rate).map(RatePlot::percent).toArray();
  }
}
