package io.bloomkit.hash;

import java.util.function.LongUnaryOperator;

/** A strategy over long numbers made of its parts. */
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
