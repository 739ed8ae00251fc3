package io.bloomkit.hash;

import java.util.function.LongUnaryOperator;

/** A strategy over long numbers that consists of an id, a function and a fingerprint. */
record FunctionLongHashStrategy(String id, LongUnaryOperator function, long fingerprint)
    implements LongHashStrategy {

  @Override
  public long hashLong(long element) {
    return function.applyAsLong(element);
  }

  @Override
  public String toString() {
    return id;
  }
}
