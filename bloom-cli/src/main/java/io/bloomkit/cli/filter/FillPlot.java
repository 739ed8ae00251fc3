package io.bloomkit.cli.filter;

import io.bloomkit.cli.chart.Charts;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws the false-positive rate of a filter by the number of its elements, and its present state.
 */
final class FillPlot {

  private static final int HEIGHT = 600;
  private static final int POINTS = 200;

  /** The end of the curve, as a multiple of the number of stored elements. */
  private static final int CURVE_END = 2;

  /** The minimum number of elements for the end of the curve, for a filter with few elements. */
  private static final long MIN_ELEMENTS = 1000;

  private static final int PERCENT = 100;

  private FillPlot() {}

  /**
   * Returns a PNG picture.
   *
   * @throws IllegalArgumentException if the false-positive rate of such a filter is not a function
   *     of the number of elements
   */
  static byte[] png(String name, LineFilter filter) {
    long now = filter.approximateElementCount();
    boolean isFull = now == Long.MAX_VALUE; // as many elements as positions nearly fill it
    long shown = isFull ? filter.figures().getOrDefault("positions", 0).longValue() : now;
    long maxElements = CURVE_END * Math.max(MIN_ELEMENTS, shown);
    double[] elements = new double[POINTS];
    double[] rates = new double[POINTS];
    LongToDoubleFunction fppByElements = filter.fppByElements();
    int count = 0;
    for (int i = 1; i <= POINTS; i++) {
      long n = Math.max(1, Math.round((double) maxElements * i / POINTS));
      double fpp = fppByElements.applyAsDouble(n);
      if (fpp > 0) { // NaN beyond the capacity of the filter
        elements[count] = n;
        rates[count] = PERCENT * fpp;
        count++;
      }
    }
    if (count == 0) {
      throw new IllegalArgumentException(
          "the false-positive rate of "
              + filter.kind().withArticle()
              + " filter is not a function of the number of elements; leave out --plot");
    }
    XYChart chart =
        Charts.chart(HEIGHT, name + ": " + filter.kind(), "elements", "false-positive rate (%)");
    chart.getStyler().setLegendPosition(LegendPosition.InsideSE);
    chart
        .addSeries("formula", Arrays.copyOf(elements, count), Arrays.copyOf(rates, count))
        .setMarker(SeriesMarkers.NONE);
    if (filter.expectedFpp() > 0 && !isFull) {
      chart
          .addSeries("now", new double[] {now}, new double[] {PERCENT * filter.expectedFpp()})
          .setMarker(SeriesMarkers.CIRCLE)
          .setLineStyle(SeriesLines.NONE);
    }
    return Charts.png(chart);
  }
}
