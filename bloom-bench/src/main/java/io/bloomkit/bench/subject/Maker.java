package io.bloomkit.bench.subject;

/** Makes empty filters of one kind. */
public interface Maker {

  /** How many hash functions an application has loaded, where the call sites are to see several. */
  int STRATEGIES = 3;

  /** Describes the form in which a primitive key reaches the filter, boxing and copies included. */
  default String longKeys() {
    return "primitive";
  }

  /**
   * Returns an empty filter of numbers.
   *
   * @param strategy which of its hash functions it takes, below {@link #STRATEGIES}; the first is
   *     the one that is measured, and kinds with one function ignore it
   */
  LongFilter longs(int elements, double fpp, int strategy);

  /**
   * Returns an empty filter of texts.
   *
   * @param strategy see {@link #longs}
   */
  default TextFilter texts(int elements, double fpp, int strategy) {
    throw new IllegalStateException("this filter takes no texts");
  }
}
