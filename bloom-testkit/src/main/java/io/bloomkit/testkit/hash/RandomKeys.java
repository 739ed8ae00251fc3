package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.FairCoins;
import java.util.Arrays;
import java.util.List;

/**
 * Tests whether the bits of keys are random. No two such keys are similar, so the identity function
 * is a good hash of them.
 */
final class RandomKeys {

  /** The probability that keys with random bits are not recognized; they then get more tests. */
  private static final double ALPHA = 1e-6;

  /**
   * Keys count as random only if they have at least this number times log2 n varying bits. Then n
   * random keys are a small part of all combinations: among 2^18 keys of 54 bits, two keys that
   * differ in only one bit occur with a probability of 1/10,000.
   */
  private static final int SPARSE = 3;

  private static final int MAX_WORDS = 8;

  private RandomKeys() {}

  /**
   * Returns whether the varying bits of keys are fair, pairwise independent and numerous enough.
   *
   * @param keys a sample of the keys
   * @param size the total number of keys
   */
  static boolean areCoinFlips(List<?> keys, int size) {
    int wordCount = keys.isEmpty() ? 0 : KeyTypes.wordsOf(keys.get(0)).length;
    if (wordCount == 0 || wordCount > MAX_WORDS) {
      return false;
    }
    long[][] byWord = new long[wordCount][keys.size()];
    for (int i = 0; i < keys.size(); i++) {
      long[] ofKey = KeyTypes.wordsOf(keys.get(i));
      if (ofKey.length != wordCount) {
        return false;
      }
      for (int word = 0; word < wordCount; word++) {
        byWord[word][i] = ofKey[word];
      }
    }
    return areCoinFlips(
        Arrays.stream(byWord).map(word -> new BitColumns(word, keys.size())).toList(),
        keys.size(),
        SPARSE * Math.log(size) / Math.log(2));
  }

  private static boolean areCoinFlips(List<BitColumns> words, int sampled, double minBits) {
    int[] varying = new int[words.size() * Long.SIZE];
    int bits = 0;
    for (int bit = 0; bit < varying.length; bit++) {
      int ones = words.get(bit / Long.SIZE).ones(bit % Long.SIZE);
      if (ones != 0 && ones != sampled) {
        varying[bits++] = bit;
      }
    }
    if (bits < minBits) {
      return false;
    }
    FairCoins coins = new FairCoins(0);
    coins.begin(sampled);
    for (int i = 0; i < bits; i++) {
      BitColumns word = words.get(varying[i] / Long.SIZE);
      int bit = varying[i] % Long.SIZE;
      coins.count(word.ones(bit), RandomKeys::unnamed, i, i);
      for (int j = 0; j < i; j++) {
        BitColumns other = words.get(varying[j] / Long.SIZE);
        coins.count(
            word.differences(bit, other, varying[j] % Long.SIZE), RandomKeys::unnamed, i, j);
      }
    }
    return coins.pValue() >= ALPHA;
  }

  private static String unnamed(int first, int second) {
    return "";
  }
}
