package io.bloomkit.stress;

import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;

/** Four bits of one word. */
final class OurClassicFilter extends OurFilter<ClassicBloomFilter<Long>> {

  private static final Shape SHAPE = new Shape(4, 2);

  OurClassicFilter() {
    super(ClassicBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build());
  }

  @Override
  public long positions() {
    return SHAPE.positions();
  }

  @Override
  public int hashes() {
    return SHAPE.hashes();
  }

  @Override
  public BitSet taken() {
    return BitSet.valueOf(filter.toLongArray());
  }

  @Override
  List<Object> figures() {
    return List.of(filter.elementCount(), filter.setPositions());
  }
}
