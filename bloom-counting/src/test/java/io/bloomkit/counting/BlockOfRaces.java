package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;
import java.util.SplittableRandom;

/**
 * Where the elements of {@link CountingRaces} lie in a filter of one block: each takes two counters
 * of its own in one word and one or both of two common counters in another word. Of these one gets
 * more than the other, so an operation on the word may find one of them full and the other not.
 */
final class BlockOfRaces {

  static final BlockedShape SHAPE = new BlockedShape(1, 128, 4);

  private static final int OWN_WORD = 2;
  private static final int COMMON_WORD = 5;

  /** The counter that all have in common. */
  private static final int COMMON = 7;

  private static final long BOTH_COMMON = 1L << COMMON | 1L << 8;

  /** As in the flat filter, X comes to the common counter last and the others first. */
  private static final long X = hashOf(OWN_WORD, 0b000011, COMMON_WORD, BOTH_COMMON);

  private static final long Y = hashOf(COMMON_WORD, 1L << COMMON, OWN_WORD, 0b001100);
  private static final long Z = hashOf(COMMON_WORD, BOTH_COMMON, OWN_WORD, 0b110000);

  private BlockOfRaces() {}

  /** A hash that takes given words, and given counters in each. */
  private static long hashOf(int first, long inFirst, int second, long inSecond) {
    SplittableRandom random = new SplittableRandom(1);
    while (true) {
      long hash = random.nextLong();
      if (BlockedIndexDerivation.firstWord(hash, BlockedShape.WORDS_PER_BLOCK) == first
          && BlockedIndexDerivation.secondWord(hash, BlockedShape.WORDS_PER_BLOCK) == second
          && bits(BlockedIndexDerivation.firstState(hash)) == inFirst
          && bits(BlockedIndexDerivation.secondState(hash)) == inSecond) {
        return hash;
      }
    }
  }

  private static long bits(long state) {
    return BlockedIndexDerivation.counterBits(state, SHAPE.hashes() / 2);
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
    return ofRaces == 1
        ? 16 * COMMON_WORD + COMMON
        : 16 * OWN_WORD + (ofRaces == 0 ? 0 : 2 * (ofRaces - 1));
  }

  /**
   * Counters that are not zero if so many of the races' four are, X's among them: two of each
   * element and the two common ones.
   */
  static long nonZeroCounters(long ofRaces) {
    return 2 * ofRaces;
  }
}
