package io.bloomkit.cli.experiment.ids;

import io.bloomkit.FlatShape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;

/** The filters of the experiment. */
public final class Candidates {

  /** The size and the number of hashes in the article on which the experiment is based. */
  private static final FlatShape ARTICLE = new FlatShape(1L << 28, 12);

  /** The scalable filter begins with room for the ids divided by this number, so that it grows. */
  static final int GROWTH_DIVISOR = 10;

  private Candidates() {}

  /**
   * Returns the article's filter and one filter of each compared kind.
   *
   * @throws IllegalArgumentException if a kind does not support the number or the rate; the message
   *     names the kind
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
