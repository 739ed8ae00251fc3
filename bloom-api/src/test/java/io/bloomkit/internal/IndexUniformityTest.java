package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.ChiSquare;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The positions of consecutive numbers, hashed, spread evenly: each probe alone, and each two in a
 * row. {@link ChiSquare} states α and power.
 */
class IndexUniformityTest {

  private static final int HASHES = 8;
  private static final int NUMBERS = 1_000_000;
  private static final int MAX_POSITIONS_SHIFT = 37 - 10;

  @Test
  void everyProbeIsUniformInASmallFilter() {
    for (ChiSquare probe : probes(HashStrategies.longs()::hashLong, ChiSquare.CELLS, 0)) {
      assertTrue(probe.isUniform(), () -> "statistic " + probe.statistic());
    }
  }

  @Test
  void everyProbeIsUniformInTheLargestFilter() {
    for (ChiSquare probe :
        probes(HashStrategies.longs()::hashLong, Shape.MAX_POSITIONS, MAX_POSITIONS_SHIFT)) {
      assertTrue(probe.isUniform(), () -> "statistic " + probe.statistic());
    }
  }

  @Test
  void everyTwoProbesInARowAreIndependent() {
    for (ChiSquare pair : pairs(HashStrategies.longs()::hashLong)) {
      assertTrue(pair.isUniform(), () -> "statistic " + pair.statistic());
    }
  }

  /** The tests above can fail: numbers that nobody hashed do not pass the first. */
  @Test
  void numbersThatWereNotHashedAreFoundOut() {
    assertFalse(probes(LongUnaryOperator.identity(), ChiSquare.CELLS, 0)[0].isUniform());
    assertFalse(pairs(LongUnaryOperator.identity())[0].isUniform());
  }

  /** Nor does a slight bias: one hash in forty is moved to the lower half. */
  @Test
  void aBiasOfTwoAndAHalfPercentIsFoundOut() {
    LongUnaryOperator biased =
        number -> {
          long hash = HashStrategies.longs().hashLong(number);
          return number % 40 == 0 ? hash & Long.MAX_VALUE : hash;
        };
    assertFalse(probes(biased, ChiSquare.CELLS, 0)[0].isUniform());
  }

  private static ChiSquare[] probes(LongUnaryOperator hash, long positions, int shift) {
    ChiSquare[] probes = new ChiSquare[HASHES];
    for (int i = 0; i < HASHES; i++) {
      probes[i] = new ChiSquare();
    }
    for (long number = 0; number < NUMBERS; number++) {
      long state = IndexDerivation.start(hash.applyAsLong(number));
      for (ChiSquare probe : probes) {
        probe.count(IndexDerivation.position(state, positions) >>> shift);
        state = IndexDerivation.next(state);
      }
    }
    return probes;
  }

  private static ChiSquare[] pairs(LongUnaryOperator hash) {
    ChiSquare[] pairs = new ChiSquare[HASHES];
    for (int i = 0; i < HASHES; i++) {
      pairs[i] = new ChiSquare();
    }
    int side = 32;
    for (long number = 0; number < NUMBERS; number++) {
      long state = IndexDerivation.start(hash.applyAsLong(number));
      for (ChiSquare pair : pairs) {
        long before = IndexDerivation.position(state, side);
        state = IndexDerivation.next(state);
        pair.count(before * side + IndexDerivation.position(state, side));
      }
    }
    return pairs;
  }
}
