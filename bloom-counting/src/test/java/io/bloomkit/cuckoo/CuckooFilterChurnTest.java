package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Long histories at and around the full capacity beside an exact multiset of the keys of
 * fingerprints: answers and counts agree exactly, not only within the rate.
 */
class CuckooFilterChurnTest {

  private static final long SEED = 20261120;

  /** A filter and what it must hold: how often each pair of fingerprint and buckets. */
  private static final class Model {

    final CuckooFilter<Long> filter;
    final FingerprintTable layout;
    final Long2LongOpenHashMap truth = new Long2LongOpenHashMap();
    final int capacity;
    long held;
    int refused;

    Model(int capacity, double fpp) {
      this.capacity = capacity;
      this.filter = CuckooFilter.create(HashStrategies.longs(), capacity, fpp);
      CuckooShape size = CuckooShape.of(capacity, fpp);
      this.layout = new FingerprintTable(size.buckets(), size.fingerprintBits());
    }

    long key(long hash) {
      return layout.key(layout.bucketOf(hash), layout.fingerprintOf(hash));
    }

    void add(long hash) {
      long copies = truth.get(key(hash));
      if (copies == 0 && truth.size() == capacity) {
        assertThrows(IllegalStateException.class, () -> filter.addHash(hash));
        refused++;
      } else {
        assertEquals(copies == 0, filter.addHash(hash));
        truth.addTo(key(hash), 1);
        held++;
      }
      check(hash);
    }

    void remove(long hash) {
      long copies = truth.get(key(hash));
      assertEquals(copies > 0, filter.removeHash(hash));
      if (copies > 1) {
        truth.put(key(hash), copies - 1);
      } else {
        truth.remove(key(hash));
      }
      held -= copies > 0 ? 1 : 0;
      check(hash);
    }

    void check(long hash) {
      long copies = truth.get(key(hash));
      assertEquals(copies, filter.countHash(hash));
      assertEquals(copies > 0, filter.mightContainHash(hash));
      assertEquals(held, filter.elementCount().orElseThrow());
      assertEquals(truth.size(), filter.distinctFingerprints());
    }

    void checkAll(long[] hashes) {
      for (long hash : hashes) {
        check(hash);
      }
      long pairs = 0;
      for (long key : truth.keySet()) {
        int bucket = FingerprintTable.bucketOfKey(key);
        long fingerprint = FingerprintTable.fingerprintOfKey(key);
        pairs += layout.alternate(bucket, fingerprint) == bucket ? 1 : 2;
      }
      double all = (double) layout.buckets() * FingerprintTable.values(layout.width());
      assertEquals(pairs / all, filter.expectedFpp());
    }

    void drain(long[] hashes) {
      for (long hash : hashes) {
        while (truth.containsKey(key(hash))) {
          remove(hash);
        }
      }
      checkAll(hashes);
      assertEquals(0, filter.expectedFpp());
      assertEquals(0, filter.stashed());
      assertEquals(
          CuckooFilter.create(HashStrategies.longs(), capacity, 0.5).elementCount(),
          filter.elementCount());
    }
  }

  private static long[] randomHashes(int count, long seed) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  /** Removes an element and adds another, ten million times in all, at the full capacity. */
  @Test
  @Tag("deep")
  void fullFilterChurnsForTenMillionOperations() {
    double[] rates = {0.03, 0.01, 0.002, 0.00013, 1e-6};
    for (int i = 0; i < rates.length; i++) {
      int capacity = 10_000;
      long[] hashes = randomHashes(2 * capacity, SEED + i);
      Model model = new Model(capacity, rates[i]);
      for (int j = 0; j < capacity; j++) {
        model.add(hashes[j]);
      }
      SplittableRandom random = new SplittableRandom(SEED);
      for (int step = 0; step < 1_000_000; step++) {
        int leaving = random.nextInt(capacity);
        int coming = capacity + random.nextInt(capacity);
        model.remove(hashes[leaving]);
        model.add(hashes[coming]);
        long swap = hashes[leaving];
        hashes[leaving] = hashes[coming];
        hashes[coming] = swap;
      }
      model.checkAll(hashes);
      model.drain(hashes);
    }
  }

