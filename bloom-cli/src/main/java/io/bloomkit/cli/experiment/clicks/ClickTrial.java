package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.experiment.clicks.ClickResult.Moment;
import io.bloomkit.cli.io.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs the experiment for one filter. */
final class ClickTrial {

  private final ClickPlan plan;
  private final ClickTraffic traffic;
  private final long messages;
  private final ClickStream stream;
  private final Progress progress;
  private final ClickBatch batch = new ClickBatch();
  private final ClickFilter filter;

  private long first;
  private long lost;
  private long repeats;
  private long missed;
  private @Nullable UUID firstMissed;
  private long old;
  private long oldRecognized;
  private double oldExpected;

  ClickTrial(ClickPlan plan, ClicksExperiment.Settings settings, Progress progress) {
    this.plan = plan;
    this.traffic = settings.traffic();
    this.messages = Math.min(settings.messages(), plan.mostMessages());
    this.stream = new ClickStream(traffic, messages, settings.seed());
    this.progress = progress;
    this.filter = plan.filters().get();
  }

  /**
   * Passes the stream to the filter.
   *
   * @param moments the number of moments at which the state is recorded
   * @throws ViolationException if the filter mistakes a repeat within the window for a first click
   */
  ClickResult run(int moments) {
    progress.phase(plan.name() + ": messages", messages);
    List<Moment> curve = new ArrayList<>();
    long shown = 0;
    for (int moment = 1; moment <= moments; moment++) {
      long to = messages / moments * moment + messages % moments * moment / moments;
      long firstBefore = first;
      long lostBefore = lost;
      while (shown < to) {
        batch.fill(stream, (int) Math.min(ClickBatch.SIZE, to - shown));
        batch.apply(filter);
        tally();
        shown += batch.size();
        progress.advance(batch.size());
      }
      MeasuredRate rate = new MeasuredRate(lost - lostBefore, first - firstBefore);
      curve.add(new Moment(traffic.millisOf(to), filter.memoryBytes(), rate));
    }
    requireNoneMissed();
    return new ClickResult(
        plan,
        messages,
        messages / (Math.max(1, batch.nanos()) * 1e-9),
        filter.memoryBytes(),
        new MeasuredRate(lost, first),
        expectedLoss(),
        repeats,
        missed,
        new MeasuredRate(oldRecognized, old),
        old == 0 ? 0 : oldExpected / old,
        curve);
  }

  /** Returns the predicted share of lost first clicks. */
  private double expectedLoss() {
    double millis = traffic.durationOf(messages); // not 0 for a few messages
    return plan.forecast().expectedLost(traffic, millis) / traffic.idsWithin(millis);
  }

  private void tally() {
    for (int i = 0; i < batch.size(); i++) {
      boolean recognized = !batch.isTakenForFirst(i);
      if (batch.isFirst(i)) {
        first++;
        lost += recognized ? 1 : 0;
      } else if (batch.millis(i) - batch.previousMillis(i) <= traffic.windowMillis()) {
        repeats++;
        if (!recognized) {
          firstMissed = missed == 0 ? batch.id(i) : firstMissed;
          missed++;
        }
      } else {
        old++;
        oldRecognized += recognized ? 1 : 0;
        oldExpected +=
            plan.forecast()
                .recognitionAt((double) batch.millis(i), (double) batch.previousMillis(i));
      }
    }
  }

  private void requireNoneMissed() {
    if (missed > 0) {
      throw new ViolationException(
          String.format(
              Locale.ROOT,
              "%s mistook %,d of %,d repeats within the window for first clicks, the first %s",
              plan.name(),
              missed,
              repeats,
              firstMissed));
    }
  }
}
