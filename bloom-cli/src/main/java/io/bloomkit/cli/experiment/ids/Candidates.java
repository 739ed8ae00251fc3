package io.bloomkit.cli.experiment.ids;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterKind;
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
   * Returns the article's filter and one of each kind that is compared.
   *
   * @throws IllegalArgumentException if there is no such filter of a kind, which it names
   */
  public static List<Candidate> ofExperiment(int ids, double fpp) {
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(Candidate.classic("article", HashStrategies.sha384(), ARTICLE));
    int initialCapacity = Math.max(1, ids / GROWTH_DIVISOR);
    for (FilterKind kind : ComparedKinds.installed()) {
      try {
        candidates.add(Candidate.of(kind, HashStrategies.bytes(), ids, initialCapacity, fpp));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(kind.label() + ": " + e.getMessage(), e);
      }
    }
    return candidates;
  }
}
