package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.MultipleTestResult;

/** The tests of a hash strategy: the question of each and the meaning of its result. */
enum HashTest {
  DETERMINISTIC(
      "deterministic",
      "Does an element always have the same hash, in every thread?",
      "the contract of HashStrategy",
      "A query finds the positions that the addition set.",
      "False negatives: the positions of a query differ from those of the addition."),
  EQUAL_ELEMENTS(
      "equal elements",
      "Do equal elements that are different objects have equal hashes?",
      "the contract of HashStrategy",
      "An element is found by any object that equals it, in any process.",
      "False negatives, unless the query passes the same object as the addition."),
  NULL_REFUSED(
      "null refused",
      "Is null refused by a NullPointerException?",
      "the contract of HashStrategy",
      "A missing element is reported at once.",
      "A missing element is added or found like any other, so the mistake goes unnoticed."),
  COLLISIONS(
      "collisions",
      "Do different elements share all 64 bits more often than by chance?",
      "the birthday problem; W. Hoeffding, On the distribution of the number of successes in"
          + " independent trials, 1956",
      "Equal hashes do not raise the rate of any filter.",
      "Elements with equal hashes are one element to every filter, however large: once one of them"
          + " is added, every query of the other is a false positive."),
  HALVES(
      "halves",
      "Does the upper or the lower half of the hash take fewer values than 32 bits do?",
      "the birthday problem; W. Hoeffding, 1956",
      "Each half alone is as good as 32 random bits.",
      "The hash distinguishes fewer elements than 64 bits could, so large filters have a higher"
          + " false-positive rate than planned."),
  BITS(
      "bits",
      "Is each bit set in half of the hashes?",
      "exact binomial tails: M. Abramowitz, I. Stegun, Handbook of mathematical functions, 26.5.24",
      "No single bit makes some positions more likely than others.",
      "A bit that is set too often or too rarely makes some positions more common than others."
          + " These fill first, and the rate rises with the k-th power of their fill."),
  PAIRS_OF_BITS(
      "pairs of bits",
      "Do each two bits differ in half of the hashes, or nearly (48 to 52 %)?",
      "exact binomial tails, as for bits",
      "No two bits carry the same information.",
      "Two bits that mostly agree, or mostly differ, carry the same information: the hash"
          + " distinguishes fewer elements than 64 bits could."),
  POSITIONS(
      "positions",
      "Are the positions that flat filters derive, and the highest, lowest and middle bits,"
          + " uniform?",
      "K. Pearson's chi-square test, 1900; the derivation of IndexDerivation",
      "All positions of a filter are equally likely.",
      "Some positions are more common than others. These fill first, so the false-positive rate is"
          + " higher than planned. If keys spread more evenly than random ones, the rate differs"
          + " from the predicted one."),
  BLOCKS(
      "places in blocks",
      "Are the blocks, words, masks and places in words that blocked filters derive uniform?",
      "K. Pearson's chi-square test, 1900; the derivation of BlockedIndexDerivation",
      "All blocks and all positions in a block are equally likely.",
      "Some blocks take more elements than others, and nearly every query of an overfull block is"
          + " positive."),
  INDEPENDENT_POSITIONS(
      "independent positions",
      "Are the positions of an element independent of each other, each two and each three?",
      "K. Pearson's chi-square test, 1900; A. Kirsch, M. Mitzenmacher, Less hashing, same"
          + " performance: building a better Bloom filter, 2006",
      "Each further position of an element halves the false positives.",
      "A position that follows from another one tests nothing new: the filter behaves as if it had"
          + " fewer hashes, so its false-positive rate is higher."),
  AVALANCHE(
      "avalanche",
      "Does flipping a bit of a key flip each bit of the hash in half of the keys?",
      "A. Webster, S. Tavares, On the design of S-boxes, 1985 (strict avalanche criterion)",
      "Similar keys have dissimilar hashes.",
      "Similar keys have similar hashes: families of such keys share positions, and the addition"
          + " of one key makes others false positives."),
  BIT_INDEPENDENCE(
      "bit independence",
      "Does flipping a bit of a key flip each two of the leading bits of its positions"
          + " independently?",
      "A. Webster, S. Tavares, On the design of S-boxes, 1985 (bit independence criterion)",
      "The positions of similar keys differ without a pattern.",
      "The positions of similar keys differ in a pattern: the addition of one key makes others"
          + " false positives."),
  RATE(
      "rate in",
      "Is the false-positive rate the planned one?",
      "two steps, fill and answers: F. Putze, P. Sanders, J. Singler, Cache-, hash- and"
          + " space-efficient Bloom filters, 2007; exact binomial tails",
      "The filter has the planned rate.",
      "The filter does not behave as its formulas predict.");

  private final String label;
  private final String question;
  private final String source;
  private final String ifPassed;
  private final String ifFailed;

  HashTest(String label, String question, String source, String ifPassed, String ifFailed) {
    this.label = label;
    this.question = question;
    this.source = source;
    this.ifPassed = ifPassed;
    this.ifFailed = ifFailed;
  }

  String label() {
    return label;
  }

  /**
   * Returns the test of a property that every strategy must have; one counterexample refutes it.
   */
  ExaminationTest certain(String measured, long counterexamples, long sampleSize) {
    return new ExaminationTest(
        label,
        question,
        source,
        measured,
        counterexamples,
        0,
        sampleSize,
        counterexamples == 0 ? 1 : 0,
        0,
        1,
        "any of these",
        counterexamples == 0 ? Verdict.FIT : Verdict.UNFIT,
        counterexamples == 0 ? ifPassed : ifFailed);
  }

  /**
   * Returns a statistical test.
   *
   * @param severity the verdict if the p-value is below α
   */
  ExaminationTest statistical(MultipleTestResult result, double alpha, Verdict severity) {
    return statistical(label, result, alpha, severity, ifFailed);
  }

  ExaminationTest statistical(
      String name,
      MultipleTestResult result,
      double alpha,
      Verdict severity,
      String meaningIfFailed) {
    Verdict verdict = Verdict.FIT;
    String meaning = ifPassed;
    if (result.pValue() < alpha) {
      verdict = severity;
      meaning = meaningIfFailed;
    } else if (result.power() < HashStrategyExamination.POWER) {
      verdict = Verdict.INCONCLUSIVE;
      meaning = "Too few keys to tell.";
    }
    return new ExaminationTest(
        name,
        question,
        source,
        result.measured(),
        result.statistic(),
        result.expected(),
        result.sampleSize(),
        result.pValue(),
        alpha,
        result.power(),
        result.alternative(),
        verdict,
        meaning);
  }
}
