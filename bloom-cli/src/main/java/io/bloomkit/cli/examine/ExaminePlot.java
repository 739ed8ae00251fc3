package io.bloomkit.cli.examine;

import io.bloomkit.cli.chart.Charts;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.testkit.hash.ExaminationReport;
import io.bloomkit.testkit.hash.ExaminationTest;
import io.bloomkit.testkit.hash.HashFigures;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws the results of an examination: the p-value of each test, the distribution of keys over a
 * filter, and the frequency with which each bit of a key flips each bit of the hash.
 */
final class ExaminePlot {

  private static final int WIDTH = 1200;
  private static final int TITLE_HEIGHT = 40;
  private static final int MARGIN = 20;
  private static final int UPPER_HEIGHT = 480;
  private static final int LOWER_HEIGHT = 280;
  private static final int HEIGHT = TITLE_HEIGHT + UPPER_HEIGHT + LOWER_HEIGHT;
  private static final int LEFT_WIDTH = 680;

  /** The limit of the axis: smaller p-values are drawn as 10<sup>-20</sup>. */
  private static final int MAX_DIGITS = 20;

  /** The number of standard deviations that include nearly all of 256 ranges. */
  private static final double DEVIATIONS = 4;

  /** The maximum number of rows of the heat map; more rows would be thinner than a pixel. */
  private static final int MAX_ROWS = 256;

  // Colours that colour-blind readers can distinguish (M. Okabe, K. Ito, 2008).
  private static final Color PASSED = new Color(0x0072b2);
  private static final Color FAILED = new Color(0xd55e00);
  private static final Color BOUND = new Color(0x000000);
  private static final Color GRID = new Color(0xdddddd);

  private ExaminePlot() {}

  /**
   * Returns a PNG picture.
   *
   * @param report the results
   * @param origin the source of the keys
   */
  static byte[] png(ExaminationReport report, String origin) {
    return Charts.png(WIDTH, HEIGHT, graphics -> draw(graphics, report, origin));
  }

