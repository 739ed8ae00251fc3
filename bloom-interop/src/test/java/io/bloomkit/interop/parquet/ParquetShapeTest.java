package io.bloomkit.interop.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterLayout.CacheLines;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sizes, and the formula of the rate. */
class ParquetShapeTest {

  /** Computed by the sum over all loads, in another language, to twelve digits. */
  @Test
  void theFormulaHasTheValuesOfItsSum() {
    assertEquals(0.00238318492680001, new ParquetShape(1).fpp(20), 1e-14);
    assertEquals(0.00807691579753131, new ParquetShape(43).fpp(1000), 1e-14);
    assertEquals(0.0272558232484426, new ParquetShape(1 << 15).fpp(1_000_000), 1e-13);
    assertEquals(0, new ParquetShape(5).fpp(0));
    assertEquals(1, new ParquetShape(1).fpp(1L << 60), 1e-12);
  }

  @Test
  void theSmallestShapeThatKeepsTheRateIsChosen() {
    for (long elements : new long[] {1, 7, 1000, 1_000_000, 100_000_000}) {
      for (double fpp : new double[] {0.5, 0.03, 0.01, 0.001, 1e-5}) {
        ParquetShape shape = ParquetShape.of(elements, fpp);
        assertTrue(shape.fpp(elements) <= fpp);
        if (shape.blocks() > 1) {
          assertTrue(new ParquetShape(shape.blocks() - 1).fpp(elements) > fpp);
        }
      }
    }
    for (int blocks : new int[] {1, 43, 1 << 15, ParquetShape.MAX_BLOCKS}) { // keeps its own rate
      ParquetShape shape = new ParquetShape(blocks);
      assertEquals(shape, ParquetShape.of(20L * blocks, shape.fpp(20L * blocks)));
    }
    assertEquals(10.53, ParquetShape.of(1_000_000, 0.01).positions() / 1e6, 0.01);
  }

  @Test
  void sizesAreConverted() {
    ParquetShape shape = ParquetShape.ofBytes(96);
    assertEquals(new ParquetShape(3), shape);
    assertEquals(96, shape.bytes());
    assertEquals(768, shape.positions());
    assertEquals(new ParquetShape(4), shape.roundedUpToPowerOfTwo());
    assertEquals(new ParquetShape(4), new ParquetShape(4).roundedUpToPowerOfTwo());
    assertEquals(2_147_483_616, new ParquetShape(ParquetShape.MAX_BLOCKS).bytes());
  }

  @Test
  void invalidShapesAreRefused() {
    assertRefused("blocks must be in [1, 67108863], got 0", () -> new ParquetShape(0));
    assertRefused("blocks must be in [1, 67108863], got 67108864", () -> new ParquetShape(1 << 26));
    assertRefused(
        "blocks must be in [1, 67108863], got 67108864",
        () -> new ParquetShape((1 << 25) + 1).roundedUpToPowerOfTwo());
    assertRefused(
        "bytes must be a positive multiple of 32, got 33", () -> ParquetShape.ofBytes(33));
    assertRefused("expectedDistinct must be at least 1, got 0", () -> ParquetShape.of(0, 0.01));
    assertRefused("fpp must be in (0, 1), got 1.0; 1 % is 0.01", () -> ParquetShape.of(1, 1));
    assertRefused("fpp must be in (0, 1), got 0.0; 1 % is 0.01", () -> ParquetShape.of(1, 0));
    assertRefused(
        "fpp must be in (0, 1), got NaN; 1 % is 0.01", () -> ParquetShape.of(1, Double.NaN));
    assertRefused(
        "expectedDistinct=10000000000 and fpp=0.01 need more than 67108863 blocks",
        () -> ParquetShape.of(10_000_000_000L, 0.01));
  }

  private static void assertRefused(String message, Runnable call) {
    String refusal = assertThrows(IllegalArgumentException.class, call::run).toString();
    assertTrue(refusal.contains(message), refusal);
  }

  @Test
  void layoutIsThatOfTheCreatedFilter() {
    ParquetShape shape = ParquetShape.of(1000, 0.01);
    FilterLayout layout = shape.layout();
    ParquetBloomFilter<Long> filter = ParquetBloomFilter.create(ParquetStrategies.int64(), shape);
    assertEquals(filter.memoryBytes(), layout.memoryBytes());
    assertEquals(
        Map.of("positions", shape.positions(), "hashes", 8, "blocks", shape.blocks()),
        layout.figures());
    assertEquals(shape.fpp(1000), layout.fpp(1000));
    assertEquals(new CacheLines(1, 1, 1, 1, 1), layout.cacheLines(1000));
  }
}
