package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.Racer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promise of a concurrent filter, with real threads. */
@Timeout(60)
class ConcurrentBlockedBloomFilterTest {

  private static final int THREADS = 4;

  /** Of bits, and of quarters of words as filters of counters become; two blocks and many. */
  private static final List<BlockedShape> SHAPES =
      List.of(
          new BlockedShape(2, 512, 2),
          new BlockedShape(2, 128, 2),
          new BlockedShape(1000, 512, 6),
          new BlockedShape(4000, 128, 4));

  private static BlockedBloomFilter<Long> concurrentFilter(BlockedShape shape) {
    BlockedBloomFilter<Long> filter =
        BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent().build();
    return filter.copy(); // which must be as concurrent
  }

  private interface ThreadTask {
    boolean run(int thread);
  }

  private static void race(ThreadTask task) {
    boolean[] done =
        Racer.race(
            IntStream.range(0, THREADS)
                .mapToObj(thread -> (BooleanSupplier) () -> task.run(thread))
                .toArray(BooleanSupplier[]::new));
    for (boolean kept : done) {
      assertTrue(kept, "an added element is negative");
    }
  }

  @Test
  void racingAdditionsAreAllKeptAndGiveTheBitsOfASequentialFilter() {
    for (BlockedShape shape : SHAPES) {
      int rounds = shape.blocks() == 2 ? 20_000 : 1;
      long elements = shape.blocks() == 2 ? 64 : 100_000;
      List<BlockedBloomFilter<Long>> filters = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        filters.add(concurrentFilter(shape));
      }
      race(
          thread -> {
            boolean kept = true;
            for (BlockedBloomFilter<Long> filter : filters) {
              for (long i = thread; i < elements; i += THREADS) {
                filter.add(i);
                kept &= filter.mightContain(i);
              }
            }
            return kept;
          });
      BlockedBloomFilter<Long> sequential =
          BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).build();
      LongStream.range(0, elements).forEach(sequential::add);
      for (BlockedBloomFilter<Long> filter : filters) {
        assertEquals(sequential, filter);
        assertEquals(elements, filter.elementCount().orElseThrow());
      }
    }
  }

  @Test
  void ofRacingFirstAdditionsAtLeastOneReturnsTrue() {
    for (BlockedShape shape : SHAPES.subList(0, 2)) {
      long[] hashes = new SplittableRandom(16).longs(20_000).toArray();
      List<BlockedBloomFilter<Long>> filters = new ArrayList<>();
      for (int i = 0; i < hashes.length; i++) {
        filters.add(concurrentFilter(shape));
      }
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
}
