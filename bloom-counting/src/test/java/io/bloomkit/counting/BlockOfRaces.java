package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import java.util.SplittableRandom;

/**
 * Where the elements of {@link CountingRaces} lie in a block of a filter: each takes two counters
 * of its own in one word; in another word X and Y take the common counter and the one after it, and
 * Z the common one and one of its own. So an operation on that word may find one counter full and
 * another not, and a removal of Y finds all that it takes of that word above zero while X is there.
 */
final class BlockOfRaces {

  static final BlockedShape SHAPE = new BlockedShape(2, 128, 4);

  /** The counters that an element takes of a word. */
  static final int PER_WORD = SHAPE.hashes() / 2;

  private static final int OWN_WORD = 2;
  private static final int COMMON_WORD = 5;

  /** The counter that all have in common. */
  private static final int COMMON = 7;

  /** The lower one of the two counters of an element in its own word. */
  private static final int OF_X = 0;

  private static final int OF_Y = 4;
  private static final int OF_Z = 9;

  /** How much further the upper one is. */
  private static final int OWN_DISTANCE = 2;

  /** As in the flat filter, X comes to the common counter last and the others first. */
  private static final long X = hashOf(OWN_WORD, OF_X, OWN_DISTANCE, COMMON_WORD, COMMON, 1);

  private static final long Y = hashOf(COMMON_WORD, COMMON, 1, OWN_WORD, OF_Y, OWN_DISTANCE);
  private static final long Z = hashOf(COMMON_WORD, COMMON, 3, OWN_WORD, OF_Z, OWN_DISTANCE);

  private BlockOfRaces() {}

  /** A hash that takes two words, a counter of each and the one some counters further on. */
  private static long hashOf(
      int firstWord, int first, int distance, int secondWord, int second, int secondDistance) {
    long[] positions = {
      16 * firstWord + first,
      16 * firstWord + first + distance,
      16 * secondWord + second,
      16 * secondWord + second + secondDistance
    };
    return new SplittableRandom(1)
        .longs()
        .filter(h -> takes(h, positions))
        .findFirst()
        .orElseThrow();
  }

  private static boolean takes(long hash, long[] positions) {
    for (int i = 0; i < positions.length; i++) {
      if (SHAPE.positionOf(hash, i) != positions[i]) {
        return false;
      }
    }
    return true;
  }

  /** The hash that stands for one of the races' own. */
  static long hash(long ofRaces) {
    if (ofRaces == CountingRaces.X) {
      return X;
    }
    return ofRaces == CountingRaces.Y ? Y : Z;
  }

  /** The counter that stands for one of the races' four: of X, the common one, of Y, of Z. */
  static int counter(int ofRaces) {
    return switch (ofRaces) {
      case 0 -> 16 * OWN_WORD + OF_X;
      case 1 -> 16 * COMMON_WORD + COMMON;
      case 2 -> 16 * OWN_WORD + OF_Y;
      default -> 16 * OWN_WORD + OF_Z;
    };
  }

  /**
   * Counters that are not zero if a given number of the races' four are, X's and the common one
   * among them: two of each element's own word, the common one, the one after it, and Z's other
   * one.
   */
  static long nonZeroCounters(long ofRaces, boolean holdsZ) {
    return 2 * (ofRaces - 1) + (holdsZ ? 3 : 2);
  }
}
