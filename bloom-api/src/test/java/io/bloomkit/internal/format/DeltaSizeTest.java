package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How long the code of a delta is, compared with the entropy of the changes. */
class DeltaSizeTest {

  /** Returns words with a given number of set bits at uniformly random places. */
  private static long[] withSetBits(int words, int setBits, SplittableRandom random) {
    long[] array = new long[words];
    int bits = Long.SIZE * words;
    int remaining = setBits;
    for (int i = 0; i < bits; i++) {
      if (random.nextInt(bits - i) < remaining) {
        array[i / Long.SIZE] |= 1L << i;
        remaining--;
      }
    }
    return array;
  }

  /** N · H(c / N): what no code goes below on average if any c of N bits may change. */
  private static double entropy(double changed, double all) {
    double share = changed / all;
    return share == 0 || share == 1
        ? 0
        : -all * (share * Math.log(share) + (1 - share) * Math.log1p(-share)) / Math.log(2);
  }

  /** Hundredths of all bits, at random places: less than a word is lost by whole words. */
  @Test
  void codeOfAnyShareOfChangesIsNearTheEntropyAndNoLongerThanTheFilter()
      throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(6);
    int words = 2000;
    int bits = Long.SIZE * words;
    long[] before = random.longs(words).toArray();
    for (int percent = 0; percent <= 100; percent++) {
      int changed = (int) ((long) bits * percent / 100);
      int code = DeltaSamples.codeWordCount(before, withSetBits(words, changed, random));
      double maxOverhead = percent >= 20 && percent <= 80 ? 1.05 : 1.03;
      double max = Math.min(bits, maxOverhead * entropy(changed, bits) + Long.SIZE - 1);
      assertTrue((long) Long.SIZE * code <= max, percent + " %: " + code + " words, " + max);
    }
  }

  @Test
  void codeOfFewChangesAndOfAllButFewIsNearTheEntropyOnAverage() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(7);
    int words = 50;
    int bits = Long.SIZE * words;
    for (int few = 1; few <= 100; few = few * 3 / 2 + 1) {
      for (int changed : new int[] {few, bits - few}) {
        double codeBits = 0;
        int times = 100;
        for (int i = 0; i < times; i++) {
          codeBits +=
              DeltaSamples.codeWordCount(new long[words], withSetBits(words, changed, random));
        }
        codeBits *= (double) Long.SIZE / times;
        double max = 1.03 * entropy(changed, bits) + Long.SIZE - 1;
        assertTrue(codeBits <= max, changed + ": " + codeBits + " bits, " + max);
      }
    }
  }

  /** Of words that have a pattern, too: any unit, some of its bits, in any share of places. */
  @Test
  void codeOfNoPatternIsLongerThanTheFilter() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(8);
    int words = 100;
    for (int i = 0; i < 1000; i++) {
      int unit = 1 << random.nextInt(7);
      long mask = random.nextLong() >>> (Long.SIZE - unit);
      int rarity = 1 + random.nextInt(5);
      boolean fixed = random.nextBoolean();
      long background = random.nextInt(3) == 0 ? -1 : 0;
      long[] changes = new long[words];
      Arrays.fill(changes, background);
      for (int place = 0; place < Long.SIZE * words; place += unit) {
        if (random.nextInt(rarity) == 0) {
          long bits = fixed ? mask : random.nextLong() & mask;
          changes[place / Long.SIZE] ^= bits << place;
        }
      }
      int code = DeltaSamples.codeWordCount(new long[words], changes);
      assertTrue(code <= words, () -> code + " words for " + Arrays.toString(changes));
    }
  }
}
