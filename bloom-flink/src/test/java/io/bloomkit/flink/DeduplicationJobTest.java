package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.util.function.SerializableSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on a cluster in this process, with Flink's own settings as far as possible. */
class DeduplicationJobTest {

  private static final long START = 1_800_000_000_000L;

  /** Clicks in a second less than the time to live, a hundred a second. */
  private static final int ROUND = 5_900;

  /** Returns a click of a stream that has each id twice, 59 seconds apart. */
  private static Click click(long number) {
    long round = number / ROUND;
    return new Click("id" + (round / 2 * ROUND + number % ROUND), START + number * 10, number);
  }

  private static boolean isRepeat(int number) {
    return number / ROUND % 2 == 1;
  }

  /**
   * Returns how many repeats passed after their first. A first may be lost; then its repeat passes.
   */
  private static long repeatsOfBacklog(BitSet passed) {
    return passed.stream().filter(number -> isRepeat(number) && passed.get(number - ROUND)).count();
  }

  /** Reads the clicks as fast as it can, so there are minutes between two watermarks. */
  private static SingleOutputStreamOperator<Click> firstOfBacklog(
      StreamExecutionEnvironment env, long clicks) {
    return firstOfBacklog(env, clicks, HashStrategies::utf8);
  }

  private static SingleOutputStreamOperator<Click> firstOfBacklog(
      StreamExecutionEnvironment env,
      long clicks,
      SerializableSupplier<HashStrategy<CharSequence>> strategy) {
    DataStream<Click> all =
        env.fromSequence(0, clicks - 1)
            .setParallelism(1)
            .uid("numbers")
            .map(DeduplicationJobTest::click)
            .returns(TypeInformation.of(Click.class))
            .setParallelism(1)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Click>forBoundedOutOfOrderness(Duration.ofSeconds(5))
                    .withTimestampAssigner((record, timestamp) -> record.time))
            .setParallelism(1);
    return StreamDeduplicator.of(strategy)
        .expecting(8_000, 1e-7)
        .timeToLive(Duration.ofMinutes(1))
        .eventTime(Duration.ofSeconds(10))
        .maxTimeStep(Duration.ofMinutes(1)) // less than what may be in flight
        .apply(all.keyBy(Click::id))
        .uid("first");
  }

  private static void readBacklog(int clicks) throws Exception {
    StreamExecutionEnvironment env = LocalFlink.environment(new Configuration(), 2);
    BitSet passed = new BitSet();
    for (Click click : firstOfBacklog(env, clicks).executeAndCollect(clicks)) {
      passed.set(Math.toIntExact(click.number));
    }
    assertEquals(0, repeatsOfBacklog(passed));
    assertTrue(passed.cardinality() >= clicks / 2 - 10, passed.cardinality() + " passed");
  }

  @Test
  void aBacklogPassesNoRepeat() throws Exception {
    readBacklog(40 * ROUND);
  }

  @Test
  @Tag("campaign")
  @Timeout(300)
  void aLongBacklogPassesNoRepeat() throws Exception {
    readBacklog(360 * ROUND);
  }

  /** Lets the records wait before it. */
  private static final class Slow implements MapFunction<Click, Click> {

    private static final long serialVersionUID = 1;

    private transient int count;

    @Override
    public Click map(Click click) throws InterruptedException {
      if (++count % 400 == 0) {
        Thread.sleep(10);
      }
      return click;
    }
  }

  private static Configuration retained(Path folder, boolean isIncremental) {
    Configuration settings = LocalFlink.settings(folder, 100);
    settings.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, isIncremental);
    settings.setString(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    return settings;
  }

  /** Runs a job until a number of clicks is committed, and sets its last checkpoint. */
  private static void cancelAfter(
      StreamExecutionEnvironment env, int atLeast, Path folder, Configuration settings)
      throws Exception {
    JobClient job = env.executeAsync();
    while (Committed.numbers(folder.toString()).cardinality() < atLeast) {
      Thread.sleep(20);
    }
    job.cancel().get();
    settings.setString(
        "execution.state-recovery.path", LocalFlink.lastCheckpoint(folder).toUri().toString());
  }

  private static StreamExecutionEnvironment slowBacklog(
      Configuration settings,
      int parallelism,
      int clicks,
      SerializableSupplier<HashStrategy<CharSequence>> strategy,
      String run) {
    StreamExecutionEnvironment env = LocalFlink.environment(settings, parallelism);
    Committed.end(
        firstOfBacklog(env, clicks, strategy).map(new Slow()).setParallelism(1).uid("slow"), run);
    return env;
  }

  /** Records in flight are replayed, first all of one task, then all of another. */
  private static void rescale(Path folder, int[] parallelisms, int clicks) throws Exception {
    Configuration settings = retained(folder, true);
    settings.setString("execution.checkpointing.unaligned.enabled", "true");
    String run = folder.toString();
    for (int step = 0; step < parallelisms.length; step++) {
      StreamExecutionEnvironment env =
          slowBacklog(settings, parallelisms[step], clicks, HashStrategies::utf8, run);
      if (step == parallelisms.length - 1) {
        env.execute();
      } else {
        cancelAfter(env, (step + 1) * clicks / 2 / parallelisms.length, folder, settings);
      }
    }
    BitSet passed = Committed.numbers(run);
    assertEquals(0, repeatsOfBacklog(passed));
    assertTrue(passed.cardinality() >= clicks / 2 - 10, passed.cardinality() + " passed");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  @Timeout(120)
  void rescalingFromAnUnalignedCheckpointPassesNoRepeat(int parallelism, @TempDir Path folder)
      throws Exception {
    rescale(folder, new int[] {5 - parallelism, parallelism}, 20 * ROUND);
  }

  /** Flink would restart the job again and again, and no attempt could read the state. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(120)
  void aStateThatCannotBeRestoredStopsTheJobForGood(boolean isIncremental, @TempDir Path folder)
      throws Exception {
    Configuration settings = retained(folder, isIncremental);
    settings.setString("execution.checkpointing.data-inline-threshold", "0b");
    String run = folder.toString();
    cancelAfter(
        slowBacklog(settings, 2, 10 * ROUND, HashStrategies::utf8, run), 1_000, folder, settings);
    assertStops(
        slowBacklog(
            settings, 2, 10 * ROUND, () -> HashStrategies.seeded(HashStrategies.utf8(), 42), run),
        "strategy");
    assertTrue(damageFilters(folder) > 0);
    assertStops(slowBacklog(settings, 3, 10 * ROUND, HashStrategies::utf8, run), "is damaged");
  }

  private static int damageFilters(Path folder) throws IOException {
    int damaged = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > 20 && ByteBuffer.wrap(bytes).getInt() == KeyGroupFilters.MAGIC) {
          bytes[10] ^= 1;
          Files.write(file, bytes);
          damaged++;
        }
      }
    }
    return damaged;
  }

  private static void assertStops(StreamExecutionEnvironment env, String words) {
    Throwable e = assertThrows(Exception.class, env::execute);
    StringBuilder messages = new StringBuilder();
    for (; e != null; e = e.getCause()) {
      messages.append(e.getMessage()).append('\n');
    }
    assertTrue(messages.indexOf("cannot restore the filter of key group") >= 0, messages::toString);
    assertTrue(messages.indexOf(words) >= 0, messages::toString);
  }

  @Test
  @Tag("campaign")
  @Timeout(300)
  void rescalingAgainAndAgainPassesNoRepeat(@TempDir Path folder) throws Exception {
    rescale(folder, new int[] {2, 4, 3, 2}, 160 * ROUND);
  }

  /** The scheduler divides key groups by volume, so a task has any of them. */
  @Test
  void aBatchWithAHotKeyHasEachKeyOnce() throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
    env.setRuntimeMode(RuntimeExecutionMode.BATCH);
    env.setMaxParallelism(32);
    int keys = 20_000;
    KeyedStream<Long, Long> numbers =
        env.fromSequence(0, 100L * keys - 1) // divided by volume
            .map(number -> number % 4 == 0 ? number / 4 % keys : 7)
            .returns(Types.LONG)
            .keyBy(number -> number);
    List<Long> first =
        StreamDeduplicator.of(HashStrategies::longs)
            .expecting(keys, 1e-7)
            .timeToLive(Duration.ofHours(1))
            .processingTime()
            .apply(numbers)
            .executeAndCollect(8 * keys);
    assertEquals(keys, first.size());
    assertEquals(keys, new HashSet<>(first).size());
  }

  /**
   * Flink gives records of such a source the least number as their timestamp, and would restart.
   */
  @Test
  void aSourceWithoutTimestampsStopsTheJobForGood(@TempDir Path folder) {
    StreamExecutionEnvironment env = LocalFlink.environment(LocalFlink.settings(folder, 1_000), 1);
    longs()
        .eventTime(Duration.ofSeconds(1))
        .apply(env.fromSequence(0, 9).keyBy(n -> n))
        .sinkTo(new DiscardingSink<>());
    env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    Throwable e = assertThrows(Exception.class, env::execute);
    while (e.getCause() != null) {
      e = e.getCause();
    }
    assertTrue(String.valueOf(e.getMessage()).contains("a record has no timestamp"), e.toString());
  }

  private static StreamDeduplicator<Long> longs() {
    return StreamDeduplicator.of(HashStrategies::longs)
        .expecting(1_000, 1e-7)
        .timeToLive(Duration.ofHours(1))
        .processingTime();
  }

  @Test
  void checkpointsInAtLeastOnceModeMustBeAllowed(@TempDir Path folder) throws Exception {
    Configuration settings = LocalFlink.settings(folder, 100);
    settings.setString("execution.checkpointing.mode", "AT_LEAST_ONCE");
    settings.setString("restart-strategy.type", "none");
    StreamExecutionEnvironment refused = LocalFlink.environment(settings, 1);
    longs().apply(refused.fromSequence(0, 9).keyBy(n -> n)).sinkTo(new DiscardingSink<>());
    Throwable e = assertThrows(Exception.class, refused::execute);
    while (e.getCause() != null) {
      e = e.getCause();
    }
    assertTrue(String.valueOf(e.getMessage()).contains("allowAtLeastOnce()"), e.toString());

    StreamExecutionEnvironment allowed = LocalFlink.environment(settings, 1);
    assertEquals(
        10,
        longs()
            .allowAtLeastOnce()
            .apply(allowed.fromSequence(0, 9).keyBy(n -> n))
            .executeAndCollect(100)
            .size());
  }

  @Test
  void deduplicatorsOfAJobHaveTheirOwnNames() {
    StreamExecutionEnvironment env = LocalFlink.environment(new Configuration(), 1);
    KeyedStream<Long, Long> numbers = env.fromSequence(0, 9).keyBy(n -> n);
    SingleOutputStreamOperator<Long> first = longs().apply(numbers);
    SingleOutputStreamOperator<Long> second = longs().apply(numbers);
    assertNotEquals(first.getName(), second.getName());
    first.name("its own");
    SingleOutputStreamOperator<Long> third = longs().apply(numbers);
    assertNotEquals(second.getName(), third.getName());
    assertNotEquals(second.getName(), longs().apply(numbers).getName());
    assertNotEquals(first.getName(), third.getName());
  }

  /** Flink would start a state backend for it, such as RocksDB, which nothing would use. */
  @Test
  void flinkKnowsOfNoKeyedState() {
    StreamExecutionEnvironment env = LocalFlink.environment(new Configuration(), 1);
    assertNull(
        ((OneInputTransformation<?, ?>)
                longs().apply(env.fromSequence(0, 9).keyBy(n -> n)).getTransformation())
            .getStateKeySelector());
  }
}
