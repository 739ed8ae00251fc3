package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.scalable.aging.AgingShape;
import java.util.Arrays;

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
   * The forecast of an aging filter: {@link LayeredFormulas#agePartitionedFpp} with the mean fill
   * of its slices at a time in the cycle. A slice of age a contains the ids of up to k generations,
   * beginning with the generation a generations ago or with the first one. For a click last seen j
   * generations ago, those slices of the ages j to j + k − 1 that still exist are certainly hit.
   *
   * @param shape the number and the size of the slices
   * @param generationMillis the duration of a generation
   */
  record Aging(AgingShape shape, long generationMillis, ClickTraffic traffic)
      implements ClickForecast {

    @Override
    public double lossAt(double millis) {
      return LayeredFormulas.agePartitionedFpp(shape.hashes(), fillRatios(millis));
    }

    @Override
    public double recognitionAt(double millis, double lastMillis) {
      double[] fillRatios = fillRatios(millis);
      long age = generation(millis) - generation(lastMillis);
      if (age < shape.slices()) {
        int to = (int) Math.min(shape.slices(), age + shape.hashes());
        Arrays.fill(fillRatios, (int) age, to, 1);
      }
      return LayeredFormulas.agePartitionedFpp(shape.hashes(), fillRatios);
    }

    private double[] fillRatios(double millis) {
      long generation = generation(millis);
      double[] fillRatios = new double[shape.slices()];
      for (int age = 0; age < fillRatios.length; age++) {
        double from = Math.max(0, generation - age) * (double) generationMillis;
        double to =
            Math.min(millis, (generation - age + shape.hashes()) * (double) generationMillis);
        long ids = to <= from ? 0 : Math.round(traffic.idsWithin(to - from));
        fillRatios[age] =
            BloomFormulas.expectedSetPositions(ids, shape.slicePositions(), 1)
                / shape.slicePositions();
      }
      return fillRatios;
    }

    private long generation(double millis) {
      return (long) (millis / generationMillis);
    }

    @Override
    public double cycleMillis() {
      return generationMillis;
    }

    @Override
    public double steadyAfterMillis() {
      return (double) shape.slices() * generationMillis;
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
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double steadyAfterMillis() {
      return 0;
    }

    @Override
    public double expectedLost(ClickTraffic traffic, double millis) {
      return 0;
    }
  }
}
