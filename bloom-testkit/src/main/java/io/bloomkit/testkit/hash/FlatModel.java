package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.SetPositionsLaw;
import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.internal.IndexDerivation;

/** The set positions of a flat filter, as its formulas see it. */
final class FlatModel implements FilterModel {

  private final Shape shape;
  private final long[] words;

  FlatModel(Shape shape) {
    this.shape = shape;
    words = new long[Math.toIntExact((shape.positions() + Long.SIZE - 1) / Long.SIZE)];
  }

  @Override
  public String label() {
    return "a model of flat filters";
  }

  @Override
  public SetPositionsLaw law() {
    return SetPositionsLaw.of(shape);
  }

  @Override
  public void add(long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < shape.hashes(); i++) {
      long position = IndexDerivation.position(state, shape.positions());
      words[(int) (position >>> 6)] |= 1L << position;
      state = IndexDerivation.next(state);
    }
  }

  @Override
  public boolean mightContain(long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < shape.hashes(); i++) {
      long position = IndexDerivation.position(state, shape.positions());
      if ((words[(int) (position >>> 6)] >>> position & 1) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  @Override
  public long setPositions() {
    long set = 0;
    for (long word : words) {
      set += Long.bitCount(word);
    }
    return set;
  }

  @Override
  public double rateOfState() {
    return BloomFormulas.fppAtFill(setPositions(), shape.positions(), shape.hashes());
  }
}
