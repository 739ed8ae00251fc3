package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packed buckets against lists, for every width. */
class FingerprintTableTest {

  private static final long SEED = 20261120;

  private static final int[] NUMBERS_OF_BUCKETS = {1, 2, 3, 5, 7, 64, 97, 1000, 65_537, 1_000_003};

  private static int[] widths() {
    return new int[] {8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32};
  }

  private static long someFingerprint(SplittableRandom random, int width) {
    // Few values, the largest among them, so that equal and nearly equal ones meet.
    long values = FingerprintTable.values(width);
    return switch (random.nextInt(4)) {
      case 0 -> 1;
      case 1 -> values;
      case 2 -> 1L << (width - 1);
      default -> 1 + random.nextLong(values);
    };
  }

  @Test
  void holdsInEachBucketWhatWasPutThere() {
    for (int width : widths()) {
      SplittableRandom random = new SplittableRandom(SEED + width);
      int buckets = 13;
      FingerprintTable table = new FingerprintTable(buckets, width);
      List<List<Long>> model = new ArrayList<>();
      for (int i = 0; i < buckets; i++) {
        model.add(new ArrayList<>());
      }
      for (int step = 0; step < 20_000; step++) {
        int bucket = random.nextInt(buckets);
        long fingerprint = someFingerprint(random, width);
        List<Long> expected = model.get(bucket);
        if (random.nextBoolean()) {
          boolean free = expected.size() < FingerprintTable.SLOTS;
          assertEquals(free, table.putIfFree(bucket, fingerprint));
          if (free) {
            expected.add(fingerprint);
          }
        } else {
          assertEquals(expected.remove(fingerprint), table.remove(bucket, fingerprint));
        }
        long queried = someFingerprint(random, width);
        for (int i = 0; i < buckets; i++) {
          List<Long> held = model.get(i);
          assertEquals(held.stream().filter(f -> f == queried).count(), table.copies(i, queried));
          assertEquals(held.contains(queried), table.contains(i, queried));
          assertEquals(FingerprintTable.SLOTS - held.size(), table.copies(i, 0));
        }
      }
    }
  }

