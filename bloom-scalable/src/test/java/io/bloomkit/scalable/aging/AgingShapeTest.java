package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class AgingShapeTest {

  @Test
  void largeWindowsHaveTheFiguresOfTheJavadoc() {
    double[][] figures = {
      {0.1, 4, 4, 13.1}, {0.01, 7, 13, 21.4}, {0.001, 11, 26, 28.2}, {1e-4, 14, 39, 34.8}
    };
    for (double[] figure : figures) {
      AgingShape shape = AgingShape.of(10_000_000, figure[0]);
      assertEquals(figure[1], shape.hashes(), shape::toString);
      assertEquals(figure[2], shape.historicSlices(), shape::toString);
      assertEquals(figure[3], shape.positions() / 1e7, 0.05, shape::toString);
    }
  }

  @Property(tries = 30, seed = "41")
  void windowAndRateAreThePlannedOnesAtTheLeastSize(
      @ForAll @LongRange(min = 1, max = 100_000_000) long lastAdditions,
      @ForAll @DoubleRange(min = 1e-7, max = 0.9) @Scale(7) double fpp) {
    assertIsTheLeastForThePlan(lastAdditions, fpp);
  }

  @Tag("deep")
  @Tag("jdk")
  @Property(tries = 150, seed = "41")
  void windowAndRateAreThePlannedOnesAtTheLeastSizeInManyShapes(
      @ForAll @LongRange(min = 1, max = 100_000_000) long lastAdditions,
      @ForAll @DoubleRange(min = 1e-7, max = 0.9) @Scale(7) double fpp) {
    assertIsTheLeastForThePlan(lastAdditions, fpp);
  }

  private static void assertIsTheLeastForThePlan(long lastAdditions, double fpp) {
    AgingShape shape = AgingShape.of(lastAdditions, fpp);
    assertTrue(shape.fpp() <= fpp, shape::toString);
    assertTrue(shape.windowAdditions() >= lastAdditions, shape::toString);
    long g = shape.generationAdditions();
    assertTrue(g == 1 || shape.historicSlices() * (g - 1) + 1 < lastAdditions, shape::toString);
    if (shape.slicePositions() > 64) {
      AgingShape smaller =
          new AgingShape(shape.hashes(), shape.historicSlices(), shape.slicePositions() - 64, g);
      assertTrue(smaller.fpp() > fpp, () -> smaller + " would do");
    }
  }

  /** The search against all shapes there are, each with the smallest slices that do. */
  @Test
  void noShapeIsMoreThanATenthSmallerAndNoneWithFewerSlicesIsWithinATenth() {
    assertIsTheRightOneOfAll(1, 0.01);
    assertIsTheRightOneOfAll(30, 0.03);
    assertIsTheRightOneOfAll(1000, 0.2);
    assertIsTheRightOneOfAll(1000, 0.01);
    assertIsTheRightOneOfAll(100_000, 0.001);
  }

  private static void assertIsTheRightOneOfAll(long n, double fpp) {
    AgingShape found = AgingShape.of(n, fpp);
    long leastOfAll = Long.MAX_VALUE;
    long leastOfFewer = Long.MAX_VALUE;
    for (int l = 1; l <= Math.min(n, 128); l++) {
      long g = Math.max(1, (n - 1 + l - 1) / l);
      for (int k = 1; k <= 20; k++) {
        long positions = (k + l) * smallestSlice(k, l, g, fpp);
        leastOfAll = Math.min(leastOfAll, positions);
        leastOfFewer =
            l < found.historicSlices() ? Math.min(leastOfFewer, positions) : leastOfFewer;
      }
    }
    // For tiny windows the walk to the best k may be off by what rounding to words makes of it.
    double slack = 1 + 64.0 * found.slices() / found.positions();
    assertTrue(found.positions() <= 1.1 * slack * leastOfAll, found + " but " + leastOfAll);
    assertTrue(leastOfFewer * slack > 1.1 * leastOfAll, found + " but " + leastOfFewer);
  }

  @Test
  void shapeExactlyATenthLargerThanTheLeastIsStillWithinATenth() {
    AgingShape found = AgingShape.of(50, 0.01);
    assertEquals(5, found.historicSlices());
    assertEquals(1408, found.positions());
    assertEquals(1280, AgingShapeSearch.sized(7, 13, 4, 50, 0.01).positions());
  }

  /** Where the best number of hashes falls with more historic slices, too. */
  @Test
  void oneHashMoreOrLessTakesMoreMemory() {
    for (double fpp : new double[] {0.01, 1e-6, 4.3e-8, 2.8e-8}) {
      AgingShape found = AgingShape.of(50, fpp);
      for (int other : new int[] {-1, 1}) {
        AgingShape shape =
            AgingShapeSearch.sized(
                found.hashes() + other,
                found.historicSlices(),
                found.generationAdditions(),
                50,
                fpp);
        assertTrue(shape.positions() > found.positions(), () -> found + " but " + shape);
      }
    }
  }

  @Test
  void looseRateHasTheLeastSizeToo() {
    double loose = Math.nextDown(1.0);
    AgingShape shape = AgingShape.of(1_000_000_000, loose);
    long g = shape.generationAdditions();
    assertTrue(shape.fpp() <= loose);
    assertTrue(new AgingShape(1, 1, shape.slicePositions() - 64, g).fpp() > loose);
  }

  @Test
  void rateThatAShapeJustHasIsKeptByThatShape() {
    AgingShape shape = new AgingShape(3, 5, 64, 7);
    assertEquals(shape, AgingShapeSearch.sized(3, 5, 7, 36, shape.fpp()));
  }

  /** 2³¹ − 9 words are a multiple of seven. */
  @Test
  void shapeMayTakeAWholeArray() {
    long slice = (Integer.MAX_VALUE - 8) / 7 * 64L;
    AgingShape shape = new AgingShape(3, 4, slice, 1_000_731_715);
    assertEquals(AgingShape.MAX_POSITIONS, shape.positions());
    assertTrue(shape.fpp() <= 0.01);
    assertEquals(
        shape,
        AgingShapeSearch.sized(3, 4, shape.generationAdditions(), shape.windowAdditions(), 0.01));
    assertRefused("times 7", slice + 64, () -> new AgingShape(3, 4, slice + 64, 7));
  }

  private static long smallestSlice(int k, int l, long g, double fpp) {
    long low = 0;
    long high = 1L << 24;
    while (high - low > 1) {
      long middle = (low + high) / 2;
      double[] fills = LayeredFormulas.agePartitionedFillRatios(k, k + l, 64 * middle, g);
      if (LayeredFormulas.agePartitionedFpp(k, fills) <= fpp) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return 64 * high;
  }

  @Test
  void windowOfTimeTakesItsAdditionsAtThePlannedRate() {
    for (long millis : new long[] {1, 2, 7, 100, 129, 1000, 3_600_000, Long.MAX_VALUE}) {
      AgingShape shape = AgingShape.of(Duration.ofMillis(millis), 10_000, 0.01);
      double generation = shape.generationMillis(millis);
      assertTrue(generation * shape.historicSlices() >= millis, shape::toString);
      assertTrue(shape.generationAdditions() >= 10_000 * generation / millis, shape::toString);
      assertTrue(shape.fpp() <= 0.01, shape::toString);
    }
    AgingShape hour = AgingShape.of(Duration.ofHours(1), 36_000_000, 0.01);
    assertEquals(21.4, hour.positions() / 36e6, 0.05, hour::toString);
  }

  @Test
  void durationsAreRoundedUpToMilliseconds() {
    assertEquals(1, AgingShape.millisOf(Duration.ofNanos(1), "window"));
    assertEquals(1, AgingShape.millisOf(Duration.ofMillis(1), "window"));
    assertEquals(2, AgingShape.millisOf(Duration.ofNanos(1_000_001), "window"));
    assertEquals(60_000, AgingShape.millisOf(Duration.ofMinutes(1), "window"));
  }

  @Test
  void figuresFollowFromTheNumbers() {
    AgingShape shape = new AgingShape(3, 5, 128, 7);
    assertEquals(8, shape.slices());
    assertEquals(1024, shape.positions());
    assertEquals(36, shape.windowAdditions());
    assertEquals(56, shape.additionsUntilForgotten());
    AgingShape huge = new AgingShape(64, 1000, 64L * 2_000_000, 1L << 48);
    assertEquals(136_192_000_000L, huge.positions());
    assertEquals(1064L << 48, huge.additionsUntilForgotten());
  }

  @Test
  void badArgumentsAreRefusedAndNamed() {
    for (int bad : new int[] {0, -1, 65}) {
      assertRefused("hashes", bad, () -> new AgingShape(bad, 5, 64, 7));
    }
    for (int bad : new int[] {0, -1, 1001}) {
      assertRefused("historicSlices", bad, () -> new AgingShape(3, bad, 64, 7));
    }
    for (long bad : new long[] {0, -64, 63, 65, 1L << 37}) {
      assertRefused("slicePositions", bad, () -> new AgingShape(3, 5, bad, 7));
    }
    for (long bad : new long[] {0, -1, (1L << 48) + 1}) {
      assertRefused("generationAdditions", bad, () -> new AgingShape(3, 5, 64, bad));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      assertRefused("lastAdditions", bad, () -> AgingShape.of(bad, 0.01));
      assertRefused("expectedAdditions", bad, () -> AgingShape.of(Duration.ofDays(1), bad, 0.01));
    }
    for (double bad : new double[] {0, 1, -0.1, 1.5, Double.NaN}) {
      assertRefused("fpp", bad, () -> AgingShape.of(1000, bad));
      assertRefused("fpp", bad, () -> AgingShape.of(Duration.ofDays(1), 1000, bad));
    }
    for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofNanos(-1)}) {
      assertRefused("window", bad, () -> AgingShape.of(bad, 1000, 0.01));
    }
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    assertRefused("window", forever, () -> AgingShape.of(forever, 1000, 0.01));
    assertRefused("additions", 1L << 40, () -> AgingShape.of(1L << 40, 0.01));
    assertRefused("fpp", 1e-14, () -> AgingShape.of(1_000_000, 1e-14));
  }

  /** What is too large for every rate is not blamed on the rate, nor the other way round. */
  @Test
  void refusalsSayWhatIsToBeChanged() {
    for (long tooMany : new long[] {1L << 40, 1L << 53, 1L << 62, Long.MAX_VALUE}) {
      for (double fpp : new double[] {1e-300, 1e-9, 0.01, 0.5, 0.999}) {
        assertRefused("remember fewer additions", tooMany, () -> AgingShape.of(tooMany, fpp));
        assertRefused(
            "remember fewer additions",
            tooMany,
            () -> AgingShape.of(Duration.ofDays(1), tooMany, fpp));
      }
    }
    double mostOfAll = Math.nextDown(1.0);
    assertRefused(
        "remember fewer additions", mostOfAll, () -> AgingShape.of(Long.MAX_VALUE, mostOfAll));
    for (double tooStrict : new double[] {Double.MIN_VALUE, 1e-300, 1e-17}) {
      for (long additions : new long[] {1000, 1_000_000_000}) {
        assertRefused("64-bit hashes allow", tooStrict, () -> AgingShape.of(additions, tooStrict));
      }
    }
    assertRefused("allow more errors", 1L << 36, () -> AgingShape.of(1L << 36, 0.01));
    String halfOfAll =
        assertThrows(IllegalArgumentException.class, () -> AgingShape.of(1L << 40, 0.5)).toString();
    assertFalse(halfOfAll.contains("allow more errors"), halfOfAll);
    double floor = BloomFormulas.hashFloor(1000);
    assertTrue(AgingShape.of(1000, floor).fpp() <= floor);
    assertRefused("64-bit hashes allow", floor, () -> AgingShape.of(1000, Math.nextDown(floor)));
  }

  /** The pairs that the paper's authors publish are among those searched: none is much better. */
  @Test
  void noPairOfThePaperTakesATenthLess() {
    int[][][] published = {
      {{4, 3}, {5, 7}, {6, 14}, {7, 28}, {8, 56}},
      {{7, 5}, {8, 8}, {9, 14}, {10, 25}, {11, 46}, {12, 88}},
      {{10, 7}, {11, 9}, {12, 14}, {13, 23}, {14, 40}, {15, 74}},
      {{14, 11}, {15, 15}, {16, 22}, {17, 36}, {18, 63}, {19, 117}},
      {{17, 13}, {18, 16}, {19, 22}, {20, 33}, {21, 54}, {22, 95}}
    };
    long n = 1_000_000;
    for (int e = 0; e < published.length; e++) {
      double fpp = Math.pow(10, -e - 1);
      AgingShape found = AgingShape.of(n, fpp);
      for (int[] pair : published[e]) {
        long g = (n - 2) / pair[1] + 1;
        AgingShape theirs = AgingShapeSearch.sized(pair[0], pair[1], g, n, fpp);
        assertTrue(theirs.fpp() <= fpp && theirs.windowAdditions() >= n, theirs::toString);
        assertTrue(found.positions() <= 1.1 * theirs.positions(), found + " but " + theirs);
      }
    }
  }

  private static void assertRefused(String name, Object value, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).toString();
    assertTrue(message.contains(name) && message.contains(value.toString()), message);
  }
}
