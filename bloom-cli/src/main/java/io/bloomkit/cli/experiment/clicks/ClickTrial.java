package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.Rate;
import io.bloomkit.cli.experiment.Row;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.experiment.clicks.ClickStream.Message;
import io.bloomkit.cli.io.Progress;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Passes a stream of clicks to one filter. */
final class ClickTrial {
  /** The maximum number of messages in a batch, small enough for the fast caches. */
  private static final int BATCH = 4096;

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
  private final Message[] batch = new Message[BATCH];
  private final boolean[] classifiedAsFirst = new boolean[BATCH];
  private final ClickFilter filter;
  private final Row row;
  private long nanos;
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
    this.messages = Math.min(messages, plan.maxMessages());
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
    row.put("messagesPerSecond", messages / (Math.max(1, nanos) * 1e-9));
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
        int count = (int) Math.min(BATCH, to - passed);
        passBatch(count);
        passed += count;
        progress.advance(count);
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

  /**
   * Passes the next messages to the filter. The clock is read twice, and the messages are created
   * outside of the measured time.
   */
  private void passBatch(int count) {
    for (int i = 0; i < count; i++) {
      batch[i] = stream.next();
    }
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      classifiedAsFirst[i] = filter.isFirst(batch[i].id(), batch[i].millis());
    }
    nanos += System.nanoTime() - start;
    for (int i = 0; i < count; i++) {
      tally(batch[i], !classifiedAsFirst[i]);
    }
  }

  private void tally(Message message, boolean recognized) {
    if (message.isFirst()) {
      first++;
      lost += recognized ? 1 : 0;
    } else if (message.millis() - message.previousMillis() <= traffic.windowMillis()) {
      repeats++;
      if (!recognized) {
        firstMissed = missed == 0 ? message.id() : firstMissed;
        missed++;
      }
    } else {
      old++;
      oldRecognized += recognized ? 1 : 0;
      oldExpected +=
          plan.forecast()
              .recognitionAt((double) message.millis(), (double) message.previousMillis());
    }
  }
}
