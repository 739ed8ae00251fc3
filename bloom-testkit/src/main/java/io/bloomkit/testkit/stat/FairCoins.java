package io.bloomkit.testkit.stat;

import java.util.Locale;

/**
 * A collection of tests of whether coins are fair. A coin is, for example, a bit of a hash: each
 * key is a toss, and a set bit is heads. The number of heads in N tosses of a fair coin is
 * Binomial(N, ½). The p-value of the collection is the smallest exact p-value times the number of
 * coins (Bonferroni), so coins need not be independent of each other.
 *
 * <p>With a tolerance t above 0, the tests check that the probability of heads is between ½ − t and
 * ½ + t. The p-values are then upper bounds.
 */
public final class FairCoins {

  private final double tolerance;
  private long counts;
  private double smallest = 2;
  private String furthest = "";
  private long heads;
  private int tosses;
  private int fewestTosses = Integer.MAX_VALUE;

  /** The coins of a batch have the same N, so only the count furthest from N/2 matters. */
  private int batchTosses;

  private int batchDistance = -1;
  private int batchHeads;
  private String batchName = "";

  /**
   * Creates an empty collection.
   *
   * @param tolerance t, in [0, ½)
   */
  public FairCoins(double tolerance) {
    this.tolerance = tolerance;
  }

  /**
   * A function that names a coin. It is invoked only for coins that may be the most extreme one.
   */
  @FunctionalInterface
  public interface Name {

    /**
     * Returns the name of a coin from the numbers {@code first} and {@code second} that were passed
     * to {@link FairCoins#count}.
     */
    String of(int first, int second);
  }

  /**
   * Begins a batch of coins, each with the same number of tosses.
   *
   * @param tosses N, the number of tosses of each coin of the batch
   */
  public void begin(int tosses) {
    beginBesides(tosses);
    fewestTosses = Math.min(fewestTosses, tosses);
  }

  /**
   * Begins a batch of coins, like {@link #begin}, but {@link #result} ignores {@code tosses} when
   * it computes the power. Use this method, for example, for coins with fewer tosses than others.
   *
   * @param tosses N, the number of tosses of each coin of the batch
   */
  public void beginBesides(int tosses) {
    end();
    batchTosses = tosses;
  }

  /**
   * Adds a coin to the current batch.
   *
   * @param heads the number of heads among its tosses
   * @param name invoked with {@code first} and {@code second} if the distance of {@code heads} from
   *     N/2 is larger than for every earlier coin of the batch
   * @param first a number that identifies the coin
   * @param second another number that identifies the coin
   */
  public void count(int heads, Name name, int first, int second) {
    counts++;
    int distance = Math.abs(2 * heads - batchTosses);
    if (distance > batchDistance) {
      batchDistance = distance;
      batchHeads = heads;
      batchName = name.of(first, second);
    }
  }

  private void end() {
    if (batchDistance >= 0) {
      double pValue = pValue(batchHeads, batchTosses);
      if (pValue < smallest) {
        smallest = pValue;
        furthest = batchName;
        heads = batchHeads;
        tosses = batchTosses;
      }
    }
    batchDistance = -1;
  }

  /** Returns whether no coin was added. */
  public boolean isEmpty() {
    end();
    return counts == 0;
  }

  /**
   * Returns the smallest p-value times the number of coins, at most 1. Returns 1 if no coin was
   * added.
   */
  public double pValue() {
    end();
    return counts == 0 ? 1 : Math.min(1, smallest * counts);
  }

  /**
   * Returns the figures of the coin with the smallest p-value. The power is the probability of
   * detecting one unfair coin with n tosses, where n is the smallest number that was passed to
   * {@link #begin}. The power is 0 if {@code begin} was never called. Call this method only if the
   * collection is not {@linkplain #isEmpty empty}.
   *
   * @param measured a description of the share of heads
   * @param fault the probability of heads of the unfair coin to detect, above ½
   * @param alternative a description of the unfair coin, as a format string with a placeholder
   *     {@code %s} for {@code fault}
   * @param alpha the significance level of all coins together
   */
  public MultipleTestResult result(
      String measured, double fault, String alternative, double alpha) {
    end();
    return new MultipleTestResult(
        String.format(Locale.ROOT, "%s, furthest out of %d counts: %s", measured, counts, furthest),
        (double) heads / tosses,
        0.5,
        tosses,
        pValue(),
        fewestTosses == Integer.MAX_VALUE
            ? 0
            : power(fewestTosses, tolerance, fault, alpha / counts),
        String.format(Locale.ROOT, alternative, fault));
  }

  private double pValue(int heads, int tosses) {
    long largerHalf = Math.max(heads, tosses - heads);
    return Math.min(1, 2 * new Binomial(tosses, 0.5 + tolerance).upperTail(largerHalf));
  }

  /**
   * Returns the exact probability that the test of one unfair coin finds too many heads.
   *
   * @param tosses N, the number of tosses
   * @param tolerance t, as in the constructor
   * @param fault the probability of heads of the unfair coin, above ½
   * @param alpha the significance level of the test of this coin
   */
  public static double power(int tosses, double tolerance, double fault, double alpha) {
    long rejected = new Binomial(tosses, 0.5 + tolerance).smallestRejectedHigh(alpha);
    return new Binomial(tosses, fault).upperTail(rejected);
  }
}
