package io.bloomkit.testkit.stat;

import java.util.Locale;

/**
 * A collection of tests of whether coins are fair: each count of heads is Binomial(N, ½) for an
 * ideal hash. The result is the smallest exact p-value times the number of counts (Bonferroni, so
 * they may depend on each other). With a tolerance t, the tested claim is that the probability of
 * heads is within ½ ± t.
 */
public final class FairCoins {

  private final double tolerance;
  private long counts;
  private double smallest = 2;
  private String furthest = "";
  private long heads;
  private int tosses;
  private int fewestTosses = Integer.MAX_VALUE;

  /** Within a batch of one N, only the count furthest from the half decides. */
  private int batchTosses;

  private int batchDistance = -1;
  private int batchHeads;
  private String batchName = "";

  /**
   * Creates a collection without counts.
   *
   * @param tolerance t, from 0 to ½
   */
  public FairCoins(double tolerance) {
    this.tolerance = tolerance;
  }

  /** Creates the name of a count. It is called for extreme counts only. */
  @FunctionalInterface
  public interface Name {

    /** Returns the name of a count from the two numbers that were passed with it. */
    String of(int first, int second);
  }

  /**
   * Begins a batch of counts.
   *
   * @param tosses N, the number of tosses of each count of the batch
   */
  public void begin(int tosses) {
    beginBesides(tosses);
    fewestTosses = Math.min(fewestTosses, tosses);
  }

  /**
   * Begins a batch whose counts are tested like any other but which the stated power does not
   * cover, such as one with fewer tosses.
   *
   * @param tosses N, the number of tosses of each count of the batch
   */
  public void beginBesides(int tosses) {
    end();
    batchTosses = tosses;
  }

  /**
   * Adds a count to the batch.
   *
   * @param heads the number of heads
   * @param name called with {@code first} and {@code second} if the count is the most extreme one
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

  /** Returns whether no count was added. */
  public boolean isEmpty() {
    end();
    return counts == 0;
  }

  /** Returns the smallest p-value times the number of counts, at most 1. */
  public double pValue() {
    end();
    return Math.min(1, smallest * counts);
  }

  /**
   * Returns the most extreme count, with the power to detect a fault in any batch of {@link
   * #begin}; the power is 0 if there is none.
   *
   * @param measured a description of the share of heads
   * @param fault the probability of heads of the fault to detect
   * @param alternative the fault, in words; a format with a placeholder for the probability
   * @param alpha the significance level of all counts together
   */
  public Evidence evidence(String measured, double fault, String alternative, double alpha) {
    end();
    return new Evidence(
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
    long furtherHalf = Math.max(heads, tosses - heads);
    return Math.min(1, 2 * new Binomial(tosses, 0.5 + tolerance).upperTail(furtherHalf));
  }

  /**
   * Returns the probability that an unfair coin, with heads above one half, is detected.
   *
   * @param tosses N
   * @param tolerance t, as in the constructor
   * @param fault the probability of heads of the unfair coin
   * @param alpha the significance level of the test of this coin
   */
  public static double power(int tosses, double tolerance, double fault, double alpha) {
    Binomial law = new Binomial(tosses, 0.5 + tolerance);
    long accepted = (long) law.mean();
    long rejected = tosses + 1L;
    while (rejected - accepted > 1) {
      long middle = (accepted + rejected) >>> 1;
      if (2 * law.upperTail(middle) < alpha) {
        rejected = middle;
      } else {
        accepted = middle;
      }
    }
    return new Binomial(tosses, fault).upperTail(rejected);
  }
}
