package io.bloomkit.stress;

import io.bloomkit.InsertableFilter;
import java.util.List;

/**
 * A filter of Bloomkit in a race.
 *
 * @param <F> the class of the filter
 */
abstract class BloomkitFilter<F extends InsertableFilter<Long>> implements RacedFilter {

  final F filter;

  BloomkitFilter(F filter) {
    this.filter = filter;
  }

  /** Returns the figures on its contents that the filter maintains. */
  abstract List<Object> figures();

  @Override
  public boolean add(long hash) {
    return filter.addHash(hash);
  }

  @Override
  public final boolean mightContain(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public final boolean hasSameContents(RacedFilter other) {
    return other instanceof BloomkitFilter<?> that
        && filter.equals(that.filter)
        && figures().equals(that.figures());
  }
}
