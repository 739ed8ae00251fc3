package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChunkTest {

  private static final TableSizes SIZES =
      new TableSizes(FingerprintSpace.ofAtLeast(1_000_000), 10_000, 1, false, 0);
  private static final int DEPTH = 3;
  private static final long PREFIX = 5;
  private static final long FINGERPRINTS = SIZES.space.fingerprints(DEPTH);

  private final SplittableRandom random = new SplittableRandom(0x5eed_25);
  private final Long2LongOpenHashMap model = new Long2LongOpenHashMap();
  private Chunk chunk = new Chunk(SIZES.shape(DEPTH, 12), PREFIX);

  private void add(long fingerprint, long copies) {
    long before = model.addTo(fingerprint, copies);
    int expected = before == 0 ? FingerprintSet.ADDED : FingerprintSet.HELD;
    assertEquals(expected, chunk.addFingerprint(fingerprint, copies, SIZES));
  }

  private void remove(long fingerprint, long copies) {
    long before = model.get(fingerprint);
    assertEquals(before, chunk.removeFingerprint(fingerprint, copies, SIZES));
    if (before > copies) {
      model.put(fingerprint, before - copies);
    } else {
      model.remove(fingerprint);
    }
  }

  private static void check(Chunk held, Long2LongOpenHashMap expected, long from, long to) {
    long[] ascending = expected.keySet().longStream().filter(x -> x >= from && x < to).toArray();
    Arrays.sort(ascending);
    for (int i = 0; i < ascending.length; i++) {
      assertEquals(expected.get(ascending[i]), held.countFingerprint(ascending[i] - from));
      ascending[i] -= from;
    }
    assertArrayEquals(ascending, held.sorted());
    for (long fingerprint = 0; fingerprint < 100; fingerprint++) {
      assertEquals(expected.get(fingerprint + from), held.countFingerprint(fingerprint));
    }
  }

  private void fill(int fingerprints, long most) {
    for (int i = 0; i < fingerprints; i++) {
      add(random.nextLong(FINGERPRINTS), random.nextLong(1, most));
      add(random.nextLong(50), 1);
    }
  }

  @Test
  void copiesAreCounted() {
    for (int round = 0; round < 20; round++) {
      fill(20, round % 2 == 0 ? 2 : 1L << 40);
      check(chunk, model, 0, FINGERPRINTS);
      for (long fingerprint : model.keySet().toLongArray()) {
        if (random.nextInt(3) > 0) {
          remove(fingerprint, random.nextLong(1, 1L << random.nextInt(1, 42)));
        }
      }
      remove(FINGERPRINTS - 1, 1);
      check(chunk, model, 0, FINGERPRINTS);
    }
    for (long fingerprint : model.keySet().toLongArray()) {
      remove(fingerprint, Long.MAX_VALUE);
    }
    check(chunk, model, 0, FINGERPRINTS);
    long table = chunk.shape.newTable().length;
    assertEquals(Chunk.EMPTY_BYTES + table, chunk.memoryBytes(), "no set of extra copies is left");
  }

  @Test
  void copiesOfManyFingerprintsThatComeAndGoAreCounted() {
    for (long i = 0; i < 200; i++) {
      add(600 * i, 2);
      if (i >= 20) { // others are marked meanwhile, and marks are computed anew
        remove(600 * (i - 20), 1);
      }
    }
    for (long fingerprint : model.keySet().toLongArray()) {
      assertEquals(model.get(fingerprint), chunk.countFingerprint(fingerprint));
      remove(fingerprint, 2);
    }
    assertEquals(0, chunk.total());
  }

  @Test
  void aBinaryDigitTakesATableThatGrowsAndShrinks() {
    for (int i = 0; i < 200; i++) {
      add(600L * i, 5);
    }
    long all = chunk.memoryBytes();
    int smallest = SIZES.shape(DEPTH, 0).newTable().length;
    int own = chunk.shape.newTable().length;
    long ofSets = all - Chunk.EMPTY_BYTES - own;
    assertTrue(ofSets > 3 * 28 + smallest * 5L && ofSets < 3 * 28 + smallest * 12L);
    for (int i = 1; i < 200; i++) {
      remove(600L * i, 5);
    }
    assertEquals(
        Chunk.EMPTY_BYTES
            + own
            + 3 * (ChunkDirectory.REFERENCE_BYTES + FingerprintSet.OBJECT_BYTES)
            + smallest
            + ExtraCopies.OBJECT_BYTES
            + ExtraCopies.markBytes(
                24), // the marks of those that were left when the table last shrank
        chunk.memoryBytes());
  }

  @Test
  void halvesHoldWhatAWholeHolds() {
    fill(300, 9);
    Chunk[] halves = chunk.halved(SIZES);
    for (int i = 0; i < 2; i++) {
      assertEquals(DEPTH + 1, halves[i].shape.depth);
      assertEquals(2 * PREFIX + i, halves[i].prefix);
      assertTrue(halves[i].shape.sizeIndex <= SIZES.sizeIndexFor(1.3 * halves[i].size()));
      check(halves[i], model, i * FINGERPRINTS / 2, (i + 1) * FINGERPRINTS / 2);
    }
    Chunk joined = Objects.requireNonNull(Chunk.joined(halves[0], halves[1], SIZES));
    assertEquals(DEPTH, joined.shape.depth);
    assertEquals(PREFIX, joined.prefix);
    check(joined, model, 0, FINGERPRINTS);
  }

  @Test
  void halvesHaveSetsOnlyForTheirOwnCopies() {
    for (boolean isFirst : new boolean[] {true, false}) {
      model.clear();
      chunk = new Chunk(SIZES.shape(DEPTH, 12), PREFIX);
      add(0, isFirst ? 1000 : 2);
      add(FINGERPRINTS - 1, isFirst ? 2 : 1000);
      Chunk[] halves = chunk.halved(SIZES);
      long more = halves[isFirst ? 0 : 1].memoryBytes() - halves[isFirst ? 1 : 0].memoryBytes();
      assertTrue(more > 7 * FingerprintSet.OBJECT_BYTES, () -> more + " bytes");
      Chunk joined = Objects.requireNonNull(Chunk.joined(halves[0], halves[1], SIZES));
      check(joined, model, 0, FINGERPRINTS);
    }
  }

  @Test
  void emptyHalvesTakeNoTables() {
    for (Chunk half : chunk.halved(SIZES)) {
      assertEquals(Chunk.EMPTY_BYTES, half.memoryBytes());
      assertEquals(DEPTH + 1, half.shape.depth);
    }
    Chunk[] halves = chunk.halved(SIZES);
    assertEquals(2 * PREFIX, halves[0].prefix);
    assertEquals(2 * PREFIX + 1, halves[1].prefix);
    Chunk joined = Objects.requireNonNull(Chunk.joined(halves[0], halves[1], SIZES));
    assertEquals(Chunk.EMPTY_BYTES, joined.memoryBytes());
  }

  @Test
  void anotherTableHoldsTheSame() {
    fill(100, 9);
    Chunk larger = chunk.inTableOf(14, SIZES);
    assertEquals(14, larger.shape.sizeIndex);
    assertEquals(PREFIX, larger.prefix);
    check(larger, model, 0, FINGERPRINTS);
  }

  @Test
  void copiesAreIndependent() {
    fill(100, 9);
    Chunk copy = new Chunk(chunk);
    assertEquals(PREFIX, copy.prefix);
    for (long fingerprint : chunk.sorted()) {
      chunk.removeFingerprint(fingerprint, 1, SIZES);
    }
    check(copy, model, 0, FINGERPRINTS);
  }

  @Test
  void extraCopiesAreFilledByBit() {
    FingerprintBuffer buffer = new FingerprintBuffer();
    for (long fingerprint : new long[] {1, 5, FINGERPRINTS - 1}) {
      add(fingerprint, 1);
      model.addTo(fingerprint, 4);
      buffer.addEntry(PREFIX * FINGERPRINTS + fingerprint);
    }
    chunk.fillExtraCopies(2, buffer, SIZES);
    check(chunk, model, 0, FINGERPRINTS);
  }

  /** As many as the smallest table may hold, which some of them do not fit. */
  @Test
  void extraCopiesAreFilledIntoALargerTableIfTheyDoNotFit() {
    int limit = SIZES.shape(DEPTH, 0).limit;
    for (int run = 0; run < 100; run++) {
      model.clear();
      chunk = new Chunk(SIZES.shape(DEPTH, 12), PREFIX);
      FingerprintBuffer buffer = new FingerprintBuffer();
      random
          .longs(0, FINGERPRINTS)
          .distinct()
          .limit(limit)
          .sorted()
          .forEach(
              fingerprint -> {
                add(fingerprint, 1);
                model.addTo(fingerprint, 1);
                buffer.addEntry(PREFIX * FINGERPRINTS + fingerprint);
              });
      chunk.fillExtraCopies(0, buffer, SIZES);
      check(chunk, model, 0, FINGERPRINTS);
    }
  }

  /** Of nine copies, one is removed: the last of three sets to take the fingerprint has no room. */
  @Test
  void aRemovalThatFailsBetweenTwoBitsChangesNothing() {
    // Has no such depth: a larger table fails as it does when memory runs out.
    TableSizes none = new TableSizes(FingerprintSpace.ofAtLeast(8), 1, 1, false, 0);
    assertThrows(ArithmeticException.class, () -> none.shape(DEPTH, 1));
    add(7, 9);
    int others = 0;
    while (isRemovedFrom(new Chunk(chunk), none)) {
      add(100 + 1009L * others++, 5);
    }
    assertThrows(ArithmeticException.class, () -> chunk.removeFingerprint(7, 1, none));
    check(chunk, model, 0, FINGERPRINTS);
    remove(7, 1);
    check(chunk, model, 0, FINGERPRINTS);
  }

  private static boolean isRemovedFrom(Chunk copy, TableSizes sizes) {
    try {
      return copy.removeFingerprint(7, 1, sizes) == 9;
    } catch (ArithmeticException e) {
      return false;
    }
  }

  private static Chunk half(int index, int count) {
    Chunk half = new Chunk(SIZES.shape(DEPTH + 1, SIZES.sizeIndexFor(20_000)), index);
    for (int i = 0; i < count; i++) {
      assertEquals(FingerprintSet.ADDED, half.addFingerprint(100L * i, 1, SIZES));
    }
    return half;
  }

  @Test
  void halvesOfDifferentSizesAreJoined() {
    Chunk joined = Objects.requireNonNull(Chunk.joined(half(0, 500), half(1, 200), SIZES));
    assertEquals(700, joined.size());
  }

  @Test
  void theVersionIsOddWhileAChunkChangesAndOnceItIsReplaced() {
    int version = chunk.version();
    assertEquals(0, version & 1);
    assertTrue(chunk.isStillAt(version));
    chunk.beginChange();
    assertEquals(1, chunk.version() & 1);
    assertFalse(chunk.isStillAt(version));
    chunk.endChange();
    assertEquals(0, chunk.version() & 1);
    assertNotEquals(version, chunk.version());
    assertFalse(chunk.isStillAt(version));
    assertFalse(chunk.isReplaced());
    chunk.setReplaced();
    assertTrue(chunk.isReplaced());
    assertEquals(1, chunk.version() & 1);
  }

  @Test
  void aFullTableTakesNoMore() {
    chunk = new Chunk(SIZES.shape(DEPTH, 0), PREFIX);
    int limit = chunk.shape.limit;
    int added = 0;
    while (chunk.addFingerprint(added, 3, SIZES) == FingerprintSet.ADDED) {
      added++;
    }
    assertTrue(added > limit / 2);
    assertEquals(0, chunk.countFingerprint(added));
    assertEquals(3, chunk.countFingerprint(added - 1));
  }
}
