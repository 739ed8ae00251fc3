package io.bloomkit.cuckoo;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Tables with places of every width, and fingerprints by their definition. */
final class SampleTables {

  private static final long SEED = 0x5eed_23;

  private SampleTables() {}

  static TableShape shape(long fingerprints, int buckets) {
    return shape(fingerprints, buckets, 4);
  }

  static TableShape shape(long fingerprints, int buckets, int slots) {
    return new TableShape(
        0, fingerprints, buckets, slots, 0, slots * buckets, 0, SEED * fingerprints, 0);
  }

  /** Returns shapes with four to six places per bucket, of two bits up to the widest. */
  static List<TableShape> shapesOfEveryWidth(int... numbersOfBuckets) {
    List<TableShape> shapes = new ArrayList<>();
    for (int bits = 0; bits < 60; bits++) {
      for (int buckets : numbersOfBuckets) {
        for (int slots = 4; slots <= 6; slots++) {
          TableShape shape = shape((1L << bits) + (1L << bits) / 3, buckets, slots);
          if (shape.width <= TableShape.MAX_WIDTH) {
            shapes.add(shape);
          }
        }
      }
    }
    return shapes;
  }

  /** Returns as many distinct fingerprints as a table has places, or all, in a random order. */
  static long[] fingerprints(TableShape shape) {
    SplittableRandom random = new SplittableRandom(SEED + shape.fingerprints);
    int most = (int) Math.min(shape.fingerprints, (long) shape.slots * shape.buckets);
    LongOpenHashSet distinct = new LongOpenHashSet();
    LongStream.of(0, shape.fingerprints - 1).forEach(distinct::add);
    while (distinct.size() < most) {
      distinct.add(random.nextLong(shape.fingerprints));
    }
    return distinct.toLongArray();
  }

  /** Returns the fingerprint of a hash: ⌊⌊hash / 2⌋ · F / 2<sup>63</sup>⌋. */
  static long fingerprintOf(FingerprintSpace space, long hash) {
    return Math.multiplyHigh(hash >>> 1, space.fingerprints() << 1);
  }

  /** Returns the number of free places of a bucket. */
  static int free(TableShape shape, byte[] table, int bucket) {
    int free = 0;
    for (int slot = 0; slot < shape.slots; slot++) {
      free += shape.get(table, bucket, slot) == 0 ? 1 : 0;
    }
    return free;
  }

  /** Returns what a table holds, in ascending order. */
  static long[] contents(TableShape shape, byte[] table) {
    long[] decoded = new long[shape.slots * shape.buckets + 1];
    int count = shape.decode(table, 0, shape.buckets, decoded);
    long[] contents = Arrays.copyOf(decoded, count);
    Arrays.sort(contents);
    return contents;
  }
}
