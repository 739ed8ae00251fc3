package io.bloomkit.cli.experiment.ids;

import io.bloomkit.Shape;
import io.bloomkit.cli.size.Candidate;
import io.bloomkit.cli.size.Variant;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;

/** The filters of the experiment. */
public final class Candidates {

  /** The size and the number of hashes of the article that the experiment is from. */
  private static final Shape ARTICLE = new Shape(1L << 28, 12);

  /** The scalable filter begins with this part of the ids, and so grows. */
  static final int GROWTH_DIVISOR = 10;

  private Candidates() {}

  /**
   * Returns the article's filter and one of each variant.
   *
   * @throws IllegalArgumentException if there is no such filter of a variant, which it names
   */
  public static List<Candidate<?>> ofExperiment(int ids, double fpp) {
    List<Candidate<?>> candidates = new ArrayList<>();
    candidates.add(Candidate.classic("article", HashStrategies.sha384(), ARTICLE));
    Variant.Wish wish = new Variant.Wish(ids, Math.max(1, ids / GROWTH_DIVISOR), fpp);
    for (Variant variant : Variant.values()) {
      try {
        candidates.add(variant.candidate(wish));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(variant.label() + ": " + e.getMessage(), e);
      }
    }
    return candidates;
  }
}
