package io.bloomkit.hash;

import java.util.Objects;
import java.util.function.ToLongFunction;

/** A strategy that consists of an id, a function and a fingerprint. */
record FunctionHashStrategy<T>(String id, ToLongFunction<? super T> function, long fingerprint)
    implements HashStrategy<T> {

  @Override
  public long hash(T element) {
    return function.applyAsLong(Objects.requireNonNull(element, "element"));
  }

  @Override
  public String toString() {
    return id;
  }
}
