package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import org.junit.jupiter.api.Test;

class GrowthPlanTest {

  private static final double FPP = 0.01;
  private static final int LAYERS = 10;

  private static GrowthPlan plan(LayerKind kind, long initialCapacity) {
    return GrowthPlan.ofDefaults(kind).withSize(initialCapacity, FPP);
  }

  @Test
  void fullLayerHasNoRoomAndEveryElementTakesAtMostItsPart() {
    for (long capacity : new long[] {1, 10, 1000}) {
      GrowthPlan.Layer layer = plan(LayerKind.CLASSIC, capacity).layer(2);
      long limit = layer.limit();
      int hashes = layer.shape().hashes();
      for (int above = 1; above <= hashes; above++) {
        assertEquals(0, layer.room(limit + above));
      }
      for (int below = 0; below < 3 * hashes; below++) {
        assertEquals(1 + below / hashes, layer.room(limit - below));
      }
    }
  }

  @Test
  void layersHaveRoomForWhatTheyAreMadeFor() {
    GrowthPlan plan = plan(LayerKind.CLASSIC, 1000);
    long room = 0;
    for (int i = 3; i < LAYERS; i++) {
      room += plan.layer(i).room(0);
    }
    assertTrue(plan.hasRoomFrom(3, room));
    GrowthPlan few = GrowthPlan.ofDefaults(LayerKind.CLASSIC).withTighteningRatio(0.01);
    assertTrue(few.withSize(10, FPP).hasRoomFrom(0, 10));
    assertFalse(few.withSize(10, FPP).hasRoomFrom(0, 1L << 40));
    assertTrue(few.withSize(10, FPP).hasRoomFrom(100, 0));
    assertFalse(few.withSize(10, FPP).hasRoomFrom(100, 1));
  }

  /** Whatever the last of all threads that found a layer not full adds, the rate stays below. */
  @Test
  void layerHasRoomForAllWhoFindItNotFull() {
    for (int atOnce : new int[] {1, 2, 256}) {
      for (long capacity : new long[] {1, 10, 1000, 100_000}) {
        GrowthPlan plan = plan(LayerKind.CLASSIC, capacity).withAdditionsAtOnce(atOnce);
        for (int i = 0; i < LAYERS; i++) {
          GrowthPlan.Layer layer = plan.layer(i);
          int hashes = layer.shape().hashes();
          long positions = layer.shape().positions();
          long most = layer.limit() + (long) atOnce * hashes;
          double rate = BloomFormulas.layerFpp(FPP, 0.85, i);
          assertTrue(BloomFormulas.fppAtFill(most, positions, hashes) <= rate);
          // And no more room than that.
          assertTrue(BloomFormulas.fppAtFill(most + 1, positions, hashes) > rate);
          assertTrue(
              layer.limit()
                  >= BloomFormulas.expectedSetPositions(layer.capacity(), positions, hashes));
        }
      }
    }
  }

  @Test
  void partThatIsBelowAllNumbersIsTooStrictAndNotOutOfRange() {
    GrowthPlan plan = GrowthPlan.ofDefaults(LayerKind.CLASSIC).withSize(10, Double.MIN_VALUE);
    assertTooStrict(assertThrows(IllegalArgumentException.class, () -> plan.layer(0)));
    GrowthPlan steep = plan.withSize(10, FPP).withTighteningRatio(Double.MIN_VALUE);
    steep.layer(0);
    assertTooStrict(assertThrows(IllegalStateException.class, () -> steep.layer(1)));
    GrowthPlan flat = plan.withSize(10, FPP).withTighteningRatio(Math.nextDown(1.0));
    assertSays(
        "tightening ratio of " + Math.nextDown(1.0),
        assertThrows(IllegalArgumentException.class, () -> flat.layer(0)));
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
        GrowthPlan.ofDefaults(LayerKind.CLASSIC)
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
