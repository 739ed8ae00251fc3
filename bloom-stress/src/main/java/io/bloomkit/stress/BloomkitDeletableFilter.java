package io.bloomkit.stress;

import io.bloomkit.DeletableFilter;

/**
 * A counting filter of Bloomkit in a race.
 *
 * @param <F> the class of the filter
 */
abstract class BloomkitDeletableFilter<F extends DeletableFilter<Long>> extends BloomkitFilter<F>
    implements RacedDeletableFilter {

  BloomkitDeletableFilter(F filter) {
    super(filter);
  }

  @Override
  public final boolean remove(long hash) {
    return filter.removeHash(hash);
  }

  @Override
  public final long count(long hash) {
    return filter.countHash(hash);
  }

  @Override
  public final long bytes() {
    return filter.memoryBytes();
  }
}
