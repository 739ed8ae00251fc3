package io.bloomkit.cli.filter;

import io.bloomkit.cli.chart.Charts;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the error of a filter while it fills, and where it is now. */
final class FillPlot {

  private static final int HEIGHT = 600;
  private static final int POINTS = 200;

  /** The curve ends at this multiple of what the filter holds. */
  private static final int BEYOND = 2;

  /** Of a filter that holds nothing, so much is drawn. */
  private static final long LEAST_ELEMENTS = 1000;

  private static final int PERCENT = 100;

  private FillPlot() {}

  /**
   * Returns a picture.
   *
   * @throws IllegalArgumentException if the error of such a filter does not follow from the number
   *     of its elements
   */
  static byte[] png(String name, LineFilter filter) {
    long now = filter.approximateElementCount();
    long most = BEYOND * Math.max(LEAST_ELEMENTS, Math.min(now, Long.MAX_VALUE / 4));
    double[] elements = new double[POINTS];
    double[] errors = new double[POINTS];
    LongToDoubleFunction errorOf = filter.fppByElements();
    int count = 0;
    for (int i = 1; i <= POINTS; i++) {
      long n = Math.max(1, Math.round((double) most * i / POINTS));
      double error = errorOf.applyAsDouble(n);
      if (error > 0) { // it is no number beyond what fits into the filter
        elements[count] = n;
        errors[count] = PERCENT * error;
        count++;
      }
    }
    if (count == 0) {
      throw new IllegalArgumentException(
          "the error of a "
              + filter.kind()
              + " filter does not follow from the number of its elements; leave out --plot");
    }
    XYChart chart =
        Charts.chart(HEIGHT, name + ": " + filter.kind(), "elements", "false-positive rate (%)");
    chart.getStyler().setLegendPosition(LegendPosition.InsideSE);
    chart
        .addSeries("formula", Arrays.copyOf(elements, count), Arrays.copyOf(errors, count))
        .setMarker(SeriesMarkers.NONE);
    if (filter.expectedFpp() > 0) {
      chart
          .addSeries("now", new double[] {now}, new double[] {PERCENT * filter.expectedFpp()})
          .setMarker(SeriesMarkers.CIRCLE)
          .setLineStyle(SeriesLines.NONE);
    }
    return Charts.png(chart);
  }
}
