package io.bloomkit.testkit.hash;

import java.util.List;

/**
 * The data of the charts of an examination.
 *
 * @param keysPerRange the number of keys whose first position by {@link
 *     io.bloomkit.Shape#positionOf} lies in each of {@value #RANGES} equal ranges of positions
 * @param flipShares a list of 64 fractions for each key bit that was flipped, in ascending order of
 *     the key bits. Number j is the fraction of the keys in which flipping the key bit flips bit j
 *     of the hash, about one half for a good hash. Empty if no key bits were flipped.
 */
public record HashFigures(List<Integer> keysPerRange, List<List<Double>> flipShares) {

  /** The number of ranges. */
  public static final int RANGES = 256;

  /** Creates the data with copies of the lists. */
  public HashFigures {
    keysPerRange = List.copyOf(keysPerRange);
    flipShares = flipShares.stream().map(List::copyOf).toList();
  }
}
