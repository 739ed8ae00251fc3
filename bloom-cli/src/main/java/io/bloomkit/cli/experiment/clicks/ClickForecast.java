package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.Shape;
import io.bloomkit.scalable.aging.AgingShape;
import java.util.Arrays;

/**
 * What formulas say of a {@link ClickFilter} before it has seen a click. Times are in milliseconds
 * from the beginning of the stream, with an empty filter; so it also tells of filters that are not
 * yet as full as they will be.
 */
sealed interface ClickForecast {

  /** How finely a cycle is looked at when a mean is taken. */
  int MOMENTS_PER_CYCLE = 128;

  /** Returns the probability that a first click is taken for a repeat. */
  double lossAt(double millis);

  /** Returns the probability that a repeat is recognized, of a click last seen at another time. */
  double recognitionAt(double millis, double lastMillis);

  /** Returns after how long the loss takes the same course again. */
  double cycleMillis();

  /** Returns from when on it does. */
  double steadyAfterMillis();

  /**
   * Returns how many first clicks are lost from the beginning of a stream, on average: {@link
   * #lossAt} integrated over the first clicks. What returns in cycles is integrated once.
   *
   * @param millis how long the stream is
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

  /** By the rule of midpoints; within one cycle. */
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
   * An aging filter: {@link LayeredFormulas#agePartitionedFpp} of the fill that its slices have on
   * average at a moment of the cycle. The slice of age a has taken the ids of up to k generations,
   * from the one a generations ago on, or from the first one. Of a click last seen j generations
   * ago the slices of the ages j to j + k − 1 are certain to hit, as far as they are still there.
   *
   * @param shape how many slices there are of which size
   * @param generationMillis how long a generation takes
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
   * A counting filter that holds the messages of the window: {@link BloomFormulas#classicFpp} of
   * the different ids among them. It knows nothing of an older click.
   */
  record Counting(Shape shape, ClickTraffic traffic) implements ClickForecast {

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

  /** An exact set, which loses and forgets nothing. */
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
