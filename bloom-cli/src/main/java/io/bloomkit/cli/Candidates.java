package io.bloomkit.cli;

import io.bloomkit.BytesHashStrategy;
import io.bloomkit.HashStrategies;
import io.bloomkit.Shape;
import java.util.ArrayList;
import java.util.List;

/** The filters that the commands are about. */
final class Candidates {

  /** The size and the number of hashes of the article that the experiment is from. */
  private static final Shape ARTICLE = new Shape(1L << 28, 12);

  /** The scalable filter of the experiment begins with this part of the ids, and so grows. */
  static final int GROWTH_DIVISOR = 10;

  private Candidates() {}

  /** Returns a filter of each variant, made for so many elements. */
  static List<Candidate<?>> ofEachVariant(long elements, double fpp) {
    return ofEachVariant(elements, elements, fpp);
  }

  /** Returns the article's filter and those of each variant. */
  static List<Candidate<?>> ofExperiment(int ids, double fpp) {
    List<Candidate<?>> candidates = new ArrayList<>();
    candidates.add(Candidate.classic("article", HashStrategies.sha384(), ARTICLE));
    candidates.addAll(ofEachVariant(ids, Math.max(1, ids / GROWTH_DIVISOR), fpp));
    return candidates;
  }

  private static List<Candidate<?>> ofEachVariant(long elements, long initialCapacity, double fpp) {
    BytesHashStrategy bytesHash = HashStrategies.bytes();
    Shape shape = Shape.of(elements, fpp);
    return List.of(
        Candidate.classic("classic", bytesHash, shape),
        Candidate.counting("counting", bytesHash, shape),
        Candidate.scalable("scalable", bytesHash, initialCapacity, elements, fpp));
  }
}
