package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;

/**
 * The predictions of formulas for a {@link ClickFilter}. Times are in milliseconds from the
 * beginning of the stream, when the filter is empty. The predictions therefore also hold while the
 * filter is still filling.
 */
sealed interface ClickForecast {

  /** The number of points per cycle for a mean. */
  int MOMENTS_PER_CYCLE = 128;

  /** Returns the probability that a first click at a time is mistaken for a repeat. */
  double lossAt(double millis);

  /**
   * Returns the probability that a repeat at a time is recognized, if its click was last seen at
   * {@code lastMillis}.
   */
  double recognitionAt(double millis, double lastMillis);

  /** Returns the period of the loss in milliseconds. */
  double cycleMillis();

  /** Returns the time from which on the loss is periodic. */
  double steadyAfterMillis();

  /**
   * Returns the expected number of lost first clicks of a stream, which is the integral of {@link
   * #lossAt} over the first clicks. A periodic part is integrated once.
   *
   * @param millis the duration of the stream
   */
  default double expectedLost(ClickTraffic traffic, double millis) {
    double cycle = cycleMillis();
    double steady =
        cycle * Math.ceil(Math.max(steadyAfterMillis(), traffic.steadyAfterMillis()) / cycle);
    double lost = 0;
    for (double from = 0; from < Math.min(steady, millis); from += cycle) {
      lost += lostBetween(traffic, from, Math.min(from + cycle, millis));
    }
    if (millis > steady) {
      double cycles = Math.floor((millis - steady) / cycle);
      lost += cycles * lostBetween(traffic, steady, steady + cycle);
      lost += lostBetween(traffic, steady, millis - cycles * cycle);
    }
    return lost;
  }

  /** Returns the integral by the midpoint rule, within one cycle. */
  private double lostBetween(ClickTraffic traffic, double from, double to) {
    double step = (to - from) / MOMENTS_PER_CYCLE;
    double sum = 0;
    for (int i = 0; i < MOMENTS_PER_CYCLE; i++) {
      double moment = from + (i + 0.5) * step;
      sum += traffic.firstShare(moment) * lossAt(moment);
    }
    return traffic.messagesWithin(step) * sum;
  }

  /**
   * The forecast of an expiring filter: the number of distinct ids that are alive, divided by the
   * number of possible fingerprints. A click expires at the end of an epoch.
   *
   * @param fingerprints the number of possible fingerprints
   */
  record Expiring(long fingerprints, ClickTraffic traffic) implements ClickForecast {

    private static final long EPOCHS = 15;

    /** Returns the duration of an epoch: a fifteenth of the window, rounded up. */
    private long epochMillis() {
      return (traffic.windowMillis() - 1) / EPOCHS + 1;
    }

    @Override
    public double lossAt(double millis) {
      double from = Math.max(0, oldestLiveEpoch(millis) * (double) epochMillis());
      return -Math.expm1(-traffic.idsWithin(millis - from) / fingerprints);
    }

    @Override
    public double recognitionAt(double millis, double lastMillis) {
      return epoch(lastMillis) >= oldestLiveEpoch(millis) ? 1 : lossAt(millis);
    }

    /** Returns the earliest epoch whose clicks are alive at a time. */
    private long oldestLiveEpoch(double millis) {
      return epoch(millis) - epochsInWindow();
    }

    private long epochsInWindow() {
      return (traffic.windowMillis() - 1) / epochMillis() + 1;
    }

    private long epoch(double millis) {
      return (long) (millis / epochMillis());
    }

    @Override
    public double cycleMillis() {
      return epochMillis();
    }

    @Override
    public double steadyAfterMillis() {
      return (double) (epochsInWindow() + 1) * epochMillis();
    }
  }

  /**
   * The forecast of a counting filter that contains the messages of the window: {@link
   * BloomFormulas#classicFpp} for the number of distinct ids among them. The filter contains no
   * older clicks.
   */
  record Counting(FlatShape shape, ClickTraffic traffic) implements ClickForecast {

    @Override
    public double lossAt(double millis) {
      double ids = traffic.idsWithin(Math.min(millis, (double) traffic.windowMillis()));
      return BloomFormulas.classicFpp(Math.round(ids), shape.positions(), shape.hashes());
    }

    @Override
    public double recognitionAt(double millis, double lastMillis) {
      return millis - lastMillis <= traffic.windowMillis() ? 1 : lossAt(millis);
    }

    @Override
    public double cycleMillis() {
      return traffic.windowMillis();
    }

    @Override
    public double steadyAfterMillis() {
      return traffic.windowMillis();
    }
  }

  /** The forecast of an exact set, which loses no first click and forgets nothing. */
  record Exact() implements ClickForecast {

    @Override
    public double lossAt(double millis) {
      return 0;
    }

    @Override
    public double recognitionAt(double millis, double lastMillis) {
      return 1;
    }

    @Override
    public double cycleMillis() {
      return Double.MAX_VALUE; // one for all times; multiples of infinity would be NaN
    }

    @Override
    public double steadyAfterMillis() {
      return 0;
    }
  }
}
