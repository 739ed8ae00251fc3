package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.LayeredFormulas;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * What {@link ScalableCountingBloomFilterTest}, {@link BlockedScalableCountingBloomFilterTest} and
 * {@link SpareLayerTest} have in common.
 */
final class CountingLayersSamples {

  static final LongHashStrategy LONGS = HashStrategies.longs();
  static final long CAPACITY = 16;
  static final double FPP = 0.2;
  static final double TIGHTENING = 0.85;

  private CountingLayersSamples() {}

  static ScalableCountingBloomFilter<Long> filter() {
    return ScalableCountingBloomFilter.create(LONGS, CAPACITY, FPP);
  }

  /**
   * The same history for any filter: it grows to 12,000 elements, shrinks to a few, grows again,
   * lives on at one size for a while, and ends empty. Beside it goes an exact multiset. Only what
   * is held is removed.
   */
  static final class History {
    private static final int[] SIZES = {12_000, 60, 9_000, 200, 12_000, 12_000, 0};

    private final SplittableRandom random = new SplittableRandom(4);
    final List<Long> held = new ArrayList<>();
    private long nextElement;

    /** Returns how many elements that are stored were negative, or their removal refused. */
    int lose(
        LongConsumer add, LongPredicate remove, LongPredicate isPositive, Runnable afterEachStep) {
      int lost = 0;
      for (int i = 0; i < SIZES.length; i++) {
        int least = 3 * Math.abs(SIZES[i] - held.size());
        for (int step = 0; step < least || held.size() != SIZES[i]; step++) {
          boolean growing = held.isEmpty() || random.nextInt(4) < (held.size() < SIZES[i] ? 3 : 1);
          if (growing) {
            // One in four is a copy of what is there already.
            long element =
                held.isEmpty() || random.nextInt(4) > 0 ? nextElement++ : held.get(someHeld());
            add.accept(LONGS.hash(element));
            held.add(element);
          } else {
            int some = someHeld();
            long element = held.set(some, held.get(held.size() - 1));
            held.remove(held.size() - 1);
            lost += remove.test(LONGS.hash(element)) ? 0 : 1;
          }
          afterEachStep.run();
        }
        for (long element : held) {
          lost += isPositive.test(LONGS.hash(element)) ? 0 : 1;
        }
      }
      return lost;
    }

    private int someHeld() {
      return random.nextInt(held.size());
    }
  }

  static ScalableCountingBloomFilter<Long> blocked() {
    return ScalableCountingBloomFilter.builder(LONGS).expecting(CAPACITY, FPP).blocked().build();
  }

  static void assertIsAsNew(
      ScalableCountingBloomFilter<Long> filter, ScalableCountingBloomFilter<Long> asNew) {
    assertEquals(asNew.state(), filter.state());
    assertEquals(0, filter.state().layers().get(0).setPositions());
    assertEquals(0, filter.expectedFpp());
    assertEquals(asNew.memoryBytes(), filter.memoryBytes());
    assertEquals(OptionalLong.of(0), filter.elementCount());
  }

  static void assertWithinTheBound(ScalableCountingBloomFilter<Long> filter) {
    long seen = 0;
    ScalableFilterState state = filter.state();
    for (ScalableFilterState.Layer layer : state.layers()) {
      assertEquals(0, seen >>> layer.index() & 1, () -> "an index twice: " + state);
      seen |= 1L << layer.index();
      assertTrue(
          layer.expectedFpp() <= LayeredFormulas.layerFpp(FPP, TIGHTENING, layer.index()),
          state::toString);
    }
    assertTrue(state.expectedFpp() <= FPP, state::toString);
    assertEquals(state.expectedFpp(), filter.expectedFpp());
  }

  /** Adds 0, 1, 2 … until there is a given number of layers; returns the next number. */
  static long fill(ScalableCountingBloomFilter<Long> filter, int layers) {
    return fillFrom(0, filter, layers);
  }

  static long fillFrom(long first, ScalableCountingBloomFilter<Long> filter, int layers) {
    long next = first;
    while (filter.layerCount() < layers) {
      assertTrue(next < first + 100_000, () -> filter + " does not grow");
      filter.add(next++);
    }
    return next;
  }

  static void assertRefused(String name, Object value, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).toString();
    assertTrue(message.contains(name) && message.contains(value.toString()), message);
  }
}
