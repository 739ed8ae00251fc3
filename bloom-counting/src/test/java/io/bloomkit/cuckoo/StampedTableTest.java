package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link TableShape} with stamps, and {@link TableFiller}, against a map. */
class StampedTableTest {

  private static final long SEED = 20261127;

  private static List<TableShape> shapes() {
    List<TableShape> shapes = new ArrayList<>();
    for (int stampBits = 1; stampBits <= Stamps.MAX_BITS; stampBits++) {
      for (int bits = 5; bits < 59 - stampBits; bits += 1 + bits / 16) {
        shapes.add(shape((1L << bits) + 1, 16 + 3 * bits, 4 + bits % 3, stampBits));
      }
    }
    return shapes;
  }

  private static TableShape shape(long fingerprints, int buckets, int slots, int stampBits) {
    return new TableShape(0, fingerprints, buckets, slots, 0, slots * buckets, 0, SEED, stampBits);
  }

  /** The fingerprints with their stamps. */
  private static Map<Long, Long> decoded(TableShape shape, byte[] table) {
    long[] entries = new long[shape.slots * shape.buckets + 1];
    int count = shape.decode(table, 0, shape.buckets, entries);
    Map<Long, Long> held = new HashMap<>();
    for (int i = 0; i < count; i++) {
      held.put(entries[i] >> shape.stampBits, entries[i] & ((1L << shape.stampBits) - 1));
    }
    assertEquals(count, held.size());
    return held;
  }

  private static Map<Long, Long> filled(TableShape shape, byte[] table, SplittableRandom random) {
    Map<Long, Long> model = new HashMap<>();
    long most = Math.min(shape.fingerprints, (long) shape.slots * shape.buckets) * 9 / 10;
    for (int tries = 0; tries < 20_000 && model.size() < most; tries++) {
      long fingerprint = random.nextLong(shape.fingerprints);
      long stamp = random.nextLong(1L << shape.stampBits);
      long quotient = shape.quotientOf(fingerprint);
      long bit = shape.findStamp(table, quotient);
      assertEquals(model.containsKey(fingerprint), bit >= 0);
      assertEquals(model.containsKey(fingerprint), shape.contains(table, quotient));
      if (bit >= 0) {
        assertEquals(model.get(fingerprint), shape.stamps().get(table, bit));
        shape.stamps().set(table, bit, stamp);
        model.put(fingerprint, stamp);
      } else if (shape.place(table, quotient, stamp)) {
        model.put(fingerprint, stamp);
      }
    }
    return model;
  }

  @Test
  void stampsStayWithTheirFingerprints() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (TableShape shape : shapes()) {
      byte[] table = shape.newTable();
      Map<Long, Long> model = filled(shape, table, random);
      assertEquals(model, decoded(shape, table));
      for (long fingerprint : new ArrayList<>(model.keySet()).subList(0, model.size() / 2)) {
        assertTrue(shape.remove(table, shape.quotientOf(fingerprint)));
        model.remove(fingerprint);
      }
      assertEquals(model, decoded(shape, table));
    }
  }

  @Test
  void aSweepRemovesExactlyTheNextStamps() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (TableShape shape : shapes()) {
      long stamps = 1L << shape.stampBits;
      byte[] full = shape.newTable();
      Map<Long, Long> all = filled(shape, full, random);
      for (int run = 0; run < 8; run++) {
        long start = random.nextLong();
        long length = stamps == 2 ? 1 : 1 + random.nextLong(stamps - 1);
        Map<Long, Long> model = new HashMap<>(all);
        model.values().removeIf(stamp -> Math.floorMod(stamp - start - 1, stamps) < length);
        byte[] table = full.clone();
        assertEquals(
            all.size() - model.size(), shape.stamps().sweep(shape, table, start, length, false));
        assertEquals(all, decoded(shape, table));
        assertEquals(
            all.size() - model.size(), shape.stamps().sweep(shape, table, start, length, true));
        assertEquals(model, decoded(shape, table));
        assertEquals(0, shape.stamps().sweep(shape, table, start, length, true));
      }
    }
  }

  @Test
  void aFilledTableHasTheStamps() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (TableShape shape : shapes()) {
      byte[] table = shape.newTable();
      Map<Long, Long> model = filled(shape, table, random);
      long[] entries = new long[shape.slots * shape.buckets + 1];
      int count = shape.decode(table, 0, shape.buckets, entries);
      int larger = shape.buckets + shape.buckets / 3;
      TableShape other =
          new TableShape(
              0, shape.fingerprints, larger, 5, 0, 5 * larger, 0, SEED + 1, shape.stampBits);
      TableFiller filler = new TableFiller(other);
      assertTrue(filler.addEntries(entries, 0, count, 0));
      assertEquals(model, decoded(other, filler.table));
    }
  }

  @Test
  void aTableWithMoreSlotsPerBucketHasTheSameStamps() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (TableShape shape : shapes()) {
      byte[] table = shape.newTable();
      Map<Long, Long> model = filled(shape, table, random);
      for (int slots = shape.slots + 1; slots <= TableShape.MAX_SLOTS; slots++) {
        TableShape wider = shape(shape.fingerprints, shape.buckets, slots, shape.stampBits);
        assertTrue(wider.isWiderThan(shape));
        assertEquals(
            model, decoded(wider, new TableFiller(wider, shape, table, model.size()).table));
      }
    }
  }
}
