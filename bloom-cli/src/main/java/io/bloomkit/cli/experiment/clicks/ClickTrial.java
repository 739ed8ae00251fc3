package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.Rate;
import io.bloomkit.cli.experiment.Row;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Passes a stream of clicks to one filter. */
final class ClickTrial {
  /** The number of moments at which memory and loss are recorded. */
  private static final int MOMENTS = 20;

  /** The number of points of the curve of the formula. */
  private static final int POINTS = 500;

  private static final int MOMENTS_PER_POINT = 16;
  private static final double MILLIS_PER_SECOND = 1000;

  private final ClickPlan plan;
  private final ClickTraffic traffic;
  private final long messages;
  private final ClickStream stream;
  private final Progress progress;
  private final ClickBatch batch = new ClickBatch();
  private final ClickFilter filter;
  private final Row row;
  private long first;
  private long lost;
  private long repeats;
  private long missed;
  private @Nullable UUID firstMissed;
  private long old;
  private long oldRecognized;
  private double oldExpected;

  /**
   * Creates the filter.
   *
   * @param messages the number of messages of the stream, of which the filter receives no more than
   *     planned
   */
  ClickTrial(ClickPlan plan, ClickTraffic traffic, long messages, long seed, Progress progress) {
    this.plan = plan;
    this.traffic = traffic;
    this.messages = Math.min(messages, plan.mostMessages());
    this.stream = new ClickStream(traffic, this.messages, seed);
    this.progress = progress;
    this.filter = plan.filters().get();
    this.row = new Row(plan.name());
  }

  /**
   * Passes the stream to the filter.
   *
   * @throws ViolationException if the filter mistakes a repeat within the window for a first click
   */
  Row run() {
    progress.phase(plan.name() + ": messages", messages);
    boolean isAsPlanned = passMessages();
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
    row.put("messages", messages);
    row.put("bytes", filter.memoryBytes());
    row.put("bytesAsPlanned", plan.fixedMemory() ? isAsPlanned : null);
    row.put("messagesPerSecond", messages / (Math.max(1, batch.nanos()) * 1e-9));
    row.put("repeats", repeats);
    row.put("repeatsCaught", repeats - missed);
    row.put("firstClicks", first);
    row.put("firstClicksLost", lost);
    row.putRate("Loss", new Rate(lost, first, expectedLoss()));
    row.put("oldRepeats", old);
    row.put("oldRepeatsRecognized", oldRecognized);
    row.putRate("OldRecognition", new Rate(oldRecognized, old, oldExpected / Math.max(1, old)));
    if (plan.fixedMemory() && !isAsPlanned) {
      row.note(String.format(Locale.ROOT, "the plan was %,d bytes", plannedBytes()));
    }
    predictLoss();
    return row;
  }

  /** Passes all messages and returns whether the memory was as planned at all moments. */
  private boolean passMessages() {
    boolean isAsPlanned = true;
    long passed = 0;
    double from = 0;
    for (int moment = 1; moment <= MOMENTS; moment++) {
      long to = messages / MOMENTS * moment + messages % MOMENTS * moment / MOMENTS;
      long firstBefore = first;
      long lostBefore = lost;
      while (passed < to) {
        batch.fill(stream, (int) Math.min(ClickBatch.SIZE, to - passed));
        batch.apply(filter);
        tally();
        passed += batch.size();
        progress.advance(batch.size());
      }
      isAsPlanned &= filter.memoryBytes() == plannedBytes();
      double now = (double) traffic.millisOf(to);
      Rate loss = new Rate(lost - lostBefore, first - firstBefore, 0);
      row.measure((from + now) / 2 / MILLIS_PER_SECOND, loss);
      from = now;
    }
    return isAsPlanned;
  }

  private long plannedBytes() {
    return plan.bytes().applyAsLong(messages);
  }

  /** Returns the predicted share of lost first clicks. */
  private double expectedLoss() {
    double millis = traffic.durationOf(messages); // not 0 for a few messages
    return plan.forecast().expectedLost(traffic, millis) / traffic.idsWithin(millis);
  }

  /**
   * Adds the curve of the formula. Each point is the mean of its neighbourhood, since the loss
   * varies within each generation.
   */
  private void predictLoss() {
    double step = traffic.durationOf(messages) / (POINTS * MOMENTS_PER_POINT);
    for (int point = 0; point < POINTS; point++) {
      double sum = 0;
      for (int i = 0; i < MOMENTS_PER_POINT; i++) {
        sum += plan.forecast().lossAt((point * MOMENTS_PER_POINT + i + 0.5) * step);
      }
      double middle = (point + 0.5) * MOMENTS_PER_POINT * step;
      row.predict(middle / MILLIS_PER_SECOND, sum / MOMENTS_PER_POINT);
    }
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
}
