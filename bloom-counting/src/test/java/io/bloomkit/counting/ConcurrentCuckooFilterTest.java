package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.ConcurrentDeletableFilterContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The promise of a concurrent filter, with real threads. When full it has no place to spare. */
class ConcurrentCuckooFilterTest implements ConcurrentDeletableFilterContract<Long> {

  private static final int WRITERS = 4;
  private static final long SEED = 20261124;

  private static CuckooFilter.Builder<Long> builder(long capacity, double fpp) {
    return CuckooFilter.builder(HashStrategies.longs()).expecting(capacity, fpp);
  }

  /** Hashes of a writer that no other writer has. */
  private static long hash(int writer, long number) {
    return new SplittableRandom(number * WRITERS + writer).nextLong();
  }

  @Override
  public CuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return builder(expectedInsertions, fpp).concurrent().build();
  }

  @Override
  public Long element(long index) {
    return index;
  }

  /** The threads add the same elements, more than fit: each is added once, or refused by all. */
  @Test
  void ofRacingFirstAdditionsOneReturnsTrueUntilTheFilterIsFull() throws Exception {
    int capacity = 1_000;
    CuckooFilter<Long> filter = builder(capacity, 1e-6).concurrent().build();
    AtomicInteger first = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(WRITERS);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        tasks.add(
            () -> {
              start.await();
              int refused = 0;
              for (long number = 0; number < capacity + 100; number++) {
                try {
                  first.addAndGet(filter.addHash(hash(0, number)) ? 1 : 0);
                } catch (IllegalStateException full) {
                  refused++;
                }
              }
              return refused;
            });
      }
      for (Future<Integer> refused : threads.invokeAll(tasks)) {
        assertEquals(100, refused.get());
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
    assertEquals(capacity, first.get());
    assertEquals(capacity, filter.distinctFingerprints());
    assertEquals((long) WRITERS * capacity, filter.elementCount().orElseThrow());
  }

  /** Every fingerprint has the same place in both forms, so the bytes written are the same. */
  @Test
  void theConcurrentFormWritesTheBytesOfTheOther() throws Exception {
    for (int capacity : new int[] {1, 5, 20, 100, 2_000}) {
      for (double fpp : new double[] {0.03, 0.002, 1e-6}) {
        CuckooFilter<Long> shared = builder(capacity, fpp).concurrent().build();
        CuckooFilter<Long> plain = builder(capacity, fpp).build();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int step = 0; step < 20 * capacity; step++) {
          long hash = hash(0, random.nextInt(capacity + capacity / 4));
          if (random.nextInt(10) < 7) {
            assertEquals(added(plain, hash), added(shared, hash));
          } else {
            assertEquals(plain.removeHash(hash), shared.removeHash(hash));
          }
        }
        assertArrayEquals(plain.toBytes(), shared.toBytes());
        CuckooFilter<Long> read =
            CuckooFilter.builder(HashStrategies.longs()).concurrent().fromBytes(shared.toBytes());
        assertTrue(read.isConcurrent());
        assertTrue(read.copy().isConcurrent());
        assertEquals(plain, read);
      }
    }
  }

  private static int added(CuckooFilter<Long> filter, long hash) {
    try {
      return filter.addHash(hash) ? 1 : 0;
    } catch (IllegalStateException full) {
      return -1;
    }
  }

  /** Returns different hashes, all of the same two buckets. */
  private static long[] hashesOfTwoBuckets(CuckooShape size, int count) {
    FingerprintTable layout = new FingerprintTable(size.buckets(), size.fingerprintBits());
    return new SplittableRandom(SEED)
        .longs()
        .filter(hash -> layout.bucketOf(hash) == 0)
        .filter(hash -> layout.partner(0, layout.fingerprintOf(hash)) == 1)
        .limit(count)
        .toArray();
  }

  /** Fifteen, sixteen and seventeen hashes more than the eight places of two buckets. */
  @Test
  void whatIsStashedIsFoundHoweverMuchItIs() throws Exception {
    for (int stashed : new int[] {1, 15, 16, 17, 40}) {
      CuckooFilter<Long> filter = builder(1_000, 1e-6).concurrent().build();
      long[] hashes = hashesOfTwoBuckets(CuckooShape.of(1_000, 1e-6), 8 + stashed);
      filter.addHashes(hashes, 0, hashes.length);
      assertEquals(stashed, filter.stashed());
      CuckooFilter<Long> copy = filter.copy();
      CuckooFilter<Long> read =
          CuckooFilter.builder(HashStrategies.longs()).concurrent().fromBytes(filter.toBytes());
      for (long hash : hashes) {
        assertTrue(copy.mightContainHash(hash));
        assertTrue(read.mightContainHash(hash));
      }
      for (long hash : hashes) {
        assertTrue(filter.mightContainHash(hash));
        assertTrue(filter.removeHash(hash));
        assertFalse(filter.mightContainHash(hash));
      }
      assertEquals(0, filter.stashed());
    }
  }

  /** Nothing else makes a query read the versions of its buckets while no update runs. */
  @Test
  void aQueryReadsItsBucketsOnceUnlessTheStashHoldsKeys() {
    CuckooShape size = CuckooShape.of(10, 1e-6);
    FingerprintMultiset filter = new FingerprintMultiset(size, true);
    assertTrue(isQuiet(filter));
    long[] hashes = hashesOfTwoBuckets(size, 10);
    for (int i = 0; i < 10; i++) {
      filter.add(hashes[i]);
      assertEquals(i < 8, isQuiet(filter));
    }
    assertEquals(2, filter.stashed());
    assertEquals(2, filter.copy().stashed());
    assertFalse(isQuiet(filter.copy()));
    assertThrows(IllegalStateException.class, () -> filter.add(hash(0, 0)));
    for (int i = 0; i < 10; i++) {
      filter.remove(hashes[i]);
      assertEquals(filter.stashed() == 0, isQuiet(filter));
    }
    for (int i = 0; i < 10; i++) {
      filter.add(hash(0, i));
    }
    assertEquals(0, filter.stashed());
    assertThrows(IllegalStateException.class, () -> filter.add(hash(0, 10)));
    assertFalse(filter.remove(hash(0, 10)));
    assertTrue(isQuiet(filter));
    filter.add(hash(0, 0)); // a further copy
    assertTrue(isQuiet(filter));
    filter.clear();
    assertTrue(isQuiet(filter));
  }

  private static boolean isQuiet(FingerprintMultiset filter) {
    BucketVersions versions = Objects.requireNonNull(filter.table.versions);
    return versions.isQuietSince(versions.ended());
  }

  @Test
  void memoryIsKnownBeforeTheFilterIsBuilt() {
    for (int capacity : new int[] {1, 1_000, 100_000}) {
      CuckooFilter.Builder<Long> builder = builder(capacity, 0.01).concurrent();
      assertEquals(builder.memoryBytes(), builder.build().memoryBytes());
    }
    assertThrows(
        IllegalStateException.class,
        () -> CuckooFilter.builder(HashStrategies.longs()).concurrent().memoryBytes());
  }
}
