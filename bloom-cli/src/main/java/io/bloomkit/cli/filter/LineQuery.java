package io.bloomkit.cli.filter;

/** Returns whether a line may be in a filter. */
@FunctionalInterface
interface LineQuery {

  /** Returns false if the line, a range of an array, is certainly not in the filter. */
  boolean mightContain(byte[] bytes, int from, int to);
}
