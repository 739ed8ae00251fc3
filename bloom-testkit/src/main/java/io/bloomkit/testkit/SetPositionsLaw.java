package io.bloomkit.testkit;

/** How the number of set positions of a filter of one size is distributed. */
interface SetPositionsLaw {

  /** Returns k, how many positions an element takes. */
  int hashes();

  /** Returns the rate at a number of distinct elements. */
  double fpp(long elements);

  /** Returns the mean number of set positions after a number of distinct elements. */
  double mean(long elements);

  double variance(long elements);

  /** Returns P(X = x) at index x, for few elements. */
  double[] distribution(long elements);

  /** Returns the size as a message shows it. */
  Record shape();
}
