package io.bloomkit.scalable;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.formattests.FilterKindContract;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;

class ScalableKindsTest implements FilterKindContract {

  @Override
  public List<FilterKind> kinds() {
    return List.of(ScalableBloomFilter.KIND);
  }

  @Override
  public List<String> labels() {
    return List.of("scalable");
  }

  @Override
  public List<StorableFilter<Long>> filters(
      LongHashStrategy strategy, long expectedInsertions, double fpp) {
    return List.of(ScalableBloomFilter.create(strategy, expectedInsertions, fpp));
  }
}
