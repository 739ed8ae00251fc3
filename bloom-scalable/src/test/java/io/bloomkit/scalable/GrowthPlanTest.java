package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import org.junit.jupiter.api.Test;

class GrowthPlanTest {

  private static final double FPP = 0.01;
  private static final int LAYERS = 10;

  private static GrowthPlan plan(long initialCapacity) {
    return GrowthPlan.ofDefaults().withSize(initialCapacity, FPP);
  }

  @Test
  void fullLayerHasNoHeadroomAndEachElementTakesAtMostItsShare() {
    for (long capacity : new long[] {1, 10, 1000}) {
      LayerPlan layer = plan(capacity).layer(2);
      long limit = layer.limit();
      int hashes = layer.shape().hashes();
      for (int above = 1; above <= hashes; above++) {
        assertEquals(0, layer.headroom(limit + above));
      }
      for (int below = 0; below < 3 * hashes; below++) {
        assertEquals(1 + below / hashes, layer.headroom(limit - below));
      }
    }
  }

  @Test
  void laterLayersHoldTheirTotalHeadroom() {
    GrowthPlan plan = plan(1000);
    long headroom = 0;
    for (int i = 3; i < LAYERS; i++) {
      headroom += plan.layer(i).headroom(0);
    }
    assertTrue(plan.canHoldFrom(3, headroom));
    GrowthPlan few = GrowthPlan.ofDefaults().withTighteningRatio(0.01);
    assertTrue(few.withSize(10, FPP).canHoldFrom(0, 10));
    assertFalse(few.withSize(10, FPP).canHoldFrom(0, 1L << 40));
    assertTrue(few.withSize(10, FPP).canHoldFrom(100, 0));
    assertFalse(few.withSize(10, FPP).canHoldFrom(100, 1));
  }

  /** Whatever the last of all threads that found a layer not full adds, the rate stays below. */
  @Test
  void rateHoldsIfAllThreadsThatFoundTheLayerNotFullAdd() {
    for (int atOnce : new int[] {1, 2, 256}) {
      for (long capacity : new long[] {1, 10, 1000, 100_000}) {
        GrowthPlan plan = plan(capacity).withMaxWriters(atOnce);
        for (int i = 0; i < LAYERS; i++) {
          LayerPlan layer = plan.layer(i);
          int hashes = layer.shape().hashes();
          long positions = layer.shape().positions();
          long max = layer.maxFill();
          assertEquals(layer.limit() + (long) atOnce * hashes, max);
          double rate = BloomFormulas.layerFpp(FPP, 0.85, i);
          assertTrue(BloomFormulas.fppAtFill(max, positions, hashes) <= rate);
          // And no more room than that.
          assertTrue(BloomFormulas.fppAtFill(max + 1, positions, hashes) > rate);
          assertTrue(
              layer.limit()
                  >= BloomFormulas.expectedSetPositions(layer.capacity(), positions, hashes));
        }
      }
    }
  }

  @Test
  void partThatIsBelowAllNumbersIsTooStrictAndNotOutOfRange() {
    GrowthPlan plan = GrowthPlan.ofDefaults().withSize(10, Double.MIN_VALUE);
    assertTooStrict(assertThrows(IllegalArgumentException.class, () -> plan.layer(0)));
    GrowthPlan steep = plan.withSize(10, FPP).withTighteningRatio(Double.MIN_VALUE);
    steep.layer(0);
    assertTooStrict(assertThrows(IllegalStateException.class, () -> steep.layer(1)));
    GrowthPlan flat = plan.withSize(10, FPP).withTighteningRatio(Math.nextDown(1.0));
    assertSays(
        "tightening ratio of " + Math.nextDown(1.0),
        assertThrows(IllegalArgumentException.class, () -> flat.layer(0)));
  }

