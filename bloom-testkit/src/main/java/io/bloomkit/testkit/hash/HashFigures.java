package io.bloomkit.testkit.hash;

import java.util.List;

/**
 * Data for charts of an {@linkplain HashStrategyExamination examination}: how evenly the keys
 * spread over positions, and how often a flipped key bit flips each bit of the hash.
 *
 * @param keysPerRange the number of keys in each of {@value #RANGES} equal ranges of the positions
 *     of a filter. A key counts in the range of its first {@linkplain io.bloomkit.Shape#positionOf
 *     position}.
 * @param flipShares one list for each key bit that was flipped, in ascending order of the key bits.
 *     Entry j of a list, from 0 to 63, is the fraction of tested keys in which flipping the key bit
 *     flips bit j of the hash. The fraction is about one half for a good hash. Empty if no key bits
 *     were flipped.
 */
public record HashFigures(List<Integer> keysPerRange, List<List<Double>> flipShares) {

  /** The number of ranges of positions in {@link #keysPerRange()}, 256. */
  public static final int RANGES = 256;

  /** Creates the data with copies of the lists. */
  public HashFigures {
    keysPerRange = List.copyOf(keysPerRange);
    flipShares = flipShares.stream().map(List::copyOf).toList();
  }
}
