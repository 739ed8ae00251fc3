package io.bloomkit.scalable.aging;

import io.bloomkit.testkit.Deep;

@Deep
class SlicesFilterContractTest implements AgingFilterContract<Long, SlicesFilter> {

  @Override
  public SlicesFilter newFilter(long lastAdditions, double fpp) {
    return new SlicesFilter(lastAdditions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public boolean add(SlicesFilter filter, Long element) {
    return filter.add(element);
  }

  @Override
  public boolean addHash(SlicesFilter filter, long hash) {
    return filter.addHash(hash);
  }

  @Override
  public void clear(SlicesFilter filter) {
    filter.clear();
  }

  @Override
  public long additionsUntilForgotten(SlicesFilter filter) {
    return filter.additionsUntilForgotten();
  }
}
