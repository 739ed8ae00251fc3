package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.internal.ConcurrentRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promise of concurrent filters, with real threads. */
@Timeout(60)
class ConcurrentBitFilterTest {

  private static final int THREADS = 4;

  /** Blocks of bits, and of quarters of words as filters of counters become. */
  private static final List<Shape> TWO_BLOCKS =
      List.of(new BlockedShape(2, 512, 2), new BlockedShape(2, 128, 2));

  private static final List<Shape> MANY_POSITIONS =
      List.of(
          new FlatShape(479_253, 7),
          new BlockedShape(1000, 512, 6),
          new BlockedShape(4000, 128, 4));

  private static BitFilter<Long> filter(Shape shape) {
    return shape instanceof FlatShape flat
        ? ClassicBloomFilter.<Long>builder(HashStrategies.longs()).shape(flat).build()
        : BlockedBloomFilter.<Long>builder(HashStrategies.longs())
            .shape((BlockedShape) shape)
            .build();
  }

  /** Copies, which must be as concurrent. */
  private static List<BitFilter<Long>> concurrentFilters(Shape shape, int number) {
    BitFilter<Long> filter =
        shape instanceof FlatShape flat
            ? ClassicBloomFilter.<Long>builder(HashStrategies.longs())
                .shape(flat)
                .concurrent()
                .build()
            : BlockedBloomFilter.<Long>builder(HashStrategies.longs())
                .shape((BlockedShape) shape)
                .concurrent()
                .build();
    List<BitFilter<Long>> filters = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      filters.add(BitFilter.copyOf(filter));
    }
    return filters;
  }

  private interface ThreadTask {
    boolean run(int thread);
  }

  private static void race(ThreadTask task) {
    boolean[] done =
        ConcurrentRunner.runAll(
            IntStream.range(0, THREADS)
                .mapToObj(thread -> (BooleanSupplier) () -> task.run(thread))
                .toArray(BooleanSupplier[]::new));
    for (boolean positive : done) {
      assertTrue(positive, "an added element is negative");
    }
  }

  @Test
  void concurrentAdditionsAreAllStoredAndGiveTheBitsOfASequentialFilter() {
    TWO_BLOCKS.forEach(shape -> assertAllAreStored(concurrentFilters(shape, 20_000), shape, 64));
    MANY_POSITIONS.forEach(
        shape -> assertAllAreStored(concurrentFilters(shape, 1), shape, 100_000));
  }

  private static void assertAllAreStored(
      List<BitFilter<Long>> filters, Shape shape, long elements) {
    race(
        thread -> {
          boolean positive = true;
          for (BitFilter<Long> filter : filters) {
            for (long i = thread; i < elements; i += THREADS) {
              filter.add(i);
              positive &= filter.mightContain(i);
            }
          }
          return positive;
        });
    BitFilter<Long> sequential = filter(shape);
    LongStream.range(0, elements).forEach(sequential::add);
    for (BitFilter<Long> filter : filters) {
      assertEquals(sequential, filter);
      assertEquals(sequential.setPositions(), filter.setPositions());
      assertEquals(elements, filter.elementCount().orElseThrow());
    }
    assertEquals(sequential, BitFilter.copyOf(filters.get(0)));
  }

  @Test
  void ofRacingFirstAdditionsAtLeastOneReturnsTrue() {
    for (Shape shape : TWO_BLOCKS) {
      long[] hashes = new SplittableRandom(16).longs(20_000).toArray();
      List<BitFilter<Long>> filters = concurrentFilters(shape, hashes.length);
      boolean[][] added = new boolean[THREADS][hashes.length];
      race(
          thread -> {
            for (int i = 0; i < hashes.length; i++) {
              added[thread][i] = filters.get(i).addHash(hashes[i]);
            }
            return true;
          });
      for (int i = 0; i < hashes.length; i++) {
        int at = i;
        assertTrue(
            IntStream.range(0, THREADS).anyMatch(thread -> added[thread][at]),
            "none of racing first additions returned true");
      }
    }
  }

  /** One hash, all bits in two words: every addition is a race for a word with every other. */
  @Test
  void ofRacingAdditionsExactlyOneSetsEachBit() {
    List<BitFilter<Long>> filters = concurrentFilters(new FlatShape(128, 1), 20_000);
    AtomicInteger added = new AtomicInteger();
    race(
        thread -> {
          int own = 0; // a shared count would space the threads out
          for (BitFilter<Long> filter : filters) {
            for (int i = 0; i < 128; i++) {
              long hashOfBit = ((i + 32L * thread) % 128 << (Long.SIZE - 7)) | 1;
              if (filter.addHash(hashOfBit)) {
                own++;
              }
            }
          }
          added.addAndGet(own);
          return true;
        });
    assertEquals(filters.size() * 128, added.get());
    for (BitFilter<Long> filter : filters) {
      assertEquals(128, filter.setPositions());
      assertEquals(1, filter.expectedFpp());
      assertEquals(THREADS * 128L, filter.elementCount().orElseThrow());
    }
  }
}
