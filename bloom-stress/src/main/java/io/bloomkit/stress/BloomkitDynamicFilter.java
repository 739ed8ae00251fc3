package io.bloomkit.stress;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;

/** A dynamic cuckoo filter whose tables hold about forty fingerprints. */
final class BloomkitDynamicFilter extends BloomkitDeletableFilter<DynamicCuckooFilter<Long>> {

  BloomkitDynamicFilter() {
    this(DynamicCuckooFilter.builder(HashStrategies.longs()).expecting(20, 1e-5).build());
  }

  private BloomkitDynamicFilter(DynamicCuckooFilter<Long> filter) {
    super(filter);
  }

  @Override
  public BloomkitDynamicFilter copy() {
    return new BloomkitDynamicFilter(filter.copy());
  }

  @Override
  public long positions() {
    return CorrectGrowingFilter.POSITIONS;
  }

  @Override
  public int hashes() {
    return CorrectGrowingFilter.HASHES;
  }

  @Override
  public BitSet occupied() {
    BitSet occupied = new BitSet();
    double all = filter.shape().fingerprints();
    filter.forEachFingerprint(
        (fingerprint, copies) ->
            CorrectGrowingFilter.occupy(occupied, (long) (fingerprint / all * 0x1p32) << 32));
    return occupied;
  }

  @Override
  List<Object> figures() {
    return List.of(filter.elementCount(), filter.distinctFingerprints());
  }
}
