package io.bloomkit.testkit.hash;

import java.util.List;

/**
 * The data of the charts of an examination.
 *
 * @param keysPerRange the numbers of keys whose first position is in each of {@value #RANGES} equal
 *     ranges of a filter
 * @param flipShares for each bit of a key, the share of keys for which flipping it flips hash bit
 *     0, 1, … 63: about one half each for a good hash; empty if the bits of the keys cannot be
 *     flipped
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
