package io.bloomkit.stress;

import io.bloomkit.InsertableFilter;
import java.util.List;

/**
 * One of our filters in a race.
 *
 * @param <F> which
 */
abstract class OurFilter<F extends InsertableFilter<Long>> implements RacedFilter {

  final F filter;

  OurFilter(F filter) {
    this.filter = filter;
  }

  /** What the filter knows of its contents without looking at them. */
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
  public final boolean holdsTheSameAs(RacedFilter other) {
    return other instanceof OurFilter<?> that
        && filter.equals(that.filter)
        && figures().equals(that.figures());
  }
}