  @Test
  void theAlternateOfTheAlternateIsTheBucketItself() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int width : widths()) {
      for (int buckets : NUMBERS_OF_BUCKETS) {
        FingerprintTable table = new FingerprintTable(buckets, width);
        for (int i = 0; i < 3000; i++) {
          int bucket = i < 8 ? (i % 2 == 0 ? 0 : buckets - 1) : random.nextInt(buckets);
          long fingerprint = someFingerprint(random, width);
          int alternate = table.alternate(bucket, fingerprint);
          assertTrue(alternate >= 0 && alternate < buckets);
          assertEquals(bucket, table.alternate(alternate, fingerprint));
          long key = table.key(bucket, fingerprint);
          assertEquals(key, table.key(alternate, fingerprint));
          assertEquals(Math.min(bucket, alternate), FingerprintTable.bucketOfKey(key));
          assertEquals(fingerprint, FingerprintTable.fingerprintOfKey(key));
        }
      }
    }
  }

  /** All of them where that is possible: 97 buckets, 255 fingerprints. */
  @Test
  void everyPairOfASmallTableHasItsAlternate() {
    FingerprintTable table = new FingerprintTable(97, 8);
    for (int bucket = 0; bucket < 97; bucket++) {
      for (long fingerprint = 1; fingerprint <= 255; fingerprint++) {
        assertEquals(bucket, table.alternate(table.alternate(bucket, fingerprint), fingerprint));
      }
    }
  }

  @Test
  void hostileHashesGiveABucketAndAFingerprint() {
    long[] hashes = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0xffffffffL, 1L << 32, ~0xffffffffL};
    for (int width : widths()) {
      for (int buckets : NUMBERS_OF_BUCKETS) {
        FingerprintTable table = new FingerprintTable(buckets, width);
        for (long hash : hashes) {
          int bucket = table.bucketOf(hash);
          long fingerprint = table.fingerprintOf(hash);
          assertTrue(bucket >= 0 && bucket < buckets);
          assertTrue(fingerprint >= 1 && fingerprint <= FingerprintTable.values(width));
        }
        assertEquals(FingerprintTable.values(width), table.fingerprintOf(-1));
        assertEquals(1, table.fingerprintOf(0));
        assertEquals(buckets - 1, table.bucketOf(-1));
        assertEquals(0, table.bucketOf(0));
      }
    }
  }

  /**
   * Bucket and fingerprint of random hashes in 7 by 255 cells: χ² with 7·255 − 1 degrees of
   * freedom, by its normal approximation below 1784 + 5.7·√(2·1784) at α = 10<sup>-8</sup>. A
   * fingerprint made of the bits that choose the bucket exceeds it by far.
   */
  @Test
  @Tag("deep")
  void fingerprintsAreIndependentOfBuckets() {
    FingerprintTable table = new FingerprintTable(7, 8);
    int queries = 2_000_000;
    double limit = 1784 + 5.7 * Math.sqrt(2 * 1784);
    for (boolean fromTheSameBits : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(SEED);
      int[] cells = new int[7 * 255];
      for (int i = 0; i < queries; i++) {
        long hash = random.nextLong();
        long fingerprint = table.fingerprintOf(fromTheSameBits ? hash >>> 32 : hash);
        cells[7 * (int) (fingerprint - 1) + table.bucketOf(hash)]++;
      }
      double expected = (double) queries / cells.length;
      double chiSquare =
          Arrays.stream(cells).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
      assertEquals(!fromTheSameBits, chiSquare < limit, "chi-square " + chiSquare);
    }
  }

  /** What is held, whichever of its two buckets it stands in. */
  private static long[] keys(FingerprintTable table) {
    LongStream.Builder keys = LongStream.builder();
    for (int bucket = 0; bucket < table.buckets(); bucket++) {
      for (long fingerprint = 1; fingerprint <= FingerprintTable.values(8); fingerprint++) {
        for (int i = table.copies(bucket, fingerprint); i > 0; i--) {
          keys.add(table.key(bucket, fingerprint));
        }
      }
    }
    return keys.build().sorted().toArray();
  }

  /** Where everything stands. */
  private static String layout(FingerprintTable table) {
    StringBuilder layout = new StringBuilder();
    for (int bucket = 0; bucket < table.buckets(); bucket++) {
      for (long fingerprint = 0; fingerprint <= FingerprintTable.values(8); fingerprint++) {
        layout.append(Long.toHexString(table.matches(bucket, fingerprint))).append(' ');
      }
    }
    return layout.toString();
  }

  @Test
  void aChainMovesOthersAndLosesNone() {
    SplittableRandom random = new SplittableRandom(SEED);
    int moved = 0;
    int refused = 0;
    for (int round = 0; round < 300; round++) {
      FingerprintTable table = new FingerprintTable(11, 8);
      long[] expected = {};
      for (int i = 0; i < 46; i++) {
        int bucket = random.nextInt(11);
        long fingerprint = 1 + random.nextLong(255);
        boolean full =
            table.copies(bucket, 0) + table.copies(table.alternate(bucket, fingerprint), 0) == 0;
        String before = layout(table);
        if (table.place(bucket, fingerprint, false) == FingerprintTable.PLACED) {
          moved += full ? 1 : 0;
          expected = Arrays.copyOf(expected, expected.length + 1);
          expected[expected.length - 1] = table.key(bucket, fingerprint);
        } else {
          refused++;
          assertEquals(before, layout(table), "a refused fingerprint changed the table");
        }
        Arrays.sort(expected);
        if (full || i == 45) {
          assertEquals(Arrays.toString(expected), Arrays.toString(keys(table)));
        }
      }
    }
    assertTrue(moved > 300 && refused > 300, moved + " moved, " + refused + " refused");
  }

  @Test
  void aChainLeavesOutACopyOfWhichAnotherStands() {
    FingerprintTable table = new FingerprintTable(3, 8);
    for (int bucket = 0; bucket < 3; bucket++) {
      for (long fingerprint = 1; table.copies(bucket, 0) >= 2; fingerprint++) {
        if (!table.contains(bucket, fingerprint)
            && !table.contains(table.alternate(bucket, fingerprint), fingerprint)) {
          assertTrue(table.putIfFree(bucket, fingerprint));
          assertTrue(table.putIfFree(bucket, fingerprint));
        }
      }
    }
    long[] before = keys(table);
    assertEquals(12, before.length);
    assertEquals(FingerprintTable.NO_ROOM, table.place(0, 200, false));
    long leftOut = table.place(0, 200, true);
    assertNotEquals(FingerprintTable.NO_ROOM, leftOut);
    assertNotEquals(FingerprintTable.PLACED, leftOut);
    long[] expected = before.clone();
    expected[Arrays.binarySearch(expected, leftOut)] = table.key(0, 200);
    Arrays.sort(expected);
    assertEquals(Arrays.toString(expected), Arrays.toString(keys(table)));
  }

  /** Of two buckets, so that each fingerprint may stand in either. */
  @Test
  void aChainEndsAtTheFirstCopyOfWhichAnotherStands() {
    FingerprintTable empty = new FingerprintTable(2, 8);
    long[] f =
        LongStream.rangeClosed(1, 255).filter(x -> empty.alternate(0, x) == 1).limit(5).toArray();
    long[][][] layouts = {
      {{f[0], f[0], f[1], f[1]}, {f[2], f[2], f[3], f[3]}}, // both copies in the bucket
      {{f[0], f[1], f[2], f[3]}, {f[0], f[1], f[2], f[3]}} // the other copy in the other bucket
    };
    for (long[][] layout : layouts) {
      for (int bucket = 0; bucket < 2; bucket++) {
        FingerprintTable table = new FingerprintTable(2, 8);
        for (int i = 0; i < 4; i++) {
          assertTrue(table.putIfFree(0, layout[0][i]));
          assertTrue(table.putIfFree(1, layout[1][i]));
        }
        long leftOut = table.place(bucket, f[4], true);
        long fingerprint = FingerprintTable.fingerprintOfKey(leftOut);
        // Its place is taken by the new one, and nothing else has moved.
        assertEquals(table.key(0, fingerprint), leftOut);
        assertEquals(1, table.copies(1 - bucket, f[4]));
        assertTrue(table.remove(1 - bucket, f[4]));
        assertTrue(table.putIfFree(1 - bucket, fingerprint));
        for (int i = 0; i < 4; i++) {
          for (int in = 0; in < 2; in++) {
            long held = f[i];
            long expected = Arrays.stream(layout[in]).filter(x -> x == held).count();
            assertEquals(expected, table.copies(in, held));
          }
        }
      }
    }
  }
}
