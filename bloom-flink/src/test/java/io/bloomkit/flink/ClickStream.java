package io.bloomkit.flink;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.io.Serializable;
import java.time.Duration;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A stream of clicks with repeats, the same in each run: one a millisecond, each up to {@link
 * #SPREAD} milliseconds later than its place. Two in five ids have come before.
 *
 * @param clicks the number of clicks
 * @param ids the number of different ids
 * @param timeToLive for how long a click is remembered, in milliseconds
 * @param perSecond how many clicks a second are read, at most
 */
record ClickStream(long clicks, int ids, long timeToLive, int perSecond) implements Serializable {

  private static final long serialVersionUID = 1;

  static final int SPREAD = 200;
  static final int KEY_GROUPS = 16;
  private static final int WATERMARK_INTERVAL = 100;
  private static final long START = 1_800_000_000_000L;
  private static final long AHEAD = 2 * (SPREAD + WATERMARK_INTERVAL);

  Click click(long number) {
    LongHashStrategy mix = HashStrategies.longs();
    long random = mix.hash(number);
    return new Click(
        "user " + Long.remainderUnsigned(random, ids),
        START + number + (random >>> 40) % SPREAD,
        number);
  }

  /** Returns the distinct ids within the time to live, on average. */
  long distinct() {
    return Math.round(ids * -Math.expm1(-1.0 * timeToLive / ids));
  }

  StreamDeduplicator<CharSequence> deduplicator(double fpp) {
    return StreamDeduplicator.of(HashStrategies::utf8)
        .expecting(distinct(), fpp)
        .timeToLive(Duration.ofMillis(timeToLive))
        .eventTime(Duration.ofMillis(AHEAD));
  }

  /** Returns the clicks, read by one task in the order of their numbers. */
  DataStream<Click> read(StreamExecutionEnvironment env) {
    MapFunction<Long, Click> click = new Throttled(this);
    return env.fromSource(
            new NumberSequenceSource(0, clicks - 1), WatermarkStrategy.noWatermarks(), "numbers")
        .uid("numbers")
        .setParallelism(1)
        .map(click)
        .returns(TypeInformation.of(Click.class))
        .setParallelism(1)
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Click>forGenerator(context -> new EveryHundredth())
                .withTimestampAssigner((record, timestamp) -> record.time))
        .setParallelism(1);
  }

  private static final class Throttled implements MapFunction<Long, Click> {

    private static final long serialVersionUID = 1;

    private final ClickStream stream;
    private transient long start;
    private transient long count;

    Throttled(ClickStream stream) {
      this.stream = stream;
    }

    @Override
    public Click map(Long number) throws InterruptedException {
      if (start == 0) {
        start = System.nanoTime();
      }
      if (count++ % 64 == 0) {
        long early = (long) (count * 1e9 / stream.perSecond) - (System.nanoTime() - start);
        Thread.sleep(Math.max(0, early / 1_000_000));
      }
      return stream.click(number);
    }
  }

  /** Watermarks by the data, and not by the clock as Flink's own. */
  private static final class EveryHundredth implements WatermarkGenerator<Click> {

    @Override
    public void onEvent(Click click, long timestamp, WatermarkOutput output) {
      if (click.number % WATERMARK_INTERVAL == 0) {
        output.emitWatermark(new Watermark(START + click.number - 1));
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  /**
   * What passed, beside exact sets.
   *
   * @param passed the number of clicks that passed
   * @param repeats how many of them should not have passed: another click of the id has passed
   *     within the time to live before
   * @param firsts how many clicks had to pass: none of the id has passed, or was lost, within the
   *     time to live and what the filters may remember longer
   * @param lost how many of the firsts did not pass
   * @param least the expected number of lost firsts, if filters remember no longer than they must
   * @param most the expected number, if they remember as long as they may
   */
  record Figures(long passed, long repeats, long firsts, long lost, double least, double most) {

    /** Returns whether the lost firsts are within four standard deviations. */
    boolean isLostAsExpected() {
      return lost >= least - 4 * Math.sqrt(least) && lost <= most + 4 * Math.sqrt(most);
    }
  }

  /** Compares what passed with exact sets: one click after another, in the order of the stream. */
  Figures compare(BitSet passed, double fpp) {
    long longest = timeToLive + AHEAD;
    long slack = longest + 2 * ((longest - 1) / 15 + 1) + AHEAD;
    long possible =
        new PlannedSize(distinct(), fpp, timeToLive, AHEAD)
            .builder(HashStrategies.utf8(), KEY_GROUPS)
            .build()
            .possibleFingerprints();
    Map<String, Long> lastPassed = new HashMap<>();
    Map<String, Long> lastLost = new HashMap<>();
    Live least = new Live(timeToLive);
    Live most = new Live(slack);
    long repeats = 0;
    long firsts = 0;
    long lost = 0;
    double expectedLeast = 0;
    double expectedMost = 0;
    for (long number = 0; number < clicks; number++) {
      Click click = click(number);
      String id = String.valueOf(click.id);
      Long last = lastPassed.get(id);
      int group = KeyGroupRangeAssignment.assignToKeyGroup(id, KEY_GROUPS);
      least.forgetBefore(click.time);
      most.forgetBefore(click.time);
      boolean isPassed = passed.get(Math.toIntExact(number));
      if (isPassed && last != null && click.time - last <= timeToLive) {
        repeats++;
      }
      long lastLostTime = lastLost.getOrDefault(id, Long.MIN_VALUE / 2);
      if ((last == null || click.time - last > slack) && click.time - lastLostTime > slack) {
        firsts++;
        if (!isPassed) {
          lost++;
          lastLost.put(id, click.time);
        }
        expectedLeast += 1.0 * least.counts[group] / possible;
        expectedMost += 1.0 * most.counts[group] / possible;
      }
      if (isPassed) {
        lastPassed.put(id, click.time);
        least.add(group, click.time);
        most.add(group, click.time);
      }
    }
    return new Figures(passed.cardinality(), repeats, firsts, lost, expectedLeast, expectedMost);
  }

  /** The number of keys of each key group that have passed within a time. */
  private static final class Live {

    final int[] counts = new int[KEY_GROUPS];
    private final long time;
    private final PriorityQueue<long[]> passed =
        new PriorityQueue<>(Comparator.comparingLong((long[] entry) -> entry[0]));

    Live(long time) {
      this.time = time;
    }

    void add(int group, long at) {
      counts[group]++;
      passed.add(new long[] {at, group});
    }

    void forgetBefore(long now) {
      while (!passed.isEmpty() && now - passed.element()[0] > time) {
        counts[(int) passed.remove()[1]]--;
      }
    }
  }
}
