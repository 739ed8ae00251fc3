package io.bloomkit.testkit.stat;

import java.util.Locale;

/**
 * Many counts of heads, each of which is Binomial(N, ½) if a hash is ideal: the count that is
 * furthest out, by exact tails, times the number of counts (Bonferroni, so they may depend on each
 * other). A tolerance t makes the claim that the probability is within ½ ± t, and the tail that of
 * its end.
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
   * Makes an empty collection of counts.
   *
   * @param tolerance how far from ½ the probability of heads may lie
   */
  public FairCoins(double tolerance) {
    this.tolerance = tolerance;
  }

  /** A name is only made of what is furthest out. */
  @FunctionalInterface
  public interface Name {

    /** Returns the name of a count from the two numbers that were given with it. */
    String of(int first, int second);
  }

  /**
   * Begins a batch of counts.
   *
   * @param tosses N, how many tosses each count of the batch is of
   */
  public void begin(int tosses) {
    beginBesides(tosses);
    fewestTosses = Math.min(fewestTosses, tosses);
  }

  /**
   * Begins a batch whose counts are judged like any other, but for which no power is stated: it may
   * be of fewer tosses.
   *
   * @param tosses N, how many tosses each count of the batch is of
   */
  public void beginBesides(int tosses) {
    end();
    batchTosses = tosses;
  }

  /**
   * Adds a count to the batch.
   *
   * @param heads how many of the tosses were heads
   * @param name called with {@code first} and {@code second} if the count is furthest out
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

  /** Returns whether there is no count yet. */
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
   * Returns the count furthest out, with the power to find a fault in any batch that was not begun
   * besides: 0 if there is none.
   *
   * @param measured what is counted, as a share of the tosses
   * @param fault the probability of heads in the fault to find
   * @param alternative the fault, in words; a format with a place for the probability
   * @param alpha how often all counts together may reject what is true
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
   * Returns the probability that a coin with a fault, heads above a half, is found.
   *
   * @param tosses N
   * @param tolerance how far from ½ the probability of heads may lie
   * @param fault the probability of heads in the fault
   * @param alpha how often the test of this coin may reject what is true
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
