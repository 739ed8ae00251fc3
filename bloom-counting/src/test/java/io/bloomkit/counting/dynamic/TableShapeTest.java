package io.bloomkit.counting.dynamic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TableShapeTest {

  private static final double MOST_FINGERPRINTS = 1L << 60;

  private static TableShape shape(long fingerprints, int buckets) {
    return new TableShape(0, fingerprints, buckets, 0, 4 * buckets, 0, 1);
  }

  @Test
  void aFingerprintIsFoundAgainFromItsBucketAndRemainder() {
    SplittableRandom random = new SplittableRandom(20_260_923);
    for (double most = 1; most <= MOST_FINGERPRINTS; most *= 1.013) {
      long fingerprints = (long) most;
      for (int buckets : new int[] {8, 9, 11, 14, 17, 100, 1_440, 3_001}) {
        TableShape shape = shape(fingerprints, buckets);
        LongStream.concat(
                LongStream.of(0, 1, fingerprints / 2, fingerprints - 1),
                random.longs(10, 0, fingerprints))
            .filter(fingerprint -> fingerprint < fingerprints)
            .forEach(fingerprint -> checkInverse(shape, fingerprint));
      }
    }
  }

  private static void checkInverse(TableShape shape, long fingerprint) {
    long x = shape.quotiented(fingerprint);
    assertTrue(shape.bucketOf(x) < shape.buckets);
    assertEquals(
        fingerprint,
        shape.fingerprint(x),
        () -> shape.fingerprints + " fingerprints, " + shape.buckets + " buckets");
  }

  @Test
  void placesHaveNoBitTooMany() {
    assertEquals(20 - 3 + 1, shape(1 << 20, 8).width);
    assertEquals(20 - 3 + 2, shape((1 << 20) + 1, 8).width);
    assertEquals(20 - 3 + 1, shape(1 << 20, 9).width);
    assertEquals(1 + 1, shape(1, 8).width);
  }

  @Test
  void remaindersOfEverySizeFitTheirPlaces() {
    for (double most = 1; most <= MOST_FINGERPRINTS; most *= 1.013) {
      TableSizes sizes = new TableSizes(FingerprintSpace.ofAtLeast((long) most), 10);
      for (int rung = 0; rung < 30; rung++) {
        TableShape shape = sizes.shape(0, rung);
        assertTrue(shape.width <= TableShape.WIDEST, shape.width + " bits, F = " + most);
      }
    }
  }

  @Test
  void sizesAscend() {
    for (long maxElements = 1; maxElements < 1L << 40; maxElements = 3 * maxElements + 1) {
      TableSizes sizes = new TableSizes(FingerprintSpace.ofAtLeast(100 * maxElements), maxElements);
      for (int rung = 1; rung < 30; rung++) {
        assertTrue(sizes.shape(0, rung - 1).buckets <= sizes.shape(0, rung).buckets);
      }
    }
  }

  /** The numbers of the Javadoc of {@link DynamicCuckooFilter}. */
  @Test
  void anOperationMovesABoundedNumberOfFingerprints() {
    for (double maxElements = 1; maxElements < 1L << 53; maxElements = 1.01 * maxElements + 1) {
      FingerprintSpace space = FingerprintSpace.ofAtLeast((long) (100 * maxElements));
      TableSizes sizes = new TableSizes(space, (long) maxElements);
      for (int depth = 0; depth < space.maxDepth(); depth++) {
        assertTrue(sizes.mostAt(depth) <= 14_200, depth + " bits, for " + maxElements);
      }
    }
    int deepest = FingerprintSpace.ofAtLeast(FingerprintSpace.MOST).maxDepth();
    assertTrue((deepest + 1) * 14_200 <= 1 << 20, "a table that is divided again and again");
  }
}
