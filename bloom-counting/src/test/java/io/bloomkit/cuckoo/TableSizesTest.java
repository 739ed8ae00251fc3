package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TableSizesTest {

  private static final long[] PLANS = {1, 100, 11_000, 11_001, 1_000_000, 100_000_000};

  private static TableSizes sizes(long fingerprints, long maxElements) {
    return new TableSizes(FingerprintSpace.ofAtLeast(fingerprints), maxElements, 1, false, 0);
  }

  private static TableSizes planned(long maxElements) {
    return sizes(1L << 50, maxElements);
  }

  private static FingerprintSet set(TableShape shape, int count) {
    TableFiller filler = new TableFiller(shape);
    assertTrue(filler.addEntries(SampleTables.fingerprints(shape), 0, count, 0));
    return new FingerprintSet(filler);
  }

  @Test
  void tablesOfThePlannedDepthHoldElevenThousandElementsAtMost() {
    assertEquals(0, planned(11_000).plannedDepth);
    assertEquals(1, planned(11_001).plannedDepth);
    assertEquals(1, planned(22_001).plannedDepth); // on average, rounded down
    assertEquals(2, planned(22_002).plannedDepth);
    assertEquals(7, planned(1_000_000).plannedDepth);
    assertEquals(0, sizes(16_000, 16_000).plannedDepth, "there is no greater depth");
  }

  @Test
  void thePlannedTableHasRoomForItsShareOfThePlanAndTwoDeviations() {
    for (long maxElements : PLANS) {
      TableSizes sizes = planned(maxElements);
      int depth = sizes.plannedDepth;
      double each = (double) maxElements / (1L << depth);
      double most = depth == 0 ? each : each + 2 * Math.sqrt(each);
      int limit = sizes.shape(depth, sizes.sizeIndexFor(Math.floor(most))).limit;
      assertTrue(limit >= Math.floor(most) && limit <= Math.max(30, most + 6));
      int last = sizes.maxFingerprintsAt(depth);
      assertTrue(last >= limit && last <= 1.55 * limit + 8, "for " + maxElements);
      assertEquals(Integer.MAX_VALUE, sizes.maxFingerprintsAt(sizes.space.maxDepth()));
    }
  }

  @Test
  void aPlannedTableWithStampsHasOneDeviationAndFineStepsAbove() {
    for (long maxElements : PLANS) {
      TableSizes sizes =
          new TableSizes(FingerprintSpace.ofAtLeast(1L << 50), maxElements, 1, false, 4);
      int depth = sizes.plannedDepth;
      double each = (double) maxElements / (1L << depth);
      double most = depth == 0 ? each : each + Math.sqrt(each);
      int fine = sizes.maxFingerprintsAt(depth);
      int regular =
          depth == 0 ? sizes.shape(0, sizes.sizeIndexFor(each)).limit : sizes.maxFingerprintsAt(0);
      assertTrue(regular >= Math.floor(most) && regular <= Math.max(30, most + 4));
      assertTrue(fine >= 1.2 * regular && fine <= 1.28 * regular + 8, "for " + maxElements);
      int planned = sizes.sizeIndexFor(regular);
      for (int sizeIndex = 1; sizeIndex < 40; sizeIndex++) {
        TableShape before = sizes.shape(0, sizeIndex - 1);
        TableShape shape = sizes.shape(0, sizeIndex);
        assertTrue(shape.limit >= before.limit && shape.limit <= 1.33 * before.limit + 12);
        assertEquals(
            sizeIndex <= planned && shape.slots > TableShape.MIN_SLOTS, shape.isWiderThan(before));
      }
    }
  }

  @Test
  void aTableGetsSlotsAndThenTwiceTheBuckets() {
    double[] loads = {0.955, 0.965, 0.972};
    for (long maxElements : PLANS) {
      TableSizes sizes = planned(maxElements);
      int last = sizes.sizeIndexFor(sizes.maxFingerprintsAt(sizes.plannedDepth));
      assertTrue(sizes.shape(0, 0).buckets >= 8 && sizes.shape(0, 0).buckets <= 16);
      for (int sizeIndex = 0; sizeIndex < 30; sizeIndex++) {
        TableShape shape = sizes.shape(0, sizeIndex);
        assertEquals((int) (loads[shape.slots - 4] * shape.slots * shape.buckets), shape.limit);
        assertEquals(sizeIndex == 0 ? 0 : (int) (0.45 * shape.limit), shape.minSize);
        assertEquals(sizeIndex, shape.sizeIndex);
        assertEquals(sizeIndex < last ? 4 + sizeIndex % 3 : 6, shape.slots);
        if (sizeIndex >= 3 && sizeIndex <= last) {
          int before = sizes.shape(0, sizeIndex - 3).buckets;
          assertTrue(Math.abs(shape.buckets - 2 * before) <= 1, "for " + maxElements);
          assertEquals(shape.slots > 4, shape.isWiderThan(sizes.shape(0, sizeIndex - 1)));
        }
      }
    }
  }

  @Test
  void theSmallestTableOfAFilterDoesNotShrink() {
    TableSizes sizes = planned(1000);
    assertEquals(0, sizes.shape(0, 0).minSize);
    assertTrue(sizes.shape(1, 0).minSize > 0, "it is joined with its neighbor");
  }

  @Test
  void theSmallestSizeThatHasRoomIsChosen() {
    for (long maxElements : PLANS) {
      TableSizes sizes = planned(maxElements);
      for (int count = 0; count < 15_000; count += 1 + count / 50) {
        int sizeIndex = sizes.sizeIndexFor(count);
        assertTrue(sizes.shape(0, sizeIndex).limit >= count);
        assertTrue(sizeIndex == 0 || sizes.shape(0, sizeIndex - 1).limit < count);
      }
      int limit = sizes.shape(0, 3).limit;
      assertEquals(3, sizes.sizeIndexFor(limit));
      assertEquals(4, sizes.sizeIndexFor(limit + 1));
      assertTrue(
          sizes.shape(0, sizes.sizeIndexFor(Double.MAX_VALUE)).limit > 100_000, "the largest");
    }
  }

  @Test
  void aTableThatShrankHasRoomForAThirdMore() {
    TableSizes sizes = planned(10_000);
    for (int count = 20; count < 5_000; count += 1 + count / 50) {
      TableShape shape = sizes.shape(0, sizes.sizeIndexToShrinkTo(count));
      assertTrue(count <= 0.75 * shape.limit);
      assertTrue(
          shape.sizeIndex == 0 || count + 1 > 0.75 * sizes.shape(0, shape.sizeIndex - 1).limit);
    }
  }

  @Test
  void fullTablesAreDividedWhereTheyWouldBeTooLarge() {
    for (long maxElements : new long[] {1_000, 200_000}) {
      TableSizes sizes = planned(maxElements);
      for (int depth : new int[] {0, sizes.plannedDepth, sizes.plannedDepth + 1}) {
        int last = sizes.sizeIndexFor(sizes.maxFingerprintsAt(depth));
        for (int sizeIndex = 0; sizeIndex < last + 2; sizeIndex++) {
          TableShape shape = sizes.shape(depth, sizeIndex);
          assertEquals(
              sizeIndex >= last, sizes.shouldDivide(set(shape, (int) (0.9 * shape.limit))));
        }
      }
      int deep = sizes.space.maxDepth();
      TableShape deepest = sizes.shape(deep, sizes.sizeIndexFor(4_000));
      assertFalse(sizes.shouldDivide(set(deepest, (int) (0.9 * deepest.limit))));
      assertFalse(sizes.shouldDivide(set(deepest, 200)));
    }
  }

  @Test
  void clustersAreDividedUnlessTheyAreSmall() {
    TableSizes sizes = planned(1_000_000);
    TableShape shape = sizes.shape(0, sizes.sizeIndexFor(1_000));
    assertFalse(sizes.shouldDivide(set(shape, TableSizes.MIN_CLUSTER - 1)));
    assertTrue(sizes.shouldDivide(set(shape, TableSizes.MIN_CLUSTER)));
    assertFalse(sizes.isCluster(set(shape, TableSizes.MIN_CLUSTER - 1)));
    assertTrue(sizes.isCluster(set(shape, TableSizes.MIN_CLUSTER)));
    assertTrue(sizes.isCluster(set(shape, shape.minSize - 1)));
    assertFalse(sizes.isCluster(set(shape, shape.minSize)));
    TableShape deepest = sizes.shape(sizes.space.maxDepth(), shape.sizeIndex);
    assertFalse(sizes.isCluster(set(deepest, TableSizes.MIN_CLUSTER)));
  }

  @Test
  void clustersAreTriedInOneLargerTableUnlessTheyAreSmallOrDeepest() {
    TableSizes sizes = planned(1_000_000);
    int least = TableSizes.MIN_CLUSTER;
    assertEquals(8, sizes.maxSizeIndex(0, 7, least));
    assertEquals(Integer.MAX_VALUE, sizes.maxSizeIndex(0, 7, least - 1));
    assertEquals(Integer.MAX_VALUE, sizes.maxSizeIndex(sizes.space.maxDepth(), 7, least));
  }

  @Test
  void twoTablesAreJoinedBelowTwoFifthsOfALargestRegularOne() {
    TableSizes sizes = planned(1_000_000);
    int most = sizes.maxFingerprintsAt(0);
    assertTrue(sizes.shouldJoin(1, (int) Math.ceil(0.4 * most) - 1));
    assertFalse(sizes.shouldJoin(1, (int) Math.ceil(0.4 * most)));
  }

  @Test
  void sizesAreTriedInAscendingOrderUntilOneTakesAll() {
    TableSizes sizes = planned(10_000);
    List<Integer> tried = new ArrayList<>();
    TableFiller filled =
        sizes.filled(
            2,
            3,
            table -> {
              assertEquals(2, table.shape.depth);
              tried.add(table.shape.sizeIndex);
              return table.shape.sizeIndex == 6;
            });
    assertEquals(6, filled.shape.sizeIndex);
    assertEquals(List.of(3, 4, 5, 6), tried);
    assertEquals(5, Objects.requireNonNull(sizes.filled(0, 5, 5, table -> true)).shape.sizeIndex);
    assertNull(sizes.filled(0, 3, 5, table -> table.shape.sizeIndex == 6));
  }
}
