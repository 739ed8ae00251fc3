package io.bloomkit;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The formulas of Bloom filters made of blocks, each with its source. A block is what one memory
 * access brings; an element keeps to one block, so that it costs one access instead of k, and the
 * rate is higher because some blocks get more elements than others.
 *
 * <p>Letters as in {@link BloomFormulas}; besides, <i>b</i> is the number of blocks and <i>B</i>
 * the number of positions of a block, so that m = b · B.
 *
 * <p>There are two layouts. In the plain one ({@link #blockedFpp}) the k positions lie anywhere in
 * the block. In the <i>split</i> one, that of {@link BlockedShape}, a block is eight words of P =
 * B/8 positions; an element takes two different words, each of the 28 pairs as likely, and k/2
 * positions in either, uniformly, independently and with repetition. Two masks of a word then test
 * or set all positions of an element. It is the cache-sectorized filter of H. Lang, T. Neumann, A.
 * Kemper, P. Boncz, <i>Performance-optimal filtering: Bloom overtakes cuckoo at high
 * throughput</i>, 2019, with two sectors, but any two words instead of one of each half; not the
 * split block of Apache Parquet, which takes one bit of each of eight words. Its formulas follow
 * from the occupancy problem (N. Johnson, S. Kotz, <i>Urn models</i>, 1977).
 *
 * <p>Every method is a pure function and checks its arguments: one out of range is an {@link
 * IllegalArgumentException} that names it.
 */
public final class BlockedFormulas {

  /** Below this, a summand no longer changes a sum of probabilities. */
  private static final double NEGLIGIBLE = 1e-18;

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;
  private static final int PAIRS_OF_WORDS = WORDS * (WORDS - 1) / 2;

  /** How many pairs hold one given word and not another given one. */
  private static final int PAIRS_WITH_ONE_OF_TWO = WORDS - 2;

  /**
   * Binary digits after the point. A power to n loses log n of them, at most 63; the sum of a rate
   * cancels by up to 10<sup>-41</sup>, which is 137; 53 make a double.
   */
  private static final int FRACTION_BITS = 320;

  private static final BigInteger ONE = BigInteger.ONE.shiftLeft(FRACTION_BITS);

  private BlockedFormulas() {}

  /**
   * Returns the false-positive probability of a filter of blocks: an element hashes to one of b
   * blocks and its k positions lie in that block. F. Putze, P. Sanders, J. Singler, <i>Cache-,
   * hash- and space-efficient Bloom filters</i>, 2007: Σ<sub>j</sub> Binomial(n, 1/b)(j) · fpp(j,
   * B, k), with the exact fpp of a block.
   *
   * @param elements n, at least 0
   * @param blocks b, at least 1
   * @param positionsPerBlock B, at least 1
   * @param hashes k, at least 1
   */
  public static double blockedFpp(long elements, long blocks, int positionsPerBlock, int hashes) {
    FormulaArguments.checkAtLeast(1, blocks, "blocks");
    FormulaArguments.checkFilter(elements, positionsPerBlock, hashes);
    long mostThrows = FormulaArguments.throwsOf(elements, hashes);
    // The binomial weights relative to that of the most likely load, from the least load that
    // counts.
    long load = elements / blocks;
    double weight = 1;
    while (load > 0 && blocks > 1 && weight > NEGLIGIBLE) {
      weight *= load * (blocks - 1.0) / (elements - load + 1);
      load--;
    }
    OccupancyLaw law = new OccupancyLaw(positionsPerBlock, mostThrows);
    double fppAtLoad = 0;
    double weights = 0;
    double sum = 0;
    while (weight > NEGLIGIBLE * weights) {
      if (law.throwUntil(load * hashes)) {
        fppAtLoad = law.moment(hashes);
      }
      weights += weight;
      sum += weight * fppAtLoad;
      weight *= blocks == 1 ? 0 : (elements - load) / ((load + 1) * (blocks - 1.0));
      load++;
    }
    return sum / weights;
  }

  /**
   * Returns the exact false-positive probability of the split layout before anything is known of
   * the state.
   *
   * <p>With h = k/2, X the set positions of one of the two words that a query looks into and Y
   * those of the other it is E[(X/P)<sup>h</sup> · (Y/P)<sup>h</sup>]. Written out as in {@link
   * BloomFormulas#exactFpp} for both words it is Σ<sub>i</sub> Σ<sub>j</sub> a<sub>i</sub> ·
   * a<sub>j</sub> · u(i, j)<sup>n</sup> with i and j from 0 to h, where a<sub>i</sub> =
   * (−1)<sup>i</sup> · Σ<sub>d</sub> S(h,d) · (P)<sub>d</sub>/P<sup>h</sup> · C(d,i), and u(i, j)
   * is the probability that an element hits none of i given positions of the one word and none of j
   * of the other: with v<sub>i</sub> = (1 − i/P)<sup>h</sup> it is 1 − ((1 −
   * v<sub>i</sub>v<sub>j</sub>) + 6 · (1 − v<sub>i</sub>) + 6 · (1 − v<sub>j</sub>)) / 28b, because
   * of the 28 pairs of words one is the query's and six share one word with it, either way. The sum
   * cancels badly, so it is taken in whole numbers of 320 binary digits; the result is right to the
   * last bits of a double at any size. Costs some hundredth of a millisecond at k = 4 and some
   * tenths at k = 16.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to {@link Shape#MAX_POSITIONS} / B
   * @param positionsPerBlock B, a power of two from 16 to 512
   * @param hashes k, even, from 2 to 16
   */
  public static double splitBlockedFpp(
      long elements, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    int perWord = positionsPerBlock / WORDS;
    int half = hashes / 2;
    int most = Math.min(half, perWord);
    BigInteger[] coefficients = coefficients(perWord, half);
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i <= most; i++) {
      for (int j = 0; j <= i; j++) {
        BigInteger allMiss = power(ONE.subtract(hit(i, j, blocks, perWord, half)), elements);
        BigInteger summand = coefficients[i].multiply(coefficients[j]).multiply(allMiss);
        sum = sum.add(i == j ? summand : summand.shiftLeft(1));
      }
    }
    // The coefficients are multiples of P^-h, and P is a power of two.
    return Math.scalb(
        sum.doubleValue(), -FRACTION_BITS - hashes * Integer.numberOfTrailingZeros(perWord));
  }

  /**
   * Returns the mean of the number of set positions X of the split layout: m · (1 − (1 −
   * p)<sup>n</sup>), where p = (1 − (1 − 1/P)<sup>k/2</sup>) / 4b is the probability that an
   * element hits a given position; it takes a quarter of the words of its block.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to {@link Shape#MAX_POSITIONS} / B
   * @param positionsPerBlock B, a power of two from 16 to 512
   * @param hashes k, even, from 2 to 16
   */
  public static double expectedSetPositions(
      long elements, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    double logOfMiss = logOfMiss(blocks, positionsPerBlock, hashes);
    return (double) blocks * positionsPerBlock * -StrictMath.expm1(elements * logOfMiss);
  }

  /**
   * Returns the variance of the number of set positions X of the split layout, exact: m·q + m·(P −
   * 1)·q<sub>w</sub> + m·7P·q<sub>v</sub> + m·(m − B)·q<sub>o</sub> − m²·q². Here q is the
   * probability that a given position stays unset, and the others are those that two positions do:
   * of one word, of two words of a block, of two blocks. With u(i, j) as in {@link
   * #splitBlockedFpp} they are u(1, 0)<sup>n</sup>, u(2, 0)<sup>n</sup>, u(1, 1)<sup>n</sup> and
   * (2u(1, 0) − 1)<sup>n</sup>. It cancels badly and is taken in whole numbers of 320 binary
   * digits.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to {@link Shape#MAX_POSITIONS} / B
   * @param positionsPerBlock B, a power of two from 16 to 512
   * @param hashes k, even, from 2 to 16
   */
  public static double varianceOfSetPositions(
      long elements, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    if (elements == 0 || (elements == 1 && hashes == 2)) {
      return 0;
    }
    int perWord = positionsPerBlock / WORDS;
    int half = hashes / 2;
    BigInteger m = BigInteger.valueOf(blocks * positionsPerBlock);
    BigInteger hitOne = hit(1, 0, blocks, perWord, half);
    BigInteger unset = power(ONE.subtract(hitOne), elements);
    BigInteger ofWord = power(ONE.subtract(hit(2, 0, blocks, perWord, half)), elements);
    BigInteger ofTwoWords = power(ONE.subtract(hit(1, 1, blocks, perWord, half)), elements);
    BigInteger ofTwoBlocks = power(ONE.subtract(hitOne.shiftLeft(1)), elements);
    BigInteger pairs =
        ofWord
            .multiply(BigInteger.valueOf(perWord - 1))
            .add(ofTwoWords.multiply(BigInteger.valueOf(positionsPerBlock - perWord)))
            .add(ofTwoBlocks.multiply(m.subtract(BigInteger.valueOf(positionsPerBlock))));
    BigInteger mean = m.multiply(unset);
    BigInteger variance =
        mean.add(m.multiply(pairs)).subtract(mean.multiply(mean).shiftRight(FRACTION_BITS));
    return Math.max(0, Math.scalb(variance.doubleValue(), -FRACTION_BITS));
  }

  /**
   * Returns the number of distinct elements whose mean fill in the split layout ({@link
   * #expectedSetPositions}) is the given one: ln(1 − X/m) / ln(1 − p).
   *
   * @param setPositions X, from 0 to m
   * @param blocks b, from 1 to {@link Shape#MAX_POSITIONS} / B
   * @param positionsPerBlock B, a power of two from 16 to 512
   * @param hashes k, even, from 2 to 16
   * @return n, or positive infinity if every position is set
   */
  public static double estimatedElements(
      long setPositions, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(0, blocks, positionsPerBlock, hashes);
    long positions = blocks * positionsPerBlock;
    FormulaArguments.checkSet(setPositions, positions);
    // The logarithm is 0 if none is set and negative infinity if all are.
    return StrictMath.log1p(-(double) setPositions / positions)
        / logOfMiss(blocks, positionsPerBlock, hashes);
  }

  /**
   * Returns the mean number of four-bit counters of the split layout that are exceeded when
   * distinct elements are each added equally often: m · P(Binomial(n, p) · c > 15) with the p of
   * {@link #expectedSetPositions}. See {@link BloomFormulas#expectedOverflowedCounters}.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to {@link Shape#MAX_POSITIONS} / B
   * @param positionsPerBlock B, a power of two from 16 to 512
   * @param hashes k, even, from 2 to 16
   * @param copies c, how often each element is added, at least 1
   */
  public static double expectedOverflowedCounters(
      long elements, long blocks, int positionsPerBlock, int hashes, long copies) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    FormulaArguments.checkAtLeast(1, copies, "copies");
    double logOfMiss = logOfMiss(blocks, positionsPerBlock, hashes);
    return (double) blocks
        * positionsPerBlock
        * CounterOverflow.probability(elements, logOfMiss, copies);
  }

  /**
   * The false-positive probability of the split layout given the state of a filter: the mean over
   * all blocks and all pairs of their words of (X/P)<sup>k/2</sup> · (Y/P)<sup>k/2</sup>, where X
   * and Y are the set positions of the two words. With f<sub>w</sub> = (X<sub>w</sub>/P)<sup>k/2
   * </sup> it is the mean over the blocks of ((Σf)² − Σf²) / 56.
   */
  public static final class FppOfState {

    private final double[] shareAtFill;
    private int wordsOfBlock;
    private double shares;
    private double squares;
    private long blocks;
    private double sum;

    /** Begins with no word. */
    public FppOfState(BlockedShape shape) {
      int perWord = shape.positionsPerWord();
      int half = shape.hashes() / 2;
      shareAtFill = new double[perWord + 1];
      for (int x = 0; x <= perWord; x++) {
        shareAtFill[x] = StrictMath.pow((double) x / perWord, half);
      }
    }

    /**
     * Takes the next word; the words of a block follow each other.
     *
     * @param setPositions how many positions of the word are set
     * @throws IndexOutOfBoundsException if that is less than 0 or more than it has
     */
    public void addWord(int setPositions) {
      double share = shareAtFill[setPositions];
      shares += share;
      squares += share * share;
      wordsOfBlock++;
      if (wordsOfBlock == WORDS) {
        sum += shares * shares - squares;
        blocks++;
        wordsOfBlock = 0;
        shares = 0;
        squares = 0;
      }
    }

    /**
     * Returns the probability for the blocks so far.
     *
     * @throws IllegalStateException if there is none, or a block is not complete
     */
    public double fpp() {
      if (blocks == 0 || wordsOfBlock != 0) {
        throw new IllegalStateException(
            "only whole blocks have a probability, but there are "
                + blocks
                + " and "
                + wordsOfBlock
                + " words of the next");
      }
      return Math.min(1, sum / (2.0 * PAIRS_OF_WORDS) / blocks);
    }
  }

  /** ln(1 − p): how likely an element misses a given position. */
  private static double logOfMiss(long blocks, int positionsPerBlock, int hashes) {
    int half = hashes / 2;
    double logOfMissInWord = half * StrictMath.log1p(-(double) WORDS / positionsPerBlock);
    return StrictMath.log1p(StrictMath.expm1(logOfMissInWord) * 2 / WORDS / blocks);
  }

  /** P^h · a(i), i from 0 to h. */
  private static BigInteger[] coefficients(int perWord, int half) {
    BigInteger[] stirling = ExactFpp.stirlingNumbersOfTheSecondKind(half);
    BigInteger[] coefficients = new BigInteger[half + 1];
    Arrays.fill(coefficients, BigInteger.ZERO);
    long fallingFactorial = 1;
    for (int d = 1; d <= half && d <= perWord; d++) {
      fallingFactorial *= perWord - d + 1;
      BigInteger weight = stirling[d].multiply(BigInteger.valueOf(fallingFactorial));
      long binomial = 1;
      for (int i = 0; i <= d; i++) {
        BigInteger summand = weight.multiply(BigInteger.valueOf(i % 2 == 0 ? binomial : -binomial));
        coefficients[i] = coefficients[i].add(summand);
        binomial = binomial * (d - i) / (i + 1);
      }
    }
    return coefficients;
  }

  /**
   * 1 − u(i, j): how likely an element hits any of i given positions of one word or any of j of
   * another word of the block.
   */
  private static BigInteger hit(int i, int j, long blocks, int perWord, int half) {
    BigInteger all = BigInteger.valueOf(perWord).pow(half);
    BigInteger missI = BigInteger.valueOf(perWord - i).pow(half);
    BigInteger missJ = BigInteger.valueOf(perWord - j).pow(half);
    BigInteger square = all.multiply(all);
    BigInteger hitByBoth = square.subtract(missI.multiply(missJ));
    BigInteger hitByOne = square.shiftLeft(1).subtract(all.multiply(missI.add(missJ)));
    BigInteger hitOfPairs =
        hitByBoth.add(hitByOne.multiply(BigInteger.valueOf(PAIRS_WITH_ONE_OF_TWO)));
    BigInteger allPairs =
        square.multiply(BigInteger.valueOf(blocks)).multiply(BigInteger.valueOf(PAIRS_OF_WORDS));
    return hitOfPairs.shiftLeft(FRACTION_BITS).divide(allPairs);
  }

  private static BigInteger power(BigInteger fraction, long exponent) {
    BigInteger square = fraction;
    BigInteger power = ONE;
    for (long rest = exponent; rest > 0; rest >>>= 1) {
      if ((rest & 1) == 1) {
        power = power.multiply(square).shiftRight(FRACTION_BITS);
      }
      square = square.multiply(square).shiftRight(FRACTION_BITS);
    }
    return power;
  }

  private static void checkSplit(long elements, long blocks, int positionsPerBlock, int hashes) {
    FormulaArguments.checkAtLeast(0, elements, "elements");
    if (positionsPerBlock < 2 * WORDS
        || positionsPerBlock > Long.SIZE * WORDS
        || Integer.bitCount(positionsPerBlock) != 1) {
      throw new IllegalArgumentException(
          "positionsPerBlock must be a power of two in ["
              + 2 * WORDS
              + ", "
              + Long.SIZE * WORDS
              + "] but is "
              + positionsPerBlock);
    }
    checkBlocks(blocks, positionsPerBlock);
    checkHashes(hashes);
  }

  static void checkBlocks(long blocks, int positionsPerBlock) {
    long most = Shape.MAX_POSITIONS / positionsPerBlock;
    if (blocks < 1 || blocks > most) {
      throw new IllegalArgumentException(
          "blocks must lie in [1, "
              + most
              + "] with "
              + positionsPerBlock
              + " positions each but is "
              + blocks);
    }
  }

  static void checkHashes(int hashes) {
    if (hashes < 2 || hashes > BlockedShape.MAX_HASHES || hashes % 2 != 0) {
      throw new IllegalArgumentException(
          "hashes must be even and lie in [2, " + BlockedShape.MAX_HASHES + "] but is " + hashes);
    }
  }
}
