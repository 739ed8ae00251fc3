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
  @MethodSource({"formulas", "shapes", "blocks"})
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
      cases.number("elements", bad, n -> BlockedFormulas.meanOverBlocks(n, 2, load -> 0.5));
      cases.number("elements", bad, n -> BloomFormulas.distributionOfSetPositions(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.expectedSetPositions(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.expectedProbesOfAbsent(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.varianceOfSetPositions(n, 8, 2));
      cases.number("elements", bad, n -> BloomFormulas.expectedOverflowedCounters(n, 8, 2, 1));
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
      cases.number("positions", bad, m -> BloomFormulas.expectedProbesOfAbsent(1, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.varianceOfSetPositions(1, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.estimatedElements(0, m, 2));
      cases.number("positions", bad, m -> BloomFormulas.expectedOverflowedCounters(1, m, 2, 1));
      cases.number("copies", bad, c -> BloomFormulas.expectedOverflowedCounters(1, 8, 2, c));
      cases.number("blocks", bad, b -> BlockedFormulas.meanOverBlocks(1, b, load -> 0.5));
    }
    for (int bad : new int[] {0, -1, Integer.MIN_VALUE}) {
      cases.number("positions", bad, m -> BloomFormulas.distributionOfSetPositions(1, (int) m, 2));
      cases.number("hashes", bad, k -> BloomFormulas.approximateFpp(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.classicFpp(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.exactFpp(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.distributionOfSetPositions(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.fppAtFill(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.fillAtFpp(8, (int) k, 0.5));
      cases.number("hashes", bad, k -> BloomFormulas.expectedSetPositions(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.varianceOfSetPositions(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.estimatedElements(1, 8, (int) k));
      cases.number("hashes", bad, k -> BloomFormulas.expectedOverflowedCounters(1, 8, (int) k, 1));
    }
    cases.number("hashes", 65, k -> BloomFormulas.exactFpp(1, 8, (int) k));
    cases.number("layer", -1, i -> BloomFormulas.layerFpp(0.1, 0.5, (int) i));
    cases.number("setPositions", 9, x -> BloomFormulas.fppAtFill(x, 8, 2));
    cases.number("setPositions", 9, x -> BloomFormulas.estimatedElements(x, 8, 2));
    cases.number("positions", (1L << 62) + 1, m -> BloomFormulas.roundUpToPowerOfTwo(m));
    // Twice this many throws are more than a long holds.
    long tooMany = (1L << 62) + 1;
    cases.number("elements", tooMany, n -> BloomFormulas.exactFpp(n, 8, 2));
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
      cases.number("positions", bad, m -> new FlatShape(m, 1));
    }
    for (int bad : new int[] {0, -1, 65}) {
      cases.number("hashes", bad, k -> new FlatShape(1, (int) k));
      cases.number("hashes", bad, k -> Shape.ofPositionsPerElement(1, 8, (int) k));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      cases.number("expectedInsertions", bad, n -> Shape.of(n, 0.01));
      cases.number("expectedInsertions", bad, n -> Shape.ofPowerOfTwo(n, 0.01));
      cases.number("expectedInsertions", bad, n -> Shape.ofPositionsPerElement(n, 8, 2));
      cases.number("expectedInsertions", bad, n -> Shape.highError(n));
      cases.number("expectedInsertions", bad, n -> Shape.middleError(n));
      cases.number("expectedInsertions", bad, n -> Shape.lowError(n));
    }
    cases.number("elements", -1, n -> new FlatShape(8, 2).fpp(n));
    cases.number("elements", -1, n -> new FlatShape(8, 2).expectedOverflowedCounters(n, 1));
    cases.number("copies", 0, c -> new FlatShape(8, 2).expectedOverflowedCounters(1, c));
    for (double bad : NO_FRACTIONS) {
      cases.fraction("fpp", bad, p -> Shape.of(1, p));
      cases.fraction("fpp", bad, p -> Shape.ofPowerOfTwo(1, p));
    }
    for (double bad : new double[] {0, -1, Double.NaN, Double.NEGATIVE_INFINITY}) {
      cases.fraction("positionsPerElement", bad, c -> Shape.ofPositionsPerElement(1, c, 2));
    }
    return cases.all.stream();
  }

  static Stream<Arguments> blocks() {
    Cases cases = new Cases();
    for (long bad : new long[] {-1, Long.MIN_VALUE}) {
      cases.number("elements", bad, n -> BlockedFormulas.splitBlockedFpp(n, 2, 512, 6));
      cases.number("elements", bad, n -> BlockedFormulas.expectedSetPositions(n, 2, 512, 6));
      cases.number("elements", bad, n -> BlockedFormulas.varianceOfSetPositions(n, 2, 512, 6));
      cases.number("setPositions", bad, x -> BlockedFormulas.estimatedElements(x, 2, 512, 6));
      cases.number("elements", bad, n -> new BlockedShape(2, 512, 6).fpp(n));
      cases.number(
          "elements", bad, n -> new BlockedShape(2, 128, 6).expectedOverflowedCounters(n, 1));
    }
    cases.number("setPositions", 1025, x -> BlockedFormulas.estimatedElements(x, 2, 512, 6));
    for (long bad : new long[] {0, -1, (1L << 28) + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      cases.number("blocks", bad, b -> BlockedFormulas.splitBlockedFpp(1, b, 512, 6));
      cases.number("blocks", bad, b -> BlockedFormulas.expectedSetPositions(1, b, 512, 6));
      cases.number("blocks", bad, b -> BlockedFormulas.varianceOfSetPositions(1, b, 512, 6));
      cases.number("blocks", bad, b -> BlockedFormulas.estimatedElements(1, b, 512, 6));
      cases.number("blocks", bad, b -> BlockedFormulas.expectedOverflowedCounters(1, b, 512, 6, 1));
      cases.number("blocks", bad, b -> new BlockedShape(b, 512, 6));
    }
    cases.number("blocks", (1L << 29) + 1, b -> new BlockedShape(b, 128, 6));
    for (int bad : new int[] {0, -512, 8, 384, 1024, Integer.MIN_VALUE}) {
      String name = "positionsPerBlock";
      cases.number(name, bad, m -> BlockedFormulas.splitBlockedFpp(1, 2, (int) m, 6));
      cases.number(name, bad, m -> BlockedFormulas.expectedSetPositions(1, 2, (int) m, 6));
      cases.number(name, bad, m -> BlockedFormulas.varianceOfSetPositions(1, 2, (int) m, 6));
      cases.number(name, bad, m -> BlockedFormulas.estimatedElements(1, 2, (int) m, 6));
      cases.number(name, bad, m -> BlockedFormulas.expectedOverflowedCounters(1, 2, (int) m, 6, 1));
      cases.number(name, bad, m -> new BlockedShape(2, (int) m, 6));
    }
    cases.number("positionsPerBlock", 256, m -> new BlockedShape(2, (int) m, 6));
    for (int bad : new int[] {0, -2, 1, 5, 17, 18, Integer.MIN_VALUE}) {
      cases.number("hashes", bad, k -> BlockedFormulas.splitBlockedFpp(1, 2, 512, (int) k));
      cases.number("hashes", bad, k -> BlockedFormulas.expectedSetPositions(1, 2, 512, (int) k));
      cases.number("hashes", bad, k -> BlockedFormulas.varianceOfSetPositions(1, 2, 512, (int) k));
      cases.number("hashes", bad, k -> BlockedFormulas.estimatedElements(1, 2, 512, (int) k));
      cases.number(
          "hashes", bad, k -> BlockedFormulas.expectedOverflowedCounters(1, 2, 512, (int) k, 1));
      cases.number("hashes", bad, k -> new BlockedShape(2, 512, (int) k));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      cases.number(
          "copies", bad, c -> new BlockedShape(2, 128, 6).expectedOverflowedCounters(1, c));
      cases.number("expectedInsertions", bad, n -> BlockedShape.ofBits(n, 0.01));
      cases.number("expectedInsertions", bad, n -> BlockedShape.ofCounters(n, 0.01));
    }
    for (double bad : NO_FRACTIONS) {
      cases.fraction("fpp", bad, p -> BlockedShape.ofBits(1, p));
      cases.fraction("fpp", bad, p -> BlockedShape.ofCounters(1, p));
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
