package io.bloomkit;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every argument out of range is refused by a message that names it and its value. */
class BadFormulaArgumentsTest {

  private static final double[] NO_FRACTIONS = {
    0, 1, -0.5, 1.5, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
  };

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource({"formulas", "shapes"})
  void isRefusedByNameAndValue(String name, String value, Executable call) {
    Refusals.assertRefused(call, name, value);
  }

  static Stream<Arguments> formulas() {
    Cases cases = new Cases();
    for (long bad : new long[] {-1, Long.MIN_VALUE}) {
      cases.number("elements", bad, n -> BloomFormulas.approximateFpp(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.classicFpp(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.exactFpp(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.hashFloor(n));
      cases.number("elements", bad, n -> BloomFormulas.blockedFpp(n, 2, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.distributionOfSetPositions(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.expectedSetPositions(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.varianceOfSetPositions(n, 8, 2));
      cases.number("setPositions", bad, x -> BloomFormulas.fppAtFill(x, 8, 2));
      cases.number("setPositions", bad, x -> BloomFormulas.estimatedElements(x, 8, 2));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      cases.number("elements", bad, n -> BloomFormulas.optimalPositions(n, 0.01));
      cases.number("elements", bad, n -> BloomFormulas.optimalHashes(n, 8));
      cases.number("elements", bad, n -> BloomFormulas.optimalHashesRoundedUp(n, 8));
      cases.number("elements", bad, n -> BloomFormulas.bestHashes(n, 8));
      cases.number("positions", bad, m -> BloomFormulas.roundUpToPowerOfTwo(m));
      cases.number("positions", bad, m -> BloomFormulas.optimalHashes(1, m));
      cases.number("positions", bad, m -> BloomFormulas.bestHashes(1, m));
      cases.number("positions", bad, m -> BloomFormulas.approximateFpp(1, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.classicFpp(1, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.exactFpp(1, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.fppAtFill(0, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.fillAtFpp(m, 2, 0.5));
      cases.number("positions", bad, m -> BloomFormulas.expectedSetPositions(1, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.varianceOfSetPositions(1, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.estimatedElements(0, m, 2));
      cases.number("blocks", bad, b -> BloomFormulas.blockedFpp(1, b, 8, 2));
    }
    for (int bad : new int[] {0, -1, Integer.MIN_VALUE}) {
      cases.number("positions", bad, m -> BloomFormulas.blockedFpp(1, 2, (int) m, 2));
      cases.number("positions", bad, m -> BloomFormulas.distributionOfSetPositions(1, (int) m, 2));
      cases.number("hashes", bad, k -> BloomFormulas.approximateFpp(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.classicFpp(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.exactFpp(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.blockedFpp(1, 2, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.distributionOfSetPositions(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.fppAtFill(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.fillAtFpp(8, (int) k, 0.5));
      cases.number("hashes", bad, k -> BloomFormulas.expectedSetPositions(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.varianceOfSetPositions(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.estimatedElements(1, 8, (int) k));
    }
    cases.number("hashes", 65, k -> BloomFormulas.exactFpp(1, 8, (int) k));
    cases.number("layer", -1, i -> BloomFormulas.layerFpp(0.1, 0.5, (int) i));
    cases.number("setPositions", 9, x -> BloomFormulas.fppAtFill(x, 8, 2));
    cases.number("setPositions", 9, x -> BloomFormulas.estimatedElements(x, 8, 2));
    cases.number("positions", (1L << 62) + 1, m -> BloomFormulas.roundUpToPowerOfTwo(m));
    // Twice this many throws are more than a long holds.
    long tooMany = (1L << 62) + 1;
    cases.number("elements", tooMany, n -> BloomFormulas.exactFpp(n, 8, 2));
    cases.number("elements", tooMany, n -> BloomFormulas.blockedFpp(n, 2, 8, 2));
    cases.number("elements", tooMany, n -> BloomFormulas.distributionOfSetPositions(n, 8, 2));
    for (double bad : NO_FRACTIONS) {
      cases.fraction("fpp", bad, p -> BloomFormulas.optimalPositionsPerElement(p));
      cases.fraction("fpp", bad, p -> BloomFormulas.optimalPositions(1, p));
      cases.fraction("fpp", bad, p -> BloomFormulas.fillAtFpp(8, 2, p));
      cases.fraction("fpp", bad, p -> BloomFormulas.layerFpp(p, 0.5, 0));
      cases.fraction("tighteningRatio", bad, r -> BloomFormulas.layerFpp(0.1, r, 0));
    }
    for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
      cases.fraction("layerFpps", bad, p -> BloomFormulas.compoundFpp(0.5, p));
    }
    return cases.all.stream();
  }

  static Stream<Arguments> shapes() {
    Cases cases = new Cases();
    for (long bad : new long[] {0, -1, (1L << 37) + 1, Long.MAX_VALUE}) {
      cases.number("positions", bad, m -> new Shape(m, 1));
    }
    for (int bad : new int[] {0, -1, 65}) {
      cases.number("hashes", bad, k -> new Shape(1, (int) k));
      cases.number("hashes", bad, k -> Shape.ofPositionsPerElement(1, 8, (int) k));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      cases.number("expectedInsertions", bad, n -> Shape.of(n, 0.01));
      cases.number("expectedInsertions", bad, n -> Shape.ofPowerOfTwo(n, 0.01));
      cases.number("expectedInsertions", bad, n -> Shape.ofPositionsPerElement(n, 8));
      cases.number("expectedInsertions", bad, n -> Shape.ofPositionsPerElement(n, 8, 2));
      cases.number("expectedInsertions", bad, n -> Shape.highError(n));
      cases.number("expectedInsertions", bad, n -> Shape.middleError(n));
      cases.number("expectedInsertions", bad, n -> Shape.lowError(n));
    }
    cases.number("elements", -1, n -> new Shape(8, 2).fpp(n));
    for (double bad : NO_FRACTIONS) {
      cases.fraction("fpp", bad, p -> Shape.of(1, p));
      cases.fraction("fpp", bad, p -> Shape.ofPowerOfTwo(1, p));
    }
    for (double bad : new double[] {0, -1, Double.NaN, Double.NEGATIVE_INFINITY}) {
      cases.fraction("positionsPerElement", bad, c -> Shape.ofPositionsPerElement(1, c));
      cases.fraction("positionsPerElement", bad, c -> Shape.ofPositionsPerElement(1, c, 2));
    }
    return cases.all.stream();
  }

  private static final class Cases {

    private final List<Arguments> all = new ArrayList<>();

    void number(String name, long bad, LongConsumer call) {
      all.add(arguments(name, Long.toString(bad), (Executable) () -> call.accept(bad)));
    }

    void fraction(String name, double bad, DoubleConsumer call) {
      all.add(arguments(name, Double.toString(bad), (Executable) () -> call.accept(bad)));
    }
  }
}
