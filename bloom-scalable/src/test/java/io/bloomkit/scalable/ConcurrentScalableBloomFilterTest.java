package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.internal.ConcurrentRunner;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promise of a concurrent filter, with real threads. */
@Timeout(60)
class ConcurrentScalableBloomFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final int THREADS = 4;
  private static final double FPP = 0.01;

  private static ScalableBloomFilter.Builder<Long> builder(long initialCapacity) {
    return ScalableBloomFilter.builder(LONGS).expecting(initialCapacity, FPP).concurrent();
  }

  private static void assertWithinTheBound(ScalableBloomFilter<Long> filter) {
    List<ScalableBloomFilter.LayerState> state = filter.layers();
    for (ScalableBloomFilter.LayerState layer : state) {
      assertTrue(
          layer.expectedFpp() <= BloomFormulas.layerFpp(FPP, 0.85, layer.index()), state::toString);
    }
    assertTrue(filter.expectedFpp() <= FPP, state::toString);
  }

  @Test
  void elementsOfAllThreadsStayWhileLayersAreMade() {
    int elements = 100_000;
    for (int round = 0; round < 3; round++) {
      ScalableBloomFilter<Long> filter = builder(1).build();
      BooleanSupplier[] threads = new BooleanSupplier[THREADS];
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        threads[t] =
            () -> {
              boolean positive = true;
              for (long i = thread; i < elements; i += THREADS) {
                filter.add(i);
                positive &=
                    filter.mightContain(i)
                        && filter.mightContain(thread + i / 2 / THREADS * THREADS);
              }
              return positive;
            };
      }
      for (boolean positive : ConcurrentRunner.runAll(threads)) {
        assertTrue(positive, "an added element is negative");
      }
      LongStream.range(0, elements).forEach(i -> assertTrue(filter.mightContain(i)));
      assertEquals(OptionalLong.of(elements), filter.elementCount());
      assertEquals(elements, (double) filter.approximateElementCount(), 0.02 * elements);
      assertWithinTheBound(filter);
    }
  }

  @Test
  void copiesAndFiltersThatWereReadTakeManyThreadsToo() throws IOException {
    int elements = 100_000;
    for (int round = 0; round < 4; round++) {
      ScalableBloomFilter.Builder<Long> builder = builder(1000);
      ScalableBloomFilter<Long> empty = builder.build();
      ScalableBloomFilter<Long> filter =
          round % 2 == 0 ? empty.copy() : builder.<Long>fromBytes(empty.toBytes());
      BooleanSupplier[] threads = new BooleanSupplier[THREADS];
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        threads[t] =
            () -> {
              for (long i = thread; i < elements; i += THREADS) {
                filter.add(i);
              }
              return true;
            };
      }
      ConcurrentRunner.runAll(threads);
      LongStream.range(0, elements).forEach(i -> assertTrue(filter.mightContain(i)));
      assertEquals(OptionalLong.of(elements), filter.elementCount());
      assertWithinTheBound(filter);
    }
  }

  @Test
  void boundHoldsAtEveryMomentWhileThreadsAdd() {
    ScalableBloomFilter<Long> filter = builder(10).build();
    BooleanSupplier[] threads = new BooleanSupplier[THREADS];
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      threads[t] =
          () -> {
            for (long i = 0; i < 50_000; i++) {
              filter.add((long) thread << 32 | i);
              if (i % 64 == 0) {
                assertWithinTheBound(filter);
              }
            }
            return true;
          };
    }
    for (boolean done : ConcurrentRunner.runAll(threads)) {
      assertTrue(done, "see what its thread threw");
    }
    assertTrue(filter.layerCount() > 5);
  }

  /** As many layers as one thread would make: no layer is made twice, or left half full. */
  @Test
  void layersAreFilledBeforeTheNextIsMade() {
    ScalableBloomFilter<Long> filter = builder(1000).build();
    ScalableBloomFilter<Long> alone = builder(1000).build();
    BooleanSupplier[] threads = new BooleanSupplier[THREADS];
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      threads[t] =
          () -> {
            for (long i = thread; i < 100_000; i += THREADS) {
              filter.add(i);
            }
            return true;
          };
    }
    ConcurrentRunner.runAll(threads);
    LongStream.range(0, 100_000).forEach(alone::add);
    assertEquals(
        alone.layers().stream().map(ScalableBloomFilter.LayerState::shape).toList(),
        filter.layers().stream().map(ScalableBloomFilter.LayerState::shape).toList());
    for (int i = 0; i < alone.layerCount() - 1; i++) {
      assertEquals(
          (double) alone.layers().get(i).setPositions(),
          (double) filter.layers().get(i).setPositions(),
          10.0 * THREADS + 16);
    }
  }
}
