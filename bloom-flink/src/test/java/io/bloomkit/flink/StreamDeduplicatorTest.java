package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class StreamDeduplicatorTest {

  private static final Duration LONGEST = Duration.ofMillis(1L << 60);

  private static StreamDeduplicator<Long> longs() {
    return StreamDeduplicator.of(HashStrategies::longs);
  }

  private static StreamDeduplicator<Long> complete() {
    return longs().expecting(1_000, 0.01).timeToLive(Duration.ofHours(1)).processingTime();
  }

  private static KeyedStream<Long, Long> numbers(StreamExecutionEnvironment env) {
    return env.fromSequence(0, 9).keyBy(number -> number);
  }

  @Test
  void whatIsMissingIsNamed() {
    StreamExecutionEnvironment env = LocalFlink.environment(new Configuration(), 1);
    for (StreamDeduplicator<Long> incomplete :
        List.of(
            longs(),
            longs().expecting(10, 0.1).processingTime(),
            longs().timeToLive(Duration.ofHours(1)).processingTime(),
            longs().expecting(10, 0.1).timeToLive(Duration.ofHours(1)))) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> incomplete.apply(numbers(env)));
      assertTrue(String.valueOf(e.getMessage()).contains("is not complete: call expecting"));
    }
  }

  @Test
  void valuesOutOfTheirRangesAreNamed() {
    refuses("expected", () -> longs().expecting(-1, 0.1));
    refuses("maxParallelism must be at least 1, got 0", () -> complete().planOfKeyGroup(0));
    refuses("maxParallelism must be at least 1, got -1", () -> complete().planOfKeyGroup(-1));
    refuses("fpp", () -> longs().expecting(1, 1));
    refuses("2^55", () -> longs().expecting(1L << 55, 0.1));
    refuses("timeToLive must be above 0", () -> longs().timeToLive(Duration.ZERO));
    refuses("timeToLive must be above 0", () -> longs().timeToLive(Duration.ofMillis(-1)));
    refuses("timeToLive must be at most 2^60", () -> longs().timeToLive(LONGEST.plusNanos(1)));
    refuses("outOfOrderness must be at least 0", () -> longs().eventTime(Duration.ofMillis(-1)));
    refuses("outOfOrderness must be at most 2^60", () -> longs().eventTime(LONGEST.plusMillis(1)));
    refuses("step must be above 0", () -> longs().maxTimeStep(Duration.ZERO));
    refuses("step must be at most 2^60", () -> longs().maxTimeStep(LONGEST.plusMillis(1)));
    refuses(
        "the step of maxTimeStep must be at least timeToLive, PT1H, got PT59M",
        () -> complete().maxTimeStep(Duration.ofMinutes(59)).planOfKeyGroup(1));
    refuses(
        "timeToLive + outOfOrderness must be at most 2^60",
        () -> complete().timeToLive(LONGEST).eventTime(Duration.ofMillis(1)).planOfKeyGroup(1));
    refuses(
        "2^55",
        () ->
            longs()
                .expecting(1L << 50, 0x1p-5)
                .timeToLive(Duration.ofMillis(1))
                .eventTime(Duration.ofMillis(9))
                .planOfKeyGroup(1));
  }

  private static void refuses(String name, Executable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
    assertTrue(String.valueOf(e.getMessage()).contains(name), e.getMessage());
  }

  @Test
  void aPolicyOfSideOutputNeedsOne() {
    StreamExecutionEnvironment env = LocalFlink.environment(new Configuration(), 1);
    OutputTag<Long> tag = new OutputTag<>("some", Types.LONG);
    for (StreamDeduplicator<Long> job :
        List.of(
            complete().lateRecords(RecordPolicy.SIDE_OUTPUT),
            complete().recordsTooFarAhead(RecordPolicy.SIDE_OUTPUT))) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> job.apply(numbers(env), tag));
      assertTrue(
          String.valueOf(e.getMessage()).contains("call apply(records, repeats, untimely)"),
          e.getMessage());
      job.apply(numbers(env), tag, new OutputTag<>("other", Types.LONG));
    }
  }

  @Test
  void aSupplierWithoutAStrategyIsNamed() {
    NullPointerException e =
        assertThrows(
            NullPointerException.class,
            () -> StreamDeduplicator.of(StreamDeduplicatorTest::nothing));
    assertTrue(
        String.valueOf(e.getMessage()).contains("the supplier passed to StreamDeduplicator.of"),
        e.getMessage());
  }

  /** Flink would fail when the job starts, at a field of its own. */
  @Test
  void aSupplierThatCannotBeSentToTheTasksIsNamed() {
    HashStrategy<Long> captured = HashStrategies.seeded(HashStrategies.longs(), 7);
    refuses(
        "not serializable (" + captured.getClass().getName() + "): create the strategy inside",
        () -> StreamDeduplicator.of(() -> captured));
    long seed = 7;
    StreamDeduplicator.of(() -> HashStrategies.seeded(HashStrategies.longs(), seed));
  }

  private static @Nullable HashStrategy<Long> nothing() {
    return null;
  }

  @Test
  @Tag("deep")
  void aParallelismAboveTheMaximumIsRefused() {
    StreamExecutionEnvironment env = LocalFlink.environment(new Configuration(), 1);
    complete()
        .apply(numbers(env))
        .setParallelism(ClickStream.KEY_GROUPS + 1)
        .sinkTo(new DiscardingSink<>());
    assertFails(env, "max parallelism");
  }

  private static void assertFails(StreamExecutionEnvironment env, String words) {
    Exception failed = assertThrows(Exception.class, env::execute);
    StringBuilder messages = new StringBuilder();
    for (Throwable e = failed; e != null; e = e.getCause()) {
      messages.append(e.getMessage()).append('\n');
    }
    assertTrue(messages.indexOf(words) >= 0, messages::toString);
  }

  /** A batch has no watermark but the last, so nothing would expire. */
  @Test
  void eventTimeOfABatchIsRefused() {
    StreamExecutionEnvironment env = LocalFlink.environment(new Configuration(), 1);
    StreamDeduplicator<Long> job = complete().eventTime(Duration.ZERO);
    env.setRuntimeMode(RuntimeExecutionMode.BATCH);
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> job.apply(numbers(env)));
    assertTrue(
        String.valueOf(e.getMessage()).contains("setRuntimeMode(RuntimeExecutionMode.STREAMING)"),
        e.getMessage());
    env.setRuntimeMode(RuntimeExecutionMode.AUTOMATIC);
    job.apply(numbers(env)).sinkTo(new DiscardingSink<>());
    assertFails(env, "setRuntimeMode(RuntimeExecutionMode.STREAMING)");
  }

  @Test
  void thePlanOfAKeyGroupIsForTheLongestTime() {
    assertEquals(new FilterPlan(KeyGroupSize.of(1_000, 16), 0.01), complete().planOfKeyGroup(16));
    assertEquals(
        new FilterPlan(KeyGroupSize.of(1_250, 16), 0.01),
        complete().eventTime(Duration.ofMinutes(15)).planOfKeyGroup(16));
    assertEquals(1_000, complete().planOfKeyGroup(1).expectedInsertions());
  }
}
