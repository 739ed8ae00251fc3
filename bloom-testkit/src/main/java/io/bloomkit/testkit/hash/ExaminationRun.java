package io.bloomkit.testkit.hash;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.testkit.stat.ChiSquares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * One run of an examination: runs the tests in the order of the questions and collects the results.
 */
final class ExaminationRun<T> {

  /** The number of questions with an α: the statistical ones, with one for all filters. */
  private static final int QUESTIONS = 10;

  /**
   * The α of a question. It is half of its share of the total, because the distribution of
   * Pearson's statistic is only nearly a chi-square distribution.
   */
  static final double ALPHA = HashStrategyExamination.ALPHA / QUESTIONS / 2;

  private static final int MODELS = 2;

  /**
   * The steps: hashing, promises, bits and positions, avalanche, models, speed; also each filter.
   */
  private static final int STEPS = 6;

  private final KeySample<T> sample;
  private final List<FilterKind> filters;
  private final ExaminationListener listener;
  private final List<ExaminationTest> tests = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private List<List<Double>> flipShares = List.of();
  private long keysNeededForFlips;
  private int step;

  ExaminationRun(KeySample<T> sample, List<FilterKind> filters, ExaminationListener listener) {
    this.sample = sample;
    this.filters = filters;
    this.listener = listener;
  }

  ExaminationReport report() {
    begin("hash the keys");
    sample.hashAll();
    begin("test that an element has one hash");
    testPromises();
    begin("look at bits and positions");
    testHashes();
    begin("flip bits of keys");
    testFlips();
    begin("measure rates in models");
    FilterRates rates = new FilterRates(sample.hashes(), sample.shuffledPlaces(), alphaOfFilter());
    List<String> judged = askAboutRates(rates);
    begin("measure speed");
    HashSpeed speed = SpeedMeter.measure(sample);
    Verdict verdict = verdict();
    return new ExaminationReport(
        sample.strategy().id(),
        verdict,
        sample.size(),
        verdict == Verdict.INCONCLUSIVE ? keysStillNeeded(rates) : 0,
        sample.seed(),
        tests,
        skipped,
        judged,
        speed,
        new HashFigures(keysPerRange(), flipShares));
  }

  private void begin(String what) {
    listener.begins(what, ++step, STEPS + filters.size());
  }

  private void testPromises() {
    tests.add(PromiseQuestions.deterministic(sample));
    List<ExaminationTest> equal = PromiseQuestions.equalElements(sample);
    tests.addAll(equal);
    if (equal.isEmpty()) {
      skipped.add(
          HashQuestion.EQUAL_ELEMENTS.label()
              + " (no second object that equals an element can be created; supply the elements by a"
              + " function that creates a new object for each call)");
    }
    tests.add(PromiseQuestions.nullRefused(sample));
  }

  private void testHashes() {
    long[] hashes = sample.hashes();
    tests.add(
        HashQuestion.COLLISIONS.statistical(
            Collisions.ofHashes(hashes, ALPHA), ALPHA, Verdict.UNFIT));
    tests.add(
        HashQuestion.HALVES.statistical(Collisions.ofHalves(hashes, ALPHA), ALPHA, Verdict.WEAK));
    BitColumns columns = new BitColumns(hashes, hashes.length);
    tests.add(
        HashQuestion.BITS.statistical(BitQuestions.bits(columns, ALPHA), ALPHA, Verdict.WEAK));
    tests.add(
        HashQuestion.PAIRS_OF_BITS.statistical(
            BitQuestions.pairs(columns, ALPHA), ALPHA, Verdict.WEAK));
    add(HashQuestion.POSITIONS, PositionQuestions.positions(hashes));
    add(HashQuestion.BLOCKS, PositionQuestions.places(hashes));
    add(HashQuestion.INDEPENDENT_POSITIONS, PositionQuestions.independence(hashes));
  }

  private void add(HashQuestion question, ChiSquares squares) {
    if (squares.isEmpty()) {
      skipped.add(question.label() + " (too few keys for a chi-square test)");
    } else {
      tests.add(question.statistical(squares.evidence(ALPHA), ALPHA, Verdict.WEAK));
    }
  }

  private void testFlips() {
    AvalancheQuestions<T> flips = new AvalancheQuestions<>(sample);
    if (flips.isEmpty()) {
      skipped.add(
          HashQuestion.AVALANCHE.label()
              + " and "
              + HashQuestion.BIT_INDEPENDENCE.label()
              + " (bits of these elements cannot be flipped, or are too few; call flippingBits())");
      return;
    }
    flipShares = flips.shares();
    if (flips.hasNoSimilarKeys()) {
      skipped.add(
          HashQuestion.AVALANCHE.label()
              + " and "
              + HashQuestion.BIT_INDEPENDENCE.label()
              + " (the bits of these keys are random, so no two keys are similar)");
      return;
    }
    keysNeededForFlips = flips.keysNeeded();
    tests.add(HashQuestion.AVALANCHE.statistical(flips.avalanche(ALPHA), ALPHA, Verdict.WEAK));
    tests.add(
        HashQuestion.BIT_INDEPENDENCE.statistical(
            flips.bitIndependence(ALPHA), ALPHA, Verdict.WEAK));
  }

  private List<String> askAboutRates(FilterRates rates) {
    List<String> judged = new ArrayList<>();
    for (FilterModel model :
        List.of(
            FilterModel.flat(Shape.of(rates.elements(), FilterRates.FPP)),
            FilterModel.blocked(BlockedShape.ofBits(rates.elements(), FilterRates.FPP)))) {
      tests.add(rates.ofModel(model));
      judged.add(model.label());
    }
    for (FilterKind kind : filters) {
      begin("measure the rate in a filter: " + kind.label());
      tests.add(rates.of(kind, sample.strategy()));
      judged.add(kind.label());
    }
    return judged;
  }

  private double alphaOfFilter() {
    return ALPHA / (MODELS + filters.size());
  }

  private Verdict verdict() {
    Verdict worst = Verdict.FIT;
    for (ExaminationTest test : tests) {
      worst = worst.orWorse(test.verdict());
    }
    return worst;
  }

  /** Returns the number of keys with which every test reaches the required power. */
  private long keysNeeded(FilterRates rates) {
    return LongStream.of(
            BitQuestions.keysNeeded(ALPHA),
            Collisions.keysNeeded(ALPHA),
            keysNeededForFlips,
            rates.keysNeeded())
        .max()
        .orElseThrow();
  }

  private long keysStillNeeded(FilterRates rates) {
    return Math.max(1, keysNeeded(rates) - sample.size());
  }

  private List<Integer> keysPerRange() {
    FlatShape ranges = new FlatShape(HashFigures.RANGES, 1);
    int[] counts =
        PositionQuestions.counts(
            sample.hashes(), HashFigures.RANGES, hash -> (int) ranges.positionOf(hash, 0));
    return Arrays.stream(counts).boxed().toList();
  }
}
