package io.bloomkit.testkit;

import io.bloomkit.BloomFormulas;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.IndexDerivation;
import java.util.BitSet;

/** The simplest right Bloom filter, for the contracts to pass on and for broken ones to extend. */
class BitSetFilter implements InsertableFilter<Long> {

  final Shape shape;
  final BitSet bits = new BitSet();

  BitSetFilter(long expectedInsertions, double fpp) {
    this.shape = Shape.of(expectedInsertions, fpp);
  }

  @Override
  public boolean add(Long element) {
    return addHash(strategy().hashLong(element));
  }

  @Override
  public boolean addHash(long hash) {
    boolean absent = false;
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < shape.hashes(); i++) {
      int position = (int) IndexDerivation.position(state, shape.positions());
      absent |= !bits.get(position);
      bits.set(position);
      state = IndexDerivation.next(state);
    }
    return absent;
  }

  @Override
  public boolean mightContain(Long element) {
    return mightContainHash(strategy().hashLong(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < shape.hashes(); i++) {
      if (!bits.get((int) IndexDerivation.position(state, shape.positions()))) {
        return false;
      }
      state = IndexDerivation.next(state);
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
