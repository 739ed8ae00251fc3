package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableFillerTest {

  @Test
  void aTableOfEveryWidthHoldsWhatItWasFilledWith() {
    for (TableShape shape : SampleTables.shapesOfEveryWidth(8, 9, 57)) {
      int places = (int) (0.8 * shape.slots * shape.buckets);
      long[] all = SampleTables.fingerprints(shape);
      int count = Math.min(all.length, places);
      TableFiller filler = new TableFiller(shape);
      assertTrue(filler.addEntries(all, 0, count, 0), () -> shape.width + " bits");
      assertEquals(count, filler.size());
      long[] expected = Arrays.copyOf(all, count);
      Arrays.sort(expected);
      assertArrayEquals(expected, SampleTables.contents(shape, filler.table));
      for (int i = 0; i < all.length; i++) {
        assertEquals(i < count, shape.contains(filler.table, shape.quotientOf(all[i])));
      }
    }
  }

  @Test
  void tablesAreFilledToTheirLoad() {
    double sum = 0;
    List<TableShape> shapes = SampleTables.shapesOfEveryWidth(57);
    shapes.removeIf(shape -> shape.fingerprints < 2L * shape.slots * shape.buckets);
    for (TableShape shape : shapes) {
      long[] all = SampleTables.fingerprints(shape);
      TableFiller filler = new TableFiller(shape);
      int count = 0;
      while (count < all.length && filler.addEntries(all, count, count + 1, 0)) {
        count++;
        assertTrue(shape.contains(filler.table, shape.quotientOf(all[count - 1])));
      }
      if (count == all.length) {
        assertEquals(count, SampleTables.contents(shape, filler.table).length);
      }
      double load = (double) count / all.length;
      assertTrue(load > 0.9, () -> load + " with " + shape.width + " bits");
      sum += load;
    }
    double mean = sum / shapes.size();
    assertTrue(mean > 0.972, () -> "mean load " + mean);
  }

  @Test
  void aFingerprintGoesIntoTheEmptierOfItsBuckets() {
    for (TableShape shape : SampleTables.shapesOfEveryWidth(57)) {
      TableFiller filler = new TableFiller(shape);
      for (long fingerprint : SampleTables.fingerprints(shape)) {
        long quotient = shape.quotientOf(fingerprint);
        int bucket = shape.bucketOf(quotient);
        int other = shape.alternate(bucket, shape.remainderOf(quotient));
        int free =
            shape.remainderOf(quotient) == 0 ? 0 : SampleTables.free(shape, filler.table, bucket);
        int otherFree = SampleTables.free(shape, filler.table, other);
        if (bucket != other
            && free != otherFree
            && filler.addEntries(new long[] {fingerprint}, 0, 1, 0)) {
          int chosen = free > otherFree ? bucket : other;
          assertEquals(
              Math.max(free, otherFree) - 1, SampleTables.free(shape, filler.table, chosen));
        }
      }
    }
  }

  @Test
  void aRangeOfAnArrayIsShifted() {
    TableShape shape = SampleTables.shape(1000, 57);
    TableFiller filler = new TableFiller(shape);
    assertTrue(filler.addEntries(new long[] {3, 10, 20, 50}, 1, 3, 7));
    assertTrue(filler.addEntries(new long[] {3}, 0, 1, -3));
    assertEquals(3, filler.size());
    assertArrayEquals(new long[] {0, 17, 27}, SampleTables.contents(shape, filler.table));
  }

  @Test
  void noMoreThanTheLimitIsTaken() {
    TableShape shape = new TableShape(0, 1 << 20, 57, 4, 0, 100, 0, 1, 0);
    long[] all = SampleTables.fingerprints(shape);
    assertTrue(new TableFiller(shape).addEntries(all, 0, 100, 0));
    assertFalse(new TableFiller(shape).addEntries(all, 0, 101, 0));
    TableFiller inTwo = new TableFiller(shape);
    assertTrue(inTwo.addEntries(all, 0, 60, 0));
    assertFalse(inTwo.addEntries(all, 60, 101, 0));
  }
}