  private static void draw(Graphics2D graphics, ExaminationReport report, String origin) {
    boolean hasFlips = !report.figures().flipShares().isEmpty();
    int left = hasFlips ? LEFT_WIDTH : WIDTH;
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, HEIGHT);
    drawTitle(graphics, report, origin);
    paint(graphics, pValues(report), 0, TITLE_HEIGHT, left, UPPER_HEIGHT);
    paint(graphics, ranges(report), 0, TITLE_HEIGHT + UPPER_HEIGHT, left, LOWER_HEIGHT);
    if (hasFlips) {
      paint(graphics, flips(report), left, TITLE_HEIGHT, WIDTH - left, HEIGHT - TITLE_HEIGHT);
    }
  }

  private static void drawTitle(Graphics2D graphics, ExaminationReport report, String origin) {
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setColor(Color.BLACK);
    String verdict =
        String.format(
            Locale.ROOT,
            " is %s on %s keys (%s)",
            report.verdict(),
            Figures.whole(report.keys()),
            origin);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
    graphics.drawString(
        shortened(report.strategy(), verdict, graphics.getFontMetrics()),
        MARGIN,
        TITLE_HEIGHT - 12);
  }

  /** Returns name and verdict in one line. If they do not fit, the end of the name is left out. */
  private static String shortened(String name, String verdict, FontMetrics metrics) {
    String start = name;
    String title = name + verdict;
    while (metrics.stringWidth(title) > WIDTH - 2 * MARGIN && !start.isEmpty()) {
      start = start.substring(0, start.length() - 1);
      title = start + "…" + verdict;
    }
    return title;
  }

  private static void paint(
      Graphics2D graphics, Chart<?, ?> chart, int x, int y, int width, int height) {
    chart
        .getStyler()
        .setChartBackgroundColor(Color.WHITE)
        .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
    chart.getStyler().setLocale(Locale.ROOT);
    Graphics2D part = (Graphics2D) graphics.create(x, y, width, height);
    chart.paint(part, width, height);
    part.dispose();
  }

  /** Returns a chart of −log₁₀ p for each test, so that a higher bar is a worse result. */
  private static CategoryChart pValues(ExaminationReport report) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .title("p-values of the tests: a bar above its mark is a fault")
            .yAxisTitle("−log₁₀ p, at most " + MAX_DIGITS)
            .build();
    chart
        .getStyler()
        .setOverlapped(true)
        .setXAxisLabelRotation(90)
        .setXAxisMaxLabelCount(report.tests().size())
        .setXAxisTickMarkSpacingHint(1)
        .setYAxisMin(0.0)
        .setYAxisMax((double) MAX_DIGITS)
        .setPlotGridVerticalLinesVisible(false)
        .setPlotGridLinesColor(GRID)
        .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11))
        .setLegendLayout(Styler.LegendLayout.Horizontal)
        .setLegendPosition(LegendPosition.OutsideS);
    List<String> names = new ArrayList<>();
    List<Double> passed = new ArrayList<>();
    List<Double> failed = new ArrayList<>();
    List<Double> bounds = new ArrayList<>();
    for (ExaminationTest test : report.tests()) {
      names.add(test.name());
      passed.add(test.passed() ? digits(test.pValue()) : 0);
      failed.add(test.passed() ? 0 : digits(test.pValue()));
      bounds.add(digits(test.alpha()));
    }
    chart.addSeries("passed", names, passed).setFillColor(PASSED);
    chart.addSeries("fault found", names, failed).setFillColor(FAILED);
    chart
        .addSeries("α of the test", names, bounds)
        .setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Scatter)
        .setMarker(SeriesMarkers.CIRCLE)
        .setMarkerColor(BOUND)
        .setLineStyle(SeriesLines.NONE);
    return chart;
  }

  private static double digits(double probability) {
    return Math.max(0, Math.min(MAX_DIGITS, -Math.log10(probability)));
  }

  private static XYChart ranges(ExaminationReport report) {
    List<Integer> counts = report.figures().keysPerRange();
    double share = 1.0 / HashFigures.RANGES;
    double mean = report.keys() * share;
    double deviation = Math.sqrt(mean * (1 - share));
    XYChart chart =
        new XYChartBuilder()
            .title(
                "First positions of the keys, counted in "
                    + HashFigures.RANGES
                    + " ranges of a filter")
            .xAxisTitle("range")
            .yAxisTitle("keys")
            .build();
    chart
        .getStyler()
        .setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Step)
        .setYAxisMin(0.0)
        .setYAxisMax(1.25 * Math.max(mean + DEVIATIONS * deviation, Collections.max(counts)))
        .setXAxisMin(0.0)
        .setXAxisMax((double) HashFigures.RANGES)
        .setXAxisTickMarkSpacingHint(60)
        .setYAxisTickLabelsFormattingFunction(keys -> Figures.whole(Math.round(keys)))
        .setPlotGridLinesColor(GRID)
        .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11))
        .setLegendLayout(Styler.LegendLayout.Horizontal)
        .setLegendPosition(LegendPosition.InsideN);
    double[] places = IntStream.rangeClosed(0, counts.size()).asDoubleStream().toArray();
    double[] keys = new double[places.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = counts.get(Math.min(i, counts.size() - 1));
    }
    chart
        .addSeries("keys", places, keys)
        .setMarker(SeriesMarkers.NONE)
        .setLineColor(PASSED)
        .setLineStyle(new BasicStroke(1));
    String band = String.format(Locale.ROOT, "±%.0f standard deviations", DEVIATIONS);
    addLevel(chart, "expected", mean, SeriesLines.SOLID, true);
    addLevel(chart, band, mean + DEVIATIONS * deviation, SeriesLines.DASH_DASH, true);
    addLevel(chart, "below", mean - DEVIATIONS * deviation, SeriesLines.DASH_DASH, false);
    return chart;
  }

  private static void addLevel(
      XYChart chart, String name, double level, BasicStroke line, boolean isInLegend) {
    if (level > 0) {
      chart
          .addSeries(name, new double[] {0, HashFigures.RANGES}, new double[] {level, level})
          .setXYSeriesRenderStyle(XYSeriesRenderStyle.Line)
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(BOUND)
          .setLineStyle(line)
          .setShowInLegend(isInLegend);
    }
  }

  private static HeatMapChart flips(ExaminationReport report) {
    List<List<Double>> shares = report.figures().flipShares();
    HeatMapChart chart =
        new HeatMapChartBuilder()
            .title("How often a bit of the key flips one of the hash (ideal: 0.5)")
            .xAxisTitle("bit of the hash")
            .yAxisTitle("bit of the key")
            .build();
    chart
        .getStyler()
        .setMin(0)
        .setMax(1)
        .setRangeColors(new Color[] {PASSED, Color.WHITE, FAILED})
        .setPlotGridLinesVisible(false)
        .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11))
        .setPlotContentSize(1);
    int rows = Math.min(shares.size(), MAX_ROWS);
    List<Integer> bitsOfKey = new ArrayList<>();
    List<Number[]> cells = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      int bit = (int) ((long) row * shares.size() / rows);
      bitsOfKey.add(bit);
      for (int out = 0; out < Long.SIZE; out++) {
        cells.add(new Number[] {out, row, shares.get(bit).get(out)});
      }
    }
    chart.addSeries("flips", IntStream.range(0, Long.SIZE).boxed().toList(), bitsOfKey, cells);
    return chart;
  }
}
