package io.bloomkit.scalable.aging;

import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;

/**
 * Finds the shape of an aging filter by the rule of {@link AgingShape#of(long, double)}. Uses
 * strict arithmetic only, so equal arguments lead to equal shapes on every machine.
 */
final class AgingShapeSearch {

  /** More slices save only about 1 % of the memory, and make queries twice as long. */
  static final int MOST_HISTORIC_SLICES = 128;

  /** The largest accepted ratio of the memory of a shape with fewer slices to the least memory. */
  private static final double TOLERANCE = 1.1;

  /** Additions per position of the oldest active slice; at 64 every bit of a slice is set. */
  private static final double MOST_LOAD = 64;

  private static final double HALF = 0.5;

  private static final int BISECTIONS = 48;

  private AgingShapeSearch() {}

  static AgingShape search(long lastAdditions, double fpp, int mostHistoricSlices) {
    requireWithinHashes(lastAdditions, fpp);
    int most = (int) Math.min(mostHistoricSlices, lastAdditions);
    int[] hashes = new int[most + 1];
    double[] positions = new double[most + 1];
    double least = Double.POSITIVE_INFINITY;
    int k = 1;
    for (int l = 1; l <= most; l++) {
      k = bestHashes(k, l, fpp);
      hashes[l] = k;
      positions[l] =
          (k + l) * slicePositions(k, generationAdditions(lastAdditions, l), load(k, l, fpp));
      least = Math.min(least, positions[l]);
    }
    int l = 1;
    while (positions[l] > TOLERANCE * least) {
      l++;
    }
    return sized(hashes[l], l, generationAdditions(lastAdditions, l), lastAdditions, fpp);
  }

  /** Returns the smallest shape with given numbers of slices whose rate is at most {@code fpp}. */
  static AgingShape sized(
      int hashes, int historicSlices, long generationAdditions, long additions, double fpp) {
    double positions =
        slicePositions(hashes, generationAdditions, load(hashes, historicSlices, fpp));
    if (positions * (hashes + historicSlices) > AgingShape.MAX_POSITIONS) {
      throw tooLarge(additions, fpp);
    }
    AgingShape shape =
        new AgingShape(hashes, historicSlices, (long) positions, generationAdditions);
    while (shape.fpp() > fpp) { // the load holds for infinite slices and is slightly too high
      shape =
          new AgingShape(
              hashes,
              historicSlices,
              shape.slicePositions() + AgingShape.POSITIONS_UNIT,
              generationAdditions);
    }
    return shape;
  }

  private static void requireWithinHashes(long additions, double fpp) {
    BloomFormulas.optimalPositionsPerElement(fpp); // checks fpp
    double floor = BloomFormulas.hashFloor(additions);
    if (fpp < floor) {
      // Even a plain Bloom filter at the lowest rate that the hashes allow would be too large.
      double leastPositions =
          additions * BloomFormulas.optimalPositionsPerElement(Math.min(floor, HALF));
      if (leastPositions > AgingShape.MAX_POSITIONS) {
        throw tooLarge(additions, fpp);
      }
      throw new IllegalArgumentException(
          "fpp must be at least "
              + floor
              + ", what 64-bit hashes allow for "
              + additions
              + " additions, got "
              + fpp);
    }
  }

  private static IllegalArgumentException tooLarge(long additions, double fpp) {
    return new IllegalArgumentException(
        "a window of "
            + additions
            + " additions at fpp = "
            + fpp
            + " would need more positions than the largest number, "
            + AgingShape.MAX_POSITIONS
            + ", which one array holds: remember fewer additions"
            + (fpp < HALF ? ", allow more errors" : "")
            + " or share them among several filters");
  }

  /**
   * Returns g. The last addition is in the present generation, the others are in l generations
   * before it.
   */
  static long generationAdditions(long lastAdditions, int historicSlices) {
    return Math.max(1, (lastAdditions - 2) / historicSlices + 1);
  }

  /**
   * Returns the number of hashes with the least memory. Starts at the best one for l − 1 slices.
   */
  private static int bestHashes(int from, int historicSlices, double fpp) {
    int best = from;
    double least = relativePositions(best, historicSlices, fpp);
    for (int step = 1; step >= -1; step -= 2) {
      while (best + step > 0) { // at the lowest rate that hashes allow, ends at about 50
        double next = relativePositions(best + step, historicSlices, fpp);
        if (next >= least) {
          break;
        }
        best += step;
        least = next;
      }
    }
    return best;
  }

  /** Returns the number of positions of all slices divided by the additions per generation. */
  private static double relativePositions(int hashes, int historicSlices, double fpp) {
    return (hashes + historicSlices) * hashes / load(hashes, historicSlices, fpp);
  }

  private static double slicePositions(int hashes, long generationAdditions, double load) {
    double unit = AgingShape.POSITIONS_UNIT;
    return unit * Math.max(1, Math.ceil(generationAdditions * (hashes / load) / unit));
  }

  /** Returns the load k · g / s at which the false-positive rate is {@code fpp}. */
  private static double load(int hashes, int historicSlices, double fpp) {
    double low = 0;
    double high = MOST_LOAD;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (fppAtLoad(hashes, historicSlices, middle) <= fpp) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double fppAtLoad(int hashes, int historicSlices, double load) {
    double[] fillRatios = new double[hashes + historicSlices];
    for (int i = 0; i < fillRatios.length; i++) {
      fillRatios[i] =
          i < hashes ? -StrictMath.expm1(-load * (i + 1) / hashes) : fillRatios[hashes - 1];
    }
    return LayeredFormulas.agePartitionedFpp(hashes, fillRatios);
  }
}
