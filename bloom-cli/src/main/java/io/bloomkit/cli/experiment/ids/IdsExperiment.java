package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * The experiment that the project began with: many ids into an exact set and into each filter, then
 * random queries, of which the exact set knows the right answers.
 */
final class IdsExperiment {

  private IdsExperiment() {}

  /**
   * The settings of a run. Two runs with the same settings differ in nothing but times.
   *
   * @param count how many ids
   * @param queries how many random texts
   * @param seed what ids and texts follow from
   * @param checkpoints how often the rate is measured while a filter fills; 0 for never
   */
  record Settings(int count, long queries, long seed, int checkpoints) {}

  /**
   * Runs one filter after another and lets each go before the next.
   *
   * @throws ViolationException as soon as a filter breaks its promise
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
