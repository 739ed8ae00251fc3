package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.Evidence;

/** The questions about a hash strategy, and the meaning of their answers. */
enum HashQuestion {
  DETERMINISTIC(
      "deterministic",
      "Does an element have one hash, whenever and by whatever thread it is computed?",
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
      "A missing element is a mistake that shows at once.",
      "A missing element is added or found like any other, and the mistake never shows."),
  COLLISIONS(
      "collisions",
      "Do different elements share all 64 bits more often than by chance?",
      "the birthday problem; W. Hoeffding, On the distribution of the number of successes in"
          + " independent trials, 1956",
      "No filter is held back by equal hashes.",
      "Elements with equal hashes are one element to every filter, however large: once one of them"
          + " is added, every query of the other is a false positive."),
  HALVES(
      "halves",
      "Does the upper or the lower half of the hash take fewer values than 32 bits do?",
      "the birthday problem; W. Hoeffding, 1956",
      "Either half alone is worth its 32 bits.",
      "The hash has less to offer than its length says, so large filters see more false positives"
          + " than they were made for."),
  BITS(
      "bits",
      "Is each bit set in half of the hashes?",
      "exact binomial tails: M. Abramowitz, I. Stegun, Handbook of mathematical functions, 26.5.24",
      "No position is preferred because of one bit.",
      "A bit that leans to one side makes some positions more common than others: these fill first,"
          + " and the rate rises with the power k of that."),
  PAIRS_OF_BITS(
      "pairs of bits",
      "Do each two bits differ in half of the hashes, or nearly (48 to 52 %)?",
      "exact binomial tails, as for bits",
      "Bits say different things.",
      "Bits that follow each other say one thing twice: the hash has less to offer than its length"
          + " says."),
  POSITIONS(
      "positions",
      "Are the positions that flat filters derive, and the highest, lowest and middle bits,"
          + " uniform?",
      "K. Pearson's chi-square test, 1900; the derivation of IndexDerivation",
      "Every position of a filter is as likely as any other.",
      "Some positions are more common than others: these fill first, so a filter has"
          + " more false positives than it was made for, or, where keys spread more evenly than by"
          + " chance, others than were foretold."),
  BLOCKS(
      "places in blocks",
      "Are the blocks, words, masks and places in words that blocked filters derive uniform?",
      "K. Pearson's chi-square test, 1900; the derivation of BlockedIndexDerivation",
      "Every block and every place in it is as likely as any other.",
      "Some blocks take more elements than others, and nearly every query of a block that is too"
          + " full is positive."),
  INDEPENDENT_POSITIONS(
      "independent positions",
      "Are the positions of an element independent of each other, each two and each three?",
      "K. Pearson's chi-square test, 1900; A. Kirsch, M. Mitzenmacher, Less hashing, same"
          + " performance: building a better Bloom filter, 2006",
      "Each further position of an element halves the false positives.",
      "A position that follows from another tests nothing new: the filter has fewer hashes than it"
          + " counts, and more false positives."),
  AVALANCHE(
      "avalanche",
      "Does flipping a bit of a key flip each bit of the hash in half of the keys?",
      "A. Webster, S. Tavares, On the design of S-boxes, 1985 (strict avalanche criterion)",
      "Keys that are alike have hashes that are not.",
      "Keys that differ little have hashes that differ little: families of similar keys fall on the"
          + " same positions, and the addition of one makes others false positives."),
  BIT_INDEPENDENCE(
      "bit independence",
      "Does flipping a bit of a key flip each two of the leading bits of its positions"
          + " independently?",
      "A. Webster, S. Tavares, On the design of S-boxes, 1985 (bit independence criterion)",
      "The positions of similar keys differ in no pattern.",
      "The positions of similar keys differ in a pattern: the addition of one makes others false"
          + " positives."),
  RATE(
      "rate in",
      "Is the false-positive rate the one that the filter was made for?",
      "two steps, fill and answers: F. Putze, P. Sanders, J. Singler, Cache-, hash- and"
          + " space-efficient Bloom filters, 2007; exact binomial tails",
      "The filter keeps the rate it was made for.",
      "The filter does not behave as its formulas say.");

  private final String label;
  private final String question;
  private final String source;
  private final String ifPassed;
  private final String ifFailed;

  HashQuestion(String label, String question, String source, String ifPassed, String ifFailed) {
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
  ExaminationTest statistical(Evidence evidence, double alpha, Verdict severity) {
    return statistical(label, evidence, alpha, severity, ifFailed);
  }

  ExaminationTest statistical(
      String name, Evidence evidence, double alpha, Verdict severity, String meaningIfFailed) {
    Verdict verdict = Verdict.FIT;
    String meaning = ifPassed;
    if (evidence.pValue() < alpha) {
      verdict = severity;
      meaning = meaningIfFailed;
    } else if (evidence.power() < HashStrategyExamination.POWER) {
      verdict = Verdict.INCONCLUSIVE;
      meaning = "Too few keys to tell.";
    }
    return new ExaminationTest(
        name,
        question,
        source,
        evidence.measured(),
        evidence.statistic(),
        evidence.expected(),
        evidence.sampleSize(),
        evidence.pValue(),
        alpha,
        evidence.power(),
        evidence.alternative(),
        verdict,
        meaning);
  }
}
