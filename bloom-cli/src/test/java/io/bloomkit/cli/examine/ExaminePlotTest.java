package io.bloomkit.cli.examine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.testkit.hash.ExaminationReport;
import io.bloomkit.testkit.hash.ExaminationTest;
import io.bloomkit.testkit.hash.HashFigures;
import io.bloomkit.testkit.hash.HashSpeed;
import io.bloomkit.testkit.hash.Verdict;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExaminePlotTest {

  private static final int WHITE = 0xffffff;

  private static ExaminationTest test(String name) {
    return new ExaminationTest(
        name, "?", "source", "count", 8, 8, 100, 0.5, 1e-8, 1, "none", Verdict.FIT, "fine");
  }

  private static BufferedImage picture(String strategy) throws IOException {
    HashFigures figures =
        new HashFigures(
            Collections.nCopies(HashFigures.RANGES, 4),
            Collections.nCopies(8, Collections.nCopies(Long.SIZE, 0.5)));
    ExaminationReport report =
        new ExaminationReport(
            strategy,
            Verdict.FIT,
            1024,
            0,
            1,
            List.of(test("halves"), test("bits")),
            List.of(),
            List.of(),
            new HashSpeed(1, 0),
            figures);
    return ImageIO.read(new ByteArrayInputStream(ExaminePlot.png(report, "sequential")));
  }

  /** Text that does not fit would reach the margin, or the edge of the right half. */
  @ParameterizedTest
  @ValueSource(ints = {4, 1000})
  void noTitleIsClipped(int length) throws IOException {
    BufferedImage picture = picture("w".repeat(length));
    assertTrue(isTextIn(picture, 20, 0, picture.getWidth() - 40, 40));
    assertTrue(isTextIn(picture, 690, 50, 450, 20));
    assertEquals(1200, picture.getWidth());
    assertTrue(isBlank(picture, picture.getWidth() - 20, 0, 20, 40), "title");
    assertTrue(isBlank(picture, 680, 50, 4, 20), "left of the title of the right half");
    assertTrue(isBlank(picture, picture.getWidth() - 4, 50, 4, 20), "right of it");
  }

  private static boolean isTextIn(BufferedImage picture, int x, int y, int width, int height) {
    return !isBlank(picture, x, y, width, height);
  }

  private static boolean isBlank(BufferedImage picture, int x, int y, int width, int height) {
    for (int rgb : picture.getRGB(x, y, width, height, null, 0, width)) {
      if ((rgb & WHITE) != WHITE) {
        return false;
      }
    }
    return true;
  }
}
