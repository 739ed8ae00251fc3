package io.bloomkit.testkit.hash;

import java.util.List;

/**
 * What of an examination is worth a picture.
 *
 * @param keysPerRange how many keys have their first position in each of {@value #RANGES} equal
 *     ranges of a filter
 * @param flipShares for each bit of a key, from its first, the shares of keys in which flipping it
 *     flips output bit 0, 1, … 63: one half each if all is well; empty if the keys have no bits
 */
public record HashFigures(List<Integer> keysPerRange, List<List<Double>> flipShares) {

  /** The number of ranges. */
  public static final int RANGES = 256;

  /** Copies the lists. */
  public HashFigures {
    keysPerRange = List.copyOf(keysPerRange);
    flipShares = flipShares.stream().map(List::copyOf).toList();
  }
}
