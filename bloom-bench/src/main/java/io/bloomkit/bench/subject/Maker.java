package io.bloomkit.bench.subject;

/** Creates empty filters of one kind. */
public interface Maker {

  /** The number of hash functions in runs whose call sites see several of them. */
  int STRATEGIES = 3;

  /** Describes the form in which a primitive key reaches the filter, boxing and copies included. */
  default String longKeys() {
    return "primitive";
  }

  /**
   * Returns an empty filter of numbers.
   *
   * @param elements the expected number of elements
   * @param fpp the planned false-positive rate
   * @param strategy the index of the hash function, below {@link #STRATEGIES}; function 0 is
   *     measured, and kinds with a single function ignore the index
   */
  LongFilter longs(int elements, double fpp, int strategy);

  /**
   * Returns an empty filter of texts.
   *
   * @param elements the expected number of elements
   * @param fpp the planned false-positive rate
   * @param strategy the index of the hash function, as for {@link #longs}
   */
  default TextFilter texts(int elements, double fpp, int strategy) {
    throw new IllegalStateException("this filter does not support texts");
  }
}
