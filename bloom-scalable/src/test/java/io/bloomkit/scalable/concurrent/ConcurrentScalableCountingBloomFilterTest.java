package io.bloomkit.scalable.concurrent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.scalable.ScalableCountingBloomFilter;
import io.bloomkit.testkit.ConcurrentDeletableFilterContract;
import io.bloomkit.testkit.Racer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The promise of a concurrent growing filter with removals, with real threads. */
class ConcurrentScalableCountingBloomFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static ScalableCountingBloomFilter.Builder<Long> builder(long capacity, double fpp) {
    return ScalableCountingBloomFilter.builder(LONGS).expecting(capacity, fpp);
  }

  /** Begun so small that layers are made and dropped all the time. */
  @Nested
  class WithFlatLayers implements ConcurrentDeletableFilterContract<Long> {

    @Override
    public ScalableCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return builder(1 + expectedInsertions / 16, fpp).concurrent().build();
    }

    @Override
    public boolean equalsInAnyOrder() {
      return false;
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  @Nested
  class WithBlockedLayers implements ConcurrentDeletableFilterContract<Long> {

    @Override
    public ScalableCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
      ScalableCountingBloomFilter.Builder<Long> builder = builder(1 + expectedInsertions / 16, fpp);
      return builder.blocked().concurrent().build();
    }

    @Override
    public boolean equalsInAnyOrder() {
      return false;
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  /** Every layer has the same counters in both forms, so the bytes written are the same. */
  @Test
  void theConcurrentFormWritesTheBytesOfTheOther() throws Exception {
    for (boolean blocked : new boolean[] {false, true}) {
      ScalableCountingBloomFilter.Builder<Long> plainBuilder = builder(10, 0.01);
      ScalableCountingBloomFilter.Builder<Long> sharedBuilder = builder(10, 0.01).concurrent();
      if (blocked) {
        plainBuilder.blocked();
        sharedBuilder.blocked();
      }
      ScalableCountingBloomFilter<Long> plain = plainBuilder.build();
      ScalableCountingBloomFilter<Long> shared = sharedBuilder.build();
      assertEquals(plainBuilder.memoryBytes(10), shared.memoryBytes());
      SplittableRandom random = new SplittableRandom(20_261_125);
      for (int step = 0; step < 20_000; step++) {
        long hash = LONGS.hash(random.nextLong(1_500));
        if (random.nextInt(10) < (step / 4_000 % 2 == 0 ? 7 : 4)) {
          assertEquals(plain.addHash(hash), shared.addHash(hash));
        } else {
          assertEquals(plain.removeHash(hash), shared.removeHash(hash));
        }
        assertEquals(plain.countHash(hash), shared.countHash(hash));
      }
      assertEquals(plain.headroom(), shared.headroom());
      assertEquals(plain.state(), shared.state());
      assertArrayEquals(plain.toBytes(), shared.toBytes());
      assertEquals(plain, shared);
      ScalableCountingBloomFilter<Long> read = sharedBuilder.fromBytes(plain.toBytes());
      assertTrue(read.isConcurrent() && read.copy().isConcurrent());
      assertFalse(plain.isConcurrent() || plain.copy().isConcurrent());
      assertEquals(plain, read);
      assertArrayEquals(plain.toBytes(), read.toBytes());
      shared.clear();
      plain.clear();
      assertEquals(plain, shared);
      assertEquals(plain.memoryBytes(), shared.memoryBytes());
    }
  }

  /** Each is a moment between two updates: the writer always adds both or removes both. */
  @Test
  void copiesAndClearingSeeWholeUpdates() {
    ScalableCountingBloomFilter<Long> filter = builder(4, 0.01).concurrent().build();
    AtomicBoolean isDone = new AtomicBoolean();
    long[] batch = LongStream.range(0, 200).map(LONGS::hash).toArray();
    boolean[] sound =
        Racer.race(
            () -> {
              try {
                for (int round = 0; round < 2_000; round++) {
                  filter.addHashes(batch);
                  filter.clear();
                }
              } finally {
                isDone.set(true);
              }
              return true;
            },
            () -> {
              boolean isWhole = true;
              while (!isDone.get()) {
                ScalableCountingBloomFilter<Long> copy = filter.copy();
                long elements = copy.elementCount().orElseThrow();
                isWhole &= elements == 0 || elements == batch.length;
                for (long hash : batch) {
                  isWhole &= elements == 0 || copy.removeHash(hash);
                }
                isWhole &= copy.approximateElementCount() == 0;
              }
              return isWhole;
            });
    assertTrue(sound[0] && sound[1], "a copy is not of a moment between two updates");
    assertEquals(builder(4, 0.01).build(), filter);
  }

  /** Nobody sees a part of it, though the filter is full when the last of it comes. */
  @Test
  void refusedBatchesAreNeverSeen() {
    ScalableCountingBloomFilter<Long> filter =
        builder(1, 1e-12).tighteningRatio(0.01).concurrent().build();
    long[] tooMany = LongStream.range(0, 1_000).map(LONGS::hash).toArray();
    AtomicBoolean isDone = new AtomicBoolean();
    boolean[] sound =
        Racer.race(
            () -> {
              try {
                for (int round = 0; round < 50; round++) {
                  assertThrows(IllegalStateException.class, () -> filter.addHashes(tooMany));
                }
              } finally {
                isDone.set(true);
              }
              return true;
            },
            () -> {
              boolean isSeen = false;
              while (!isDone.get()) {
                isSeen |= filter.mightContainHash(tooMany[0]) || filter.layerCount() > 1;
              }
              return !isSeen;
            });
    assertTrue(sound[1], "a part of a refused batch was seen");
    assertTrue(sound[0], "a batch was not refused");
  }
}
