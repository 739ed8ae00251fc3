package io.bloomkit.cli.chart;

import io.bloomkit.cli.text.Figures;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.function.Consumer;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Creates charts in a common style and converts them to pictures. */
public final class Charts {

  public static final int WIDTH = 1100;

  private Charts() {}

  /** Returns an empty chart with a logarithmic y axis and a linear x axis from 0. */
  public static XYChart chart(int height, String title, String xAxisTitle, String yAxisTitle) {
    System.setProperty("java.awt.headless", "true"); // drawing a picture needs no display
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(height)
            .title(title)
            .xAxisTitle(xAxisTitle)
            .yAxisTitle(yAxisTitle)
            .build();
    chart
        .getStyler()
        .setYAxisLogarithmic(true)
        .setYAxisLogarithmicDecadeOnly(true)
        .setXAxisMin(0.0)
        .setXAxisTickLabelsFormattingFunction(x -> Figures.whole(Math.round(x)))
        .setPlotGridLinesColor(new Color(0xdddddd))
        .setLocale(Locale.ROOT)
        .setChartBackgroundColor(Color.WHITE);
    return chart;
  }

  /** Returns a PNG picture of a chart. */
  public static byte[] png(XYChart chart) {
    return png(
        WIDTH, chart.getHeight(), graphics -> chart.paint(graphics, WIDTH, chart.getHeight()));
  }

  /** Returns a PNG picture. */
  public static byte[] png(int width, int height, Consumer<Graphics2D> drawing) {
    System.setProperty("java.awt.headless", "true"); // drawing a picture needs no display
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    drawing.accept(graphics);
    graphics.dispose();
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", png);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot draw: " + e.getMessage(), e);
    }
    return png.toByteArray();
  }
}