  @Test
  void layerThatFillsAnArrayMayTakeFewerElementsThanThePlanWants() {
    GrowthPlan plan = plan(1L << 28).withGrowthFactor(100);
    LayerPlan largest = plan.layer(1);
    long capacity = largest.capacity();
    assertTrue(capacity < 100L << 28, largest::toString);
    assertEquals(largest, planned(plan, 1, capacity, largest.shape()));
    assertEquals(capacity - 1, planned(plan, 1, capacity - 1, largest.shape()).capacity());
    // But not the first, and none takes more.
    assertWouldNotTake((1L << 28) - 1, plan, 0, largest.shape());
    assertWouldNotTake((1L << 28) + 1, plan, 0, largest.shape());
    assertWouldNotTake((1L << 28) + 1, plan.withGrowthFactor(1), 1, largest.shape());
    assertWouldNotTake((100L << 28) - 1, plan, 1, new FlatShape(1 << 20, 4));
  }

  private static LayerPlan planned(GrowthPlan plan, int index, long capacity, FlatShape shape) {
    return plan.planned(index, capacity, shape, 1);
  }

  private static void assertWouldNotTake(
      long capacity, GrowthPlan plan, int index, FlatShape shape) {
    assertSays(
        "would not take " + capacity + " elements",
        assertThrows(IllegalArgumentException.class, () -> planned(plan, index, capacity, shape)));
  }

  @Test
  void plannedLayerMayBeAsStrictAsHashesAllow() {
    GrowthPlan plan = GrowthPlan.ofDefaults().withTighteningRatio(0.5);
    double strictest = 2 * BloomFormulas.hashFloor(1000);
    LayerPlan layer = plan.withSize(1000, strictest).layer(0);
    assertEquals(layer, planned(plan.withSize(1000, strictest), 0, 1000, layer.shape()));
    GrowthPlan stricter = plan.withSize(1000, Math.nextDown(strictest));
    assertSays(
        "64-bit hashes do not allow",
        assertThrows(
            IllegalArgumentException.class, () -> planned(stricter, 0, 1000, layer.shape())));
  }

  @Test
  void layerPlannedForOneWriterIsFullEarlierForMoreThreads() {
    LayerPlan layer = plan(1000).layer(0);
    LayerPlan shared = layer.withMaxWriters(256);
    assertEquals(layer.maxFill(), shared.limit() + 256L * layer.shape().hashes());
    assertEquals(layer.maxFill(), shared.maxFill());
    assertEquals(256, shared.maxWriters());
    assertEquals(shared, shared.withMaxWriters(256));
    assertEquals(shared, layer.withMaxWriters(2).withMaxWriters(256));
    assertEquals(1, shared.plannedMaxWriters());
    LayerPlan forMany = plan(1000).withMaxWriters(256).layer(0);
    assertEquals(forMany, forMany.withMaxWriters(256));
  }

  @Test
  void smallestLayerTakesOneElement() {
    int hashes = 3;
    int positions = hashes;
    while (!isPossible(positions, hashes)) {
      positions++;
    }
    LayerPlan layer = LayerPlan.ofShape(0, 1, new FlatShape(positions, hashes), FPP, 1);
    assertEquals(0, layer.limit());
    assertEquals(1, layer.headroom(0));
    assertEquals(0, layer.headroom(1));
    assertTrue(BloomFormulas.fppAtFill(hashes, positions, hashes) <= FPP);
    assertTrue(BloomFormulas.fppAtFill(hashes, positions - 1L, hashes) > FPP);
  }

  private static boolean isPossible(long positions, int hashes) {
    try {
      LayerPlan.ofShape(0, 1, new FlatShape(positions, hashes), FPP, 1);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void assertTooStrict(RuntimeException refusal) {
    assertSays("64-bit hashes allow", refusal);
  }

  private static void assertSays(String words, RuntimeException refusal) {
    assertTrue(String.valueOf(refusal.getMessage()).contains(words), refusal::toString);
  }

  @Test
  void planHasAnEndWhereHashesSetNone() {
    GrowthPlan plan =
        GrowthPlan.ofDefaults()
            .withSize(100_000, 0.5)
            .withGrowthFactor(1)
            .withTighteningRatio(0.999);
    plan.layer(GrowthPlan.MAX_LAYERS - 1);
    assertSays(
        GrowthPlan.MAX_LAYERS + " layers; choose",
        assertThrows(IllegalStateException.class, () -> plan.layer(GrowthPlan.MAX_LAYERS)));
    assertThrows(IllegalStateException.class, () -> plan.layerShapes(Long.MAX_VALUE));
  }
}
