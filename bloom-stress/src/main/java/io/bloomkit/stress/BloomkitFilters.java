package io.bloomkit.stress;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.BitFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CounterFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/** The filters of Bloomkit in races, except those with a file of their own. */
final class BloomkitFilters {

  private BloomkitFilters() {}

  /** A filter of bits. */
  private static final class OfBits extends BloomkitFilter<BitFilter<Long>> {

    OfBits(BitFilter<Long> filter) {
      super(filter);
    }

    @Override
    public long positions() {
      return filter.shape().positions();
    }

    @Override
    public int hashes() {
      return filter.shape().hashes();
    }

    @Override
    public BitSet occupied() {
      return BitSet.valueOf(filter.toLongArray());
    }

    @Override
    List<Object> figures() {
      return List.of(filter.elementCount(), filter.setPositions());
    }
  }

  /** Returns a classic filter with four positions in one word. */
  static RacedFilter classic() {
    return new OfBits(
        ClassicBloomFilter.builder(HashStrategies.longs())
            .shape(new FlatShape(4, 2))
            .concurrent()
            .build());
  }

  /** Returns a blocked filter of two lines. An element sets two bits in each of two words. */
  static RacedFilter blocked() {
    return new OfBits(
        BlockedBloomFilter.builder(HashStrategies.longs())
            .shape(new BlockedShape(2, 512, 4))
            .concurrent()
            .build());
  }

  /** A filter of counters. */
  private static final class OfCounters<F extends CounterFilter<Long>>
      extends BloomkitDeletableFilter<F> {

    private final UnaryOperator<F> copying;

    OfCounters(F filter, UnaryOperator<F> copying) {
      super(filter);
      this.copying = copying;
    }

    @Override
    public OfCounters<F> copy() {
      return new OfCounters<>(copying.apply(filter), copying);
    }

    @Override
    public long positions() {
      return filter.shape().positions();
    }

    @Override
    public int hashes() {
      return filter.shape().hashes();
    }

    @Override
    public BitSet occupied() {
      BitSet occupied = new BitSet();
      for (int i = 0; i < positions(); i++) {
        occupied.set(i, filter.counter(i) != 0);
      }
      return occupied;
    }

    @Override
    List<Object> figures() {
      return List.of(filter.elementCount(), filter.nonZeroCounters());
    }
  }

  /** Returns a counting filter with four counters in one word. */
  static RacedFilter counting() {
    return new OfCounters<>(
        CountingBloomFilter.builder(HashStrategies.longs())
            .shape(new FlatShape(4, 2))
            .concurrent()
            .<Long>build(),
        CountingBloomFilter::copy);
  }

  /**
   * Returns a blocked counting filter of two lines. An element takes two counters in each of two
   * words.
   */
  static RacedFilter blockedCounting() {
    return new OfCounters<>(
        BlockedCountingBloomFilter.builder(HashStrategies.longs())
            .shape(new BlockedShape(2, 128, 4))
            .concurrent()
            .<Long>build(),
        BlockedCountingBloomFilter::copy);
  }
}