  /** Twice as many elements as fit, copies of all, additions refused all the time. */
  @Tag("deep")
  @Test
  void overloadedFilterOfCopiesRefusesAndForgetsExactly() {
    int refused = 0;
    for (int capacity : new int[] {1, 2, 3, 4, 7, 8, 20, 50, 100, 1000}) {
      long[] hashes = randomHashes(2 * capacity, SEED + capacity);
      for (double fpp : new double[] {0.03, 0.002, 1e-6}) {
        Model model = new Model(capacity, fpp);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 6; round++) {
          for (int step = 0; step < 8000; step++) {
            long hash = hashes[random.nextInt(hashes.length)];
            if (random.nextInt(100) < (round % 2 == 0 ? 80 : 30)) {
              model.add(hash);
            } else {
              model.remove(hash);
            }
          }
          model.checkAll(hashes);
        }
        model.drain(hashes);
        refused += model.refused;
      }
    }
    assertTrue(refused > 10_000, "refused " + refused);
  }

  @Test
  @Tag("deep")
  void aMillionCopiesOfOneElementBlockNoOther() {
    int capacity = 1000;
    long[] hashes = randomHashes(capacity, SEED);
    Model model = new Model(capacity, 0.002);
    for (int i = 0; i < 1_000_000; i++) {
      model.add(hashes[0]);
    }
    for (long hash : hashes) {
      model.add(hash);
    }
    model.checkAll(hashes);
    assertEquals(1_000_001, model.filter.countHash(hashes[0]));
    for (int i = 0; i < 1_000_000; i++) {
      model.remove(hashes[0]);
    }
    model.checkAll(hashes);
    model.drain(hashes);
  }

  /** Second copies take places, up to the number planned, and give way to elements that come. */
  @Test
  void copiesOfAllElementsGiveWayToNewOnes() {
    for (double fpp : new double[] {0.03, 0.002}) {
      int capacity = 10_000;
      long[] hashes = randomHashes(capacity, SEED);
      Model model = new Model(capacity, fpp);
      for (int copies = 0; copies < 5; copies++) {
        for (int i = 0; i < capacity / 2; i++) {
          model.add(hashes[i]);
        }
      }
      for (int i = capacity / 2; i < capacity; i++) {
        model.add(hashes[i]);
      }
      for (long hash : hashes) {
        model.add(hash);
      }
      model.checkAll(hashes);
      assertTrue(model.filter.stashed() <= 2, model.filter.toString());
      model.drain(hashes);
    }
  }

  /** As few copies as elements share by chance are kicked like others, but give way too. */
  @Test
  void fewCopiesGiveWayToNewElements() {
    int capacity = 10_000;
    int copies = 310;
    long[] hashes = randomHashes(capacity, SEED);
    CuckooFilter<Long> filter = CuckooFilter.create(HashStrategies.longs(), capacity, 1e-6);
    filter.addHashes(hashes, 0, capacity - copies);
    filter.addHashes(hashes, 0, copies);
    filter.addHashes(hashes, capacity - copies, copies);
    assertEquals(capacity, filter.distinctFingerprints());
    assertEquals(0, filter.stashed());
    for (int i = 0; i < capacity; i++) {
      assertEquals(i < copies ? 2 : 1, filter.countHash(hashes[i]));
    }
  }

  @Test
  void copiesGiveWayToNewElementsBesideAFullStashToo() {
    Model model = new Model(1000, 1e-6);
    long[] crowded =
        new SplittableRandom(SEED)
            .longs()
            .filter(hash -> inFirstBuckets(model.layout, hash))
            .limit(300)
            .toArray();
    for (long hash : crowded) {
      model.add(hash);
    }
    int stashed = model.filter.stashed();
    assertTrue(stashed >= 280, "stashed " + stashed);
    long[] hashes = randomHashes(700, SEED);
    for (int copies = 0; copies < 2; copies++) {
      for (int i = 0; i < 450; i++) {
        model.add(hashes[i]);
      }
    }
    for (long hash : hashes) {
      model.add(hash);
    }
    model.checkAll(hashes);
    assertTrue(model.filter.stashed() <= stashed + 2, model.filter.toString());
  }

  /** More fingerprints than places in the buckets they may stand in: the rest is in the stash. */
  @Test
  void stashTakesWhatFindsNoPlaceAndIsEmptiedAgain() {
    Model model = new Model(1000, 0.002);
    SplittableRandom random = new SplittableRandom(SEED);
    long[] hashes =
        random.longs().filter(hash -> inFirstBuckets(model.layout, hash)).limit(100).toArray();
    int most = 0;
    for (long hash : hashes) {
      model.add(hash);
      most = Math.max(most, model.filter.stashed());
    }
    assertTrue(most >= model.truth.size() - 5 * FingerprintTable.SLOTS, "stashed " + most);
    assertTrue(most > 50, "stashed " + most);
    model.checkAll(hashes);
    assertTrue(model.filter.expectedFpp() > 0);

    CuckooFilter<Long> copy = model.filter.copy();
    copy.clear();
    assertEquals(0, copy.stashed());
    assertEquals(most, model.filter.stashed());

    SplittableRandom order = new SplittableRandom(SEED);
    for (int step = 0; step < 10_000; step++) {
      long hash = hashes[order.nextInt(hashes.length)];
      if (order.nextBoolean()) {
        model.add(hash);
      } else {
        model.remove(hash);
      }
    }
    model.checkAll(hashes);
    // Places that become free are taken from the stash, before all is gone.
    for (int i = 0; i < 95; i++) {
      while (model.filter.mightContainHash(hashes[i])) {
        model.remove(hashes[i]);
      }
    }
    assertEquals(0, model.filter.stashed());
    model.drain(hashes);
  }

  private static boolean inFirstBuckets(FingerprintTable layout, long hash) {
    int bucket = layout.bucketOf(hash);
    return bucket < 5 && layout.alternate(bucket, layout.fingerprintOf(hash)) < 5;
  }

  /** Weak or hostile hashes cost speed and memory, not answers. */
  @Test
  void hashesOfOneBucketOrOneFingerprintAreHeld() {
    long[] special = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0xffffffffL, 1L << 32};
    long[] oneBucket = new long[1000];
    Arrays.setAll(oneBucket, i -> i * 0x9e3779b9L & 0xffffffffL);
    long[] oneFingerprint = new long[1000];
    Arrays.setAll(oneFingerprint, i -> (long) i << 54);
    long[] small = new long[1000];
    Arrays.setAll(small, i -> i);
    for (long[] hashes : new long[][] {special, oneBucket, oneFingerprint, small}) {
      for (double fpp : new double[] {0.03, 0.002, 1e-6}) {
        Model model = new Model(hashes.length, fpp);
        for (int copies = 0; copies < 3; copies++) {
          for (long hash : hashes) {
            model.add(hash);
          }
        }
        model.checkAll(hashes);
        for (long hash : hashes) {
          model.remove(hash);
        }
        model.checkAll(hashes);
        assertFalse(model.filter.elementCount().isEmpty());
        model.drain(hashes);
      }
    }
  }
}
