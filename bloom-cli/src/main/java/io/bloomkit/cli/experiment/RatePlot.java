package io.bloomkit.cli.experiment;

import io.bloomkit.cli.chart.Charts;
import io.bloomkit.cli.experiment.Row.Point;
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
 * Draws rates of filters: lines for the formulas and points for what was measured. The scale is
 * logarithmic, because the rates rise by powers of ten.
 *
 * @param title the title without what is said of measured points
 */
public record RatePlot(String title, String xAxisTitle, String yAxisTitle) {
  /**
   * The minimum number of positives for a measured rate; with fewer, its standard error would
   * exceed a third.
   */
  static final int MIN_POSITIVES = 10;

  private static final int HEIGHT = 700;

  /** The ratio of the upper end of the axis to the highest rate. */
  private static final double HEADROOM = 1.5;

  private static final double AXIS_RATIO = 1000;

  /** The styles of the filters, in the order of the results. */
  private static final List<Style> STYLES =
      List.of(
          new Style(0xd55e00, SeriesMarkers.DIAMOND, SeriesLines.SOLID),
          new Style(0x0072b2, SeriesMarkers.CIRCLE, SeriesLines.SOLID),
          new Style(0x56b4e9, SeriesMarkers.TRIANGLE_UP, SeriesLines.SOLID),
          new Style(0xe69f00, SeriesMarkers.CROSS, SeriesLines.DASH_DASH),
          new Style(0xcc79a7, SeriesMarkers.TRIANGLE_DOWN, SeriesLines.SOLID),
          new Style(0x000000, SeriesMarkers.PLUS, SeriesLines.SOLID),
          new Style(0x009e73, SeriesMarkers.SQUARE, SeriesLines.SOLID),
          new Style(0x999999, SeriesMarkers.CIRCLE, SeriesLines.DASH_DASH));

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

  /** Returns a PNG picture of the curves of all rows. */
  byte[] png(List<Row> rows) {
    XYChart chart =
        Charts.chart(
            HEIGHT,
            title + " (measured where at least " + MIN_POSITIVES + " were found)",
            xAxisTitle,
            yAxisTitle);
    double highest =
        rows.stream()
            .flatMap(row -> row.predicted().stream())
            .mapToDouble(Point::rate)
            .max()
            .orElse(0);
    chart.getStyler().setLegendPosition(LegendPosition.InsideSE);
    if (highest > 0) {
      chart
          .getStyler()
          .setYAxisMin(percent(highest / AXIS_RATIO))
          .setYAxisMax(percent(Math.min(1, highest * HEADROOM)));
    }
    for (int i = 0; i < rows.size(); i++) {
      addCurves(chart, rows.get(i), STYLES.get(i % STYLES.size()), highest / AXIS_RATIO);
    }
    return Charts.png(chart);
  }

  private static void addCurves(XYChart chart, Row row, Style style, double lowest) {
    List<Point> formula =
        row.predicted().stream()
            .filter(point -> point.rate() > 0 && point.rate() >= lowest)
            .toList();
    if (!formula.isEmpty()) {
      chart
          .addSeries(
              row.filter() + ", formula", values(formula, Point::x), values(formula, RatePlot::y))
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(style.color)
          .setLineStyle(style.line);
    }
    if (!row.measured().isEmpty()) {
      chart
          .addSeries(
              row.filter() + ", measured",
              values(row.measured(), Point::x),
              values(row.measured(), RatePlot::y))
          .setMarker(style.marker)
          .setMarkerColor(style.color)
          .setLineStyle(SeriesLines.NONE);
    }
  }

  private static double y(Point point) {
    return percent(point.rate());
  }

  private static double percent(double probability) {
    return 100 * probability;
  }

  private static double[] values(List<Point> points, ToDoubleFunction<Point> value) {
    return points.stream().mapToDouble(value).toArray();
  }
}
