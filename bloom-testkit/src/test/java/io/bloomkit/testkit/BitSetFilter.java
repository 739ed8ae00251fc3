package io.bloomkit.testkit;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.BitSet;

/** The simplest right Bloom filter, for the contracts to pass on and for broken ones to extend. */
class BitSetFilter implements InsertableFilter<Long> {

  final FlatShape shape;
  final BitSet bits = new BitSet();

  BitSetFilter(long expectedInsertions, double fpp) {
    this.shape = Shape.of(expectedInsertions, fpp);
  }

  @Override
  public boolean addHash(long hash) {
    boolean absent = false;
    for (int i = 0; i < shape.hashes(); i++) {
      int position = (int) shape.positionOf(hash, i);
      absent |= !bits.get(position);
      bits.set(position);
    }
    return absent;
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < shape.hashes(); i++) {
      if (!bits.get((int) shape.positionOf(hash, i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void clear() {
    bits.clear();
  }

  long setPositions() {
    return bits.cardinality();
  }

  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), shape.positions(), shape.hashes());
  }

  @Override
  public long approximateElementCount() {
    return Math.round(
        BloomFormulas.estimatedElements(setPositions(), shape.positions(), shape.hashes()));
  }

  @Override
  public long memoryBytes() {
    return (shape.positions() + Byte.SIZE - 1) / Byte.SIZE;
  }

  @Override
  public LongHashStrategy strategy() {
    return HashStrategies.longs();
  }
}
