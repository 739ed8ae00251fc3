package io.bloomkit.bench.subject;

import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import org.fastfilter.Filter;
import org.fastfilter.bloom.EmptyFilters;
import org.fastfilter.bloom.count.EmptyCountingFilters;

/**
 * Creates FastFilter's filters. They support numbers only, and additions and removals return no
 * result.
 */
final class FastFilter implements Maker {

  /**
   * The smallest integer number of bits per element for which the false-positive rate of the
   * blocked filters is below 1 %.
   */
  private static final int BLOCKED_BITS = 11;

  /** The smallest integer number of bits per element for which that rate is below 0.1 %. */
  private static final int STRICT_BLOCKED_BITS = 23;

  private static final double STRICT = 0.001;

  private final Factory factory;

  private FastFilter(Factory factory) {
    this.factory = factory;
  }

  static Maker bloom() {
    return new FastFilter(
        (n, fpp) -> {
          FlatShape shape = Shape.of(n, fpp);
          return EmptyFilters.bloom(n, (double) shape.positions() / n, shape.hashes());
        });
  }

  static Maker blocked() {
    return new FastFilter((n, fpp) -> EmptyFilters.blocked(n, blockedBits(fpp)));
  }

  static Maker counting() {
    return new FastFilter(
        (n, fpp) -> {
          FlatShape shape = Shape.of(n, fpp);
          return EmptyCountingFilters.counting(n, (double) shape.positions() / n, shape.hashes());
        });
  }

  static Maker succinctBlocked() {
    return new FastFilter(
        (n, fpp) ->
            EmptyCountingFilters.succinctBlocked(n, blockedBits(fpp), Shape.of(n, fpp).hashes()));
  }

  private static int blockedBits(double fpp) {
    return fpp > STRICT ? BLOCKED_BITS : STRICT_BLOCKED_BITS;
  }

  @Override
  public LongFilter longs(int elements, double fpp) {
    Filter filter = factory.create(elements, fpp);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        filter.add(key);
        return true;
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mayContain(key);
      }

      @Override
      public boolean remove(long key) {
        filter.remove(key);
        return true;
      }

      @Override
      public long bits() {
        return filter.getBitCount();
      }
    };
  }

  private interface Factory {
    Filter create(int elements, double fpp);
  }
}
