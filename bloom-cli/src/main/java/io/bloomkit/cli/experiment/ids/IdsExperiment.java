package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds many ids to an exact set and to each filter, then runs random queries, for which the exact
 * set provides the correct answers.
 */
final class IdsExperiment {

  private IdsExperiment() {}

  /**
   * The settings of a run. Two runs with the same settings differ only in their times.
   *
   * @param count the number of ids
   * @param queries the number of random texts
   * @param seed the seed of the ids and texts
   * @param checkpoints the number of times that the rate is measured while a filter is filled
   */
  record Settings(int count, long queries, long seed, int checkpoints) {}

  /**
   * Runs the filters one after another. Each filter is released before the next is created.
   *
   * @throws ViolationException as soon as a filter violates its guarantees
   */
  static List<FilterResult> run(Settings settings, List<Candidate> candidates, Progress progress) {
    IdSample sample = IdSample.generate(settings.count, settings.queries, settings.seed, progress);
    List<FilterResult> results = new ArrayList<>();
    for (Candidate candidate : candidates) {
      results.add(new FilterTrial(candidate, sample, settings.checkpoints, progress).run());
    }
    return results;
  }
}
