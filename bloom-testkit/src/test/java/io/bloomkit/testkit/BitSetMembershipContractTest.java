package io.bloomkit.testkit;

import io.bloomkit.MembershipFilter;
import java.util.List;

class BitSetMembershipContractTest implements MembershipFilterContract<Long> {

  @Override
  public MembershipFilter<Long> filterOf(List<Long> elements) {
    BitSetFilter filter = new BitSetFilter(Math.max(1, elements.size()), 0.01);
    elements.forEach(filter::add);
    return filter;
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
