package io.bloomkit.stress;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;

/** A dynamic cuckoo filter whose tables hold about forty fingerprints. */
final class OurDynamicFilter extends OurDeletableFilter<DynamicCuckooFilter<Long>> {

  OurDynamicFilter() {
    this(DynamicCuckooFilter.builder(HashStrategies.longs()).expecting(20, 1e-5).build());
  }

  private OurDynamicFilter(DynamicCuckooFilter<Long> filter) {
    super(filter);
  }

  @Override
  public OurDynamicFilter copy() {
    return new OurDynamicFilter(filter.copy());
  }

  @Override
  public long positions() {
    return SoundGrowingFilter.POSITIONS;
  }

  @Override
  public int hashes() {
    return SoundGrowingFilter.HASHES;
  }

  @Override
  public BitSet taken() {
    BitSet taken = new BitSet();
    double all = filter.shape().fingerprints();
    filter.forEachFingerprint(
        (fingerprint, copies) ->
            SoundGrowingFilter.take(taken, (long) (fingerprint / all * 0x1p32) << 32));
    return taken;
  }

  @Override
  List<Object> figures() {
    return List.of(filter.elementCount(), filter.distinctFingerprints());
  }
}
