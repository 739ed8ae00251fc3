package io.bloomkit.testkit;

import java.util.Locale;

/**
 * Many counts of heads, each of which is Binomial(N, ½) if a hash is ideal: the count that is
 * furthest out, by exact tails, times the number of counts (Bonferroni, so they may depend on each
 * other).
 */
final class FairCoins {

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

  /** A name is only made of what is furthest out. */
  @FunctionalInterface
  interface Name {
    String of(int first, int second);
  }

  void begin(int tosses) {
    end();
    batchTosses = tosses;
    fewestTosses = Math.min(fewestTosses, tosses);
  }

  void count(int heads, Name name, int first, int second) {
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
      double pValue = new Binomial(batchTosses, 0.5).twoSidedPValue(batchHeads);
      if (pValue < smallest) {
        smallest = pValue;
        furthest = batchName;
        heads = batchHeads;
        tosses = batchTosses;
      }
    }
    batchDistance = -1;
  }

  boolean isEmpty() {
    end();
    return counts == 0;
  }

  /**
   * The result.
   *
   * @param fault the probability of heads in the fault to find
   * @param alternative the fault, in words; a place for the probability in it
   */
  Evidence evidence(String measured, double fault, String alternative, double alpha) {
    end();
    return new Evidence(
        String.format(Locale.ROOT, "%s, furthest out of %d counts: %s", measured, counts, furthest),
        (double) heads / tosses,
        0.5,
        tosses,
        Math.min(1, smallest * counts),
        power(fewestTosses, fault, alpha / counts),
        String.format(Locale.ROOT, alternative, fault));
  }

  static double power(int tosses, double fault, double alpha) {
    return new Binomial(tosses, 0.5).power(fault, alpha);
  }
}
