package io.bloomkit.testkit.hash;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.testkit.stat.ChiSquares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * One run of an examination: runs the tests in the order of {@link HashTest} and collects the
 * results.
 */
final class ExaminationRun<T> {

  /** The number of tests with an α: the statistical ones, with one for all filters. */
  private static final int STATISTICAL_TESTS = 10;

  /**
   * The α of a test. It is half of its share of the total, because the distribution of Pearson's
   * statistic is only nearly a chi-square distribution.
   */
  static final double ALPHA = HashStrategyExamination.ALPHA / STATISTICAL_TESTS / 2;

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
    tests.add(ContractTests.deterministic(sample));
    List<ExaminationTest> equal = ContractTests.equalElements(sample);
    tests.addAll(equal);
    if (equal.isEmpty()) {
      skipped.add(
          HashTest.EQUAL_ELEMENTS.label()
              + " (no second object that equals an element can be created; supply the elements by a"
              + " function that creates a new object for each call)");
    }
    tests.add(ContractTests.nullRefused(sample));
  }

  private void testHashes() {
    long[] hashes = sample.hashes();
    tests.add(
        HashTest.COLLISIONS.statistical(Collisions.ofHashes(hashes, ALPHA), ALPHA, Verdict.UNFIT));
    tests.add(HashTest.HALVES.statistical(Collisions.ofHalves(hashes, ALPHA), ALPHA, Verdict.WEAK));
    BitColumns columns = new BitColumns(hashes, hashes.length);
    tests.add(HashTest.BITS.statistical(BitTests.bits(columns, ALPHA), ALPHA, Verdict.WEAK));
    tests.add(
        HashTest.PAIRS_OF_BITS.statistical(BitTests.pairs(columns, ALPHA), ALPHA, Verdict.WEAK));
    add(HashTest.POSITIONS, PositionTests.positions(hashes));
    add(HashTest.BLOCKS, PositionTests.places(hashes));
    add(HashTest.INDEPENDENT_POSITIONS, PositionTests.independence(hashes));
  }

  private void add(HashTest test, ChiSquares squares) {
    if (squares.isEmpty()) {
      skipped.add(test.label() + " (too few keys for a chi-square test)");
    } else {
      tests.add(test.statistical(squares.result(ALPHA), ALPHA, Verdict.WEAK));
    }
  }

  private void testFlips() {
    AvalancheTests<T> flips = new AvalancheTests<>(sample);
    if (flips.isEmpty()) {
      skipped.add(
          HashTest.AVALANCHE.label()
              + " and "
              + HashTest.BIT_INDEPENDENCE.label()
              + " (bits of these elements cannot be flipped, or are too few; call flippingBits())");
      return;
    }
    flipShares = flips.shares();
    if (flips.hasNoSimilarKeys()) {
      skipped.add(
          HashTest.AVALANCHE.label()
              + " and "
              + HashTest.BIT_INDEPENDENCE.label()
              + " (the bits of these keys are random, so no two keys are similar)");
      return;
    }
    keysNeededForFlips = flips.keysNeeded();
    tests.add(HashTest.AVALANCHE.statistical(flips.avalanche(ALPHA), ALPHA, Verdict.WEAK));
    tests.add(
        HashTest.BIT_INDEPENDENCE.statistical(flips.bitIndependence(ALPHA), ALPHA, Verdict.WEAK));
  }

  private List<String> askAboutRates(FilterRates rates) {
    List<String> judged = new ArrayList<>();
    for (FilterModel model :
        List.of(
            new FilterModel(Shape.of(rates.elements(), FilterRates.FPP)),
            new FilterModel(BlockedShape.ofBits(rates.elements(), FilterRates.FPP)))) {
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
    return Collections.max(tests.stream().map(ExaminationTest::verdict).toList());
  }

  /** Returns how many more keys are needed for the required power of every test, at least 1. */
  private long keysStillNeeded(FilterRates rates) {
    long needed = Math.max(BitTests.keysNeeded(ALPHA), Collisions.keysNeeded(ALPHA));
    needed = Math.max(needed, Math.max(keysNeededForFlips, rates.keysNeeded()));
    return Math.max(1, needed - sample.size());
  }

  private List<Integer> keysPerRange() {
    FlatShape ranges = new FlatShape(HashFigures.RANGES, 1);
    int[] counts =
        PositionTests.counts(
            sample.hashes(), HashFigures.RANGES, hash -> (int) ranges.positionOf(hash, 0));
    return Arrays.stream(counts).boxed().toList();
  }
}
