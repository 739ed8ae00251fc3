package io.bloomkit.bench.subject;

/** Creates empty filters of one kind. */
public interface Maker {

  /**
   * Returns an empty filter of numbers.
   *
   * @param elements the expected number of elements
   * @param fpp the planned false-positive rate
   */
  LongFilter longs(int elements, double fpp);

  /**
   * Returns an empty filter of texts.
   *
   * @param elements the expected number of elements
   * @param fpp the planned false-positive rate
   */
  default TextFilter texts(int elements, double fpp) {
    throw new IllegalStateException("this filter does not support texts");
  }
}
