package io.bloomkit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.HashMap;
import java.util.Map;

/**
 * An oracle for tiny filters of split blocks that shares nothing with the formulas: of all outcomes
 * of the choices of block, pair of words and positions it counts those that lead to a state, and of
 * all queries those that each state claims. A state is one mask of all positions.
 */
final class SplitBlocksByCounting {

  private static final int WORDS = 8;

  private final int blocks;
  private final int perWord;
  private final int half;
  private final BigInteger outcomesOfOne;
  private final int elements;
  private Map<Long, Long> outcomesByState = Map.of(0L, 1L);

  SplitBlocksByCounting(int elements, int blocks, int perWord, int hashes) {
    this.elements = elements;
    this.blocks = blocks;
    this.perWord = perWord;
    this.half = hashes / 2;
    this.outcomesOfOne = BigInteger.valueOf(28L * blocks).multiply(power(perWord, hashes));
    Map<Long, Long> elementsByMask = elementsByMask();
    for (int i = 0; i < elements; i++) {
      Map<Long, Long> next = new HashMap<>();
      outcomesByState.forEach(
          (state, count) ->
              elementsByMask.forEach(
                  (mask, ways) ->
                      next.merge(state | mask, Math.multiplyExact(count, ways), Math::addExact)));
      outcomesByState = next;
    }
  }

  private Map<Long, Long> elementsByMask() {
    Map<Long, Long> throwsByWord = Map.of(0L, 1L);
    for (int i = 0; i < half; i++) {
      Map<Long, Long> next = new HashMap<>();
      throwsByWord.forEach(
          (word, count) -> {
            for (int position = 0; position < perWord; position++) {
              next.merge(word | 1L << position, count, Math::addExact);
            }
          });
      throwsByWord = next;
    }
    Map<Long, Long> ofWord = throwsByWord;
    Map<Long, Long> elementsByMask = new HashMap<>();
    for (int block = 0; block < blocks; block++) {
      for (int one = 0; one < WORDS; one++) {
        for (int other = 0; other < one; other++) {
          int shiftOfOne = (block * WORDS + one) * perWord;
          int shiftOfOther = (block * WORDS + other) * perWord;
          ofWord.forEach(
              (a, countOfA) ->
                  ofWord.forEach(
                      (b, countOfB) ->
                          elementsByMask.merge(
                              a << shiftOfOne | b << shiftOfOther,
                              countOfA * countOfB,
                              Math::addExact)));
        }
      }
    }
    return elementsByMask;
  }

  double fpp() {
    BigInteger claimed = BigInteger.ZERO;
    for (Map.Entry<Long, Long> entry : outcomesByState.entrySet()) {
      BigInteger queries = BigInteger.valueOf(claimedQueries(entry.getKey()));
      claimed = claimed.add(queries.multiply(BigInteger.valueOf(entry.getValue())));
    }
    return fraction(claimed, elements + 1);
  }

  private long claimedQueries(long state) {
    long claimed = 0;
    for (int block = 0; block < blocks; block++) {
      for (int one = 0; one < WORDS; one++) {
        for (int other = 0; other < one; other++) {
          long setOfBoth = (long) setOfWord(state, block, one) * setOfWord(state, block, other);
          claimed += power(setOfBoth, half).longValueExact();
        }
      }
    }
    return claimed;
  }

  private int setOfWord(long state, int block, int word) {
    long ofWord = (state >>> ((block * WORDS + word) * perWord)) & ((1L << perWord) - 1);
    return Long.bitCount(ofWord);
  }

  double mean() {
    return fraction(sumOfSet(1), elements);
  }

  /** E[X²] − E[X]², subtracted before it is rounded. */
  double variance() {
    BigInteger sum = sumOfSet(1);
    BigInteger all = outcomesOfOne.pow(elements);
    return fraction(sumOfSet(2).multiply(all).subtract(sum.multiply(sum)), 2 * elements);
  }

  private BigInteger sumOfSet(int exponent) {
    BigInteger sum = BigInteger.ZERO;
    for (Map.Entry<Long, Long> entry : outcomesByState.entrySet()) {
      BigInteger set = power(Long.bitCount(entry.getKey()), exponent);
      sum = sum.add(set.multiply(BigInteger.valueOf(entry.getValue())));
    }
    return sum;
  }

  private double fraction(BigInteger numerator, int powerOfOutcomes) {
    return new BigDecimal(numerator)
        .divide(new BigDecimal(outcomesOfOne.pow(powerOfOutcomes)), new MathContext(25))
        .doubleValue();
  }

  private static BigInteger power(long base, int exponent) {
    return BigInteger.valueOf(base).pow(exponent);
  }
}
