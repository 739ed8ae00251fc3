package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TableShapeTest {

  private static final double MAX_FINGERPRINTS = 1L << 60;

  private static TableShape shape(long fingerprints, int buckets) {
    return new TableShape(0, fingerprints, buckets, 4, 0, 4 * buckets, 0, 1, 0);
  }

  @Test
  void aFingerprintIsFoundAgainFromItsBucketAndRemainder() {
    SplittableRandom random = new SplittableRandom(20_260_923);
    for (double most = 1; most <= MAX_FINGERPRINTS; most *= 1.013) {
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
    long quotient = shape.quotientOf(fingerprint);
    assertTrue(shape.bucketOf(quotient) < shape.buckets);
    assertEquals(
        fingerprint,
        shape.fingerprintOfQuotient(quotient),
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
    for (double most = 1; most <= MAX_FINGERPRINTS; most *= 1.013) {
      TableSizes sizes = new TableSizes(FingerprintSpace.ofAtLeast((long) most), 10);
      for (int sizeIndex = 0; sizeIndex < 30; sizeIndex++) {
        TableShape shape = sizes.shape(0, sizeIndex);
        assertTrue(shape.width <= TableShape.MAX_WIDTH, shape.width + " bits, F = " + most);
      }
    }
  }

  @Test
  void sizesAscend() {
    for (long maxElements = 1; maxElements < 1L << 40; maxElements = 3 * maxElements + 1) {
      TableSizes sizes = new TableSizes(FingerprintSpace.ofAtLeast(100 * maxElements), maxElements);
      for (int sizeIndex = 1; sizeIndex < 30; sizeIndex++) {
        assertTrue(sizes.shape(0, sizeIndex - 1).buckets <= sizes.shape(0, sizeIndex).buckets);
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
        assertTrue(sizes.maxFingerprintsAt(depth) <= 17_200, depth + " bits, for " + maxElements);
      }
    }
    int deepest = FingerprintSpace.ofAtLeast(FingerprintSpace.MAX).maxDepth();
    assertTrue((deepest + 1) * 17_200 <= 1 << 20, "a table that is divided again and again");
  }

  @Test
  void aTableHoldsWhatWasPlacedAndNotTaken() {
    for (TableShape shape : SampleTables.shapesOfEveryWidth(8, 9, 57)) {
      long[] all = SampleTables.fingerprints(shape);
      byte[] table = shape.newTable();
      int placed = placed(shape, table, all);
      checkContents(shape, table, all, 0, placed);
      int taken = placed / 2;
      for (int i = 0; i < taken; i++) {
        long quotient = shape.quotientOf(all[i]);
        assertTrue(shape.remove(table, quotient));
        assertFalse(shape.remove(table, quotient));
      }
      checkContents(shape, table, all, taken, placed);
    }
  }

  private static int placed(TableShape shape, byte[] table, long[] all) {
    int placed = 0;
    while (placed < all.length && shape.place(table, shape.quotientOf(all[placed]), 0)) {
      placed++;
    }
    return placed;
  }

  @Test
  void tablesTakeTheirLoad() {
    double[] limits = {0.955, 0.965, 0.972};
    for (int slots = 4; slots <= 6; slots++) {
      int perBucket = slots;
      List<TableShape> shapes = SampleTables.shapesOfEveryWidth(57);
      shapes.removeIf(shape -> shape.slots != perBucket);
      shapes.removeIf(shape -> shape.fingerprints < 2L * shape.slots * shape.buckets);
      double sum = 0;
      for (TableShape shape : shapes) {
        long[] all = SampleTables.fingerprints(shape);
        double load = (double) placed(shape, shape.newTable(), all) / all.length;
        assertTrue(load > 0.9, () -> load + " with " + shape.width + " bits");
        sum += load;
      }
      double mean = sum / shapes.size();
      assertTrue(mean > limits[slots - 4], () -> perBucket + " slots: mean load " + mean);
    }
  }

  private static void checkContents(TableShape shape, byte[] table, long[] all, int from, int to) {
    for (int i = 0; i < all.length; i++) {
      assertEquals(i >= from && i < to, shape.contains(table, shape.quotientOf(all[i])));
    }
    long[] expected = Arrays.copyOfRange(all, from, to);
    Arrays.sort(expected);
    assertArrayEquals(expected, SampleTables.contents(shape, table));
  }

  @Test
  void aTableWithMoreSlotsPerBucketHoldsTheSame() {
    for (TableShape shape : SampleTables.shapesOfEveryWidth(8, 9, 57)) {
      long[] all = SampleTables.fingerprints(shape);
      byte[] table = shape.newTable();
      int placed = placed(shape, table, all);
      for (int slots = 4; slots <= 6; slots++) {
        TableShape wider = SampleTables.shape(shape.fingerprints, shape.buckets, slots);
        assertEquals(slots > shape.slots, wider.isWiderThan(shape));
        if (slots > shape.slots) {
          TableFiller widened = new TableFiller(wider, shape, table, placed);
          assertEquals(placed, widened.size());
          checkContents(wider, widened.table, all, 0, placed);
        }
      }
      TableShape other = SampleTables.shape(shape.fingerprints, shape.buckets + 1, 6);
      assertFalse(other.isWiderThan(shape), "it has other buckets");
    }
  }

  @Test
  void aTableThatHasNoPlaceIsAsBefore() {
    for (TableShape shape : SampleTables.shapesOfEveryWidth(8, 57)) {
      long[] all = SampleTables.fingerprints(shape);
      byte[] table = shape.newTable();
      for (int i = placed(shape, table, all); i < all.length; i++) {
        byte[] before = table.clone();
        if (!shape.place(table, shape.quotientOf(all[i]), 0)) {
          assertArrayEquals(before, table);
        }
      }
    }
  }

  @Test
  void aFingerprintGoesIntoTheEmptierOfItsBuckets() {
    for (TableShape shape : SampleTables.shapesOfEveryWidth(57)) {
      byte[] table = shape.newTable();
      for (long fingerprint : SampleTables.fingerprints(shape)) {
        long quotient = shape.quotientOf(fingerprint);
        int bucket = shape.bucketOf(quotient);
        int other = shape.alternate(bucket, shape.remainderOf(quotient));
        int free = shape.remainderOf(quotient) == 0 ? 0 : SampleTables.free(shape, table, bucket);
        int otherFree = SampleTables.free(shape, table, other);
        if (bucket != other && free != otherFree && shape.place(table, quotient, 0)) {
          int chosen = free > otherFree ? bucket : other;
          assertEquals(Math.max(free, otherFree) - 1, SampleTables.free(shape, table, chosen));
        }
      }
    }
  }

  @Test
  void aRemainderOfZeroIsNotMoved() {
    for (TableShape shape : SampleTables.shapesOfEveryWidth(8)) {
      byte[] table = shape.newTable();
      for (int fixed = 0; fixed < shape.slots; fixed++) {
        for (int slot = 0; slot < shape.slots; slot++) {
          shape.set(table, 7, slot, slot == fixed ? 1 : 2);
        }
        for (int slot = 0; slot < shape.slots; slot++) {
          int expected = slot == fixed ? (slot + 1) % shape.slots : slot;
          assertEquals(expected, shape.movable(table, 7, slot));
        }
      }
    }
  }

  @Test
  void placesOfARangeOfBucketsAreDecoded() {
    TableShape shape = SampleTables.shape(1 << 20, 57);
    long[] all = SampleTables.fingerprints(shape);
    byte[] table = shape.newTable();
    placed(shape, table, all);
    long[] decoded = new long[all.length + 1];
    int count = 0;
    for (int bucket = 0; bucket < shape.buckets; bucket += 19) {
      long[] some = new long[shape.slots * 19 + 1];
      int of = shape.decode(table, bucket, bucket + 19, some);
      System.arraycopy(some, 0, decoded, count, of);
      count += of;
    }
    long[] contents = Arrays.copyOf(decoded, count);
    Arrays.sort(contents);
    assertArrayEquals(SampleTables.contents(shape, table), contents);
  }

  @Test
  void bytesHoldAllPlacesAndALoadOfTheLast() {
    assertEquals(8 * 4 * 2 / 8 + 8, TableShape.tableBytes(8, 4, 2));
    assertEquals(14 + 8, TableShape.tableBytes(9, 4, 3)); // 108 bits
    for (TableShape shape : SampleTables.shapesOfEveryWidth(8, 57)) {
      assertEquals(
          TableShape.tableBytes(shape.buckets, shape.slots, shape.width), shape.newTable().length);
    }
  }

  @Test
  void emptyTablesAreOneUnlessTheyAreLarge() {
    TableShape small = SampleTables.shape(100L << 15, 127);
    assertEquals(1024, small.newTable().length);
    assertTrue(TableShape.isShared(small.emptyTable()));
    assertFalse(TableShape.isShared(small.newTable()));
    assertSame(small.emptyTable(), SampleTables.shape(1, 8).emptyTable());
    TableShape large = SampleTables.shape(1L << 50, 57);
    assertFalse(TableShape.isShared(large.emptyTable()));
    assertNotSame(large.emptyTable(), large.emptyTable());
  }

  @Test
  void aFingerprintIsTheHashBelowTheDepthScaled() {
    SplittableRandom random = new SplittableRandom(20_261_125);
    for (int depth : new int[] {0, 1, 7, 40}) {
      for (long fingerprints : new long[] {1, 1000, 1L << 60}) {
        TableShape shape = new TableShape(depth, fingerprints, 8, 4, 0, 32, 0, 1, 0);
        LongStream.concat(LongStream.of(0, 1, -1, Long.MIN_VALUE), random.longs(20))
            .forEach(
                hash -> {
                  BigInteger below = new BigInteger(Long.toUnsignedString((hash & -2) << depth));
                  BigInteger scaled =
                      below.multiply(BigInteger.valueOf(fingerprints)).shiftRight(Long.SIZE);
                  assertEquals(scaled.longValueExact(), shape.fingerprintOf(hash));
                });
      }
    }
  }
}
