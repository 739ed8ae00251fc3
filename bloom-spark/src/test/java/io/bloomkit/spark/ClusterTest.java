package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.Success$;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The same filter from one machine, from two threads, and from a cluster that loses a worker; and
 * the other tests on a cluster.
 */
class ClusterTest {

  private static final int KEYS = 2_000_000;
  private static final int PARTITIONS = 7;

  /** Enough that many are still to be done when the worker is lost. */
  private static final int PARTITIONS_OF_CLUSTER = 21;

  @TempDir private Path folder;

  @Tag("deep")
  @Test
  void aClusterThatLosesAWorkerBuildsTheBytesOfOneMachine() throws Exception {
    ClassicBloomFilter<Long> alone = ClassicBloomFilter.create(HashStrategies.longs(), KEYS, 0.01);
    for (long key = 0; key < KEYS; key++) {
      alone.addHash(HashStrategies.longs().hashLong(key));
    }
    String expected = Sha256.of(alone.toBytes());
    System.out.println("one machine                  " + expected);

    String builtHere = build(LocalSpark.session(), PARTITIONS);
    System.out.println("local[2], 7 partitions       " + builtHere);
    assertEquals(expected, builtHere);
    LocalSpark.stop();
    try (StandaloneCluster cluster = new StandaloneCluster(folder, 2);
        SparkSession session = cluster.connect()) {
      Loss loss = new Loss(cluster);
      session.sparkContext().addSparkListener(loss);
      String built = build(session, PARTITIONS_OF_CLUSTER);
      System.out.println("cluster, one worker killed   " + built);
      assertEquals(expected, built);
      assertNull(loss.failure.get());
      StandaloneCluster.await("an executor to be missed", loss.isNoticed::get);
      // All partitions, their merge, and at least the one that was lost with its worker.
      StandaloneCluster.await(
          "a task to be repeated", () -> loss.succeeded.get() >= PARTITIONS_OF_CLUSTER + 2);

      // By the worker that is left:
      assertEquals(countingAlone(), countingBuilt(session));
      aPrunedJoinIsThePlainOne(session);
    }
  }

  /**
   * A caller of the shared session gets the one on the cluster while there is one; only a query
   * that is to be killed starts on a machine of its own.
   */
  @Tag("campaign")
  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theOtherTestsPassOnACluster() throws Exception {
    LocalSpark.stop();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    try (StandaloneCluster cluster = new StandaloneCluster(folder, 2);
        SparkSession session = cluster.connect()) {
      assertSame(session.sparkContext(), LocalSpark.session().sparkContext());
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(
                      selectClass(BloomAggregatorsTest.class),
                      selectClass(BloomFunctionsTest.class),
                      selectClass(DeletableDaysTest.class),
                      selectClass(JoinPruningTest.class),
                      selectClass(SparkDocumentTest.class),
                      selectClass(StreamDeduplicatorTest.class))
                  .build(),
              listener);
    }
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    System.out.println(summary.getTestsSucceededCount() + " other tests passed on a cluster");
    assertEquals(0, summary.getTotalFailureCount());
    assertEquals(summary.getTestsFoundCount(), summary.getTestsSucceededCount());
    assertTrue(summary.getTestsFoundCount() > 40, "too few: " + summary.getTestsFoundCount());
  }

  private static void aPrunedJoinIsThePlainOne(SparkSession spark) {
    Dataset<Row> small = spark.range(0, 1_000).selectExpr("id * 7 AS key");
    Dataset<Row> large = spark.range(0, 20_000).selectExpr("id AS key");
    JoinPruning.Pruned<Row> pruned = JoinPruning.of(small, "key", 1_000, 0.01).prune(large, "key");
    assertEquals(1_000, pruned.rows().join(small, "key").count());
    assertEquals(19_000, (double) pruned.spared(), 400);
    spark
        .udf()
        .register(
            "keys",
            functions.udaf(
                BloomAggregators.blocked(HashStrategies::longs, 1_000, 0.01), Encoders.LONG()));
    small.createOrReplaceTempView("small");
    Row row =
        spark
            .sql(
                "SELECT keys(key), (SELECT bloom_merge(f) FROM (SELECT"
                    + " bloom_build(key, 1000, 0.01, 'blocked') AS f FROM small GROUP BY key % 3))"
                    + " FROM small")
            .first();
    assertEquals(Sha256.of(row.getAs(0)), Sha256.of(row.getAs(1)));
  }

  private static String build(SparkSession spark, int partitions) {
    BloomFunctions.register(spark);
    return Sha256.of(
        spark
            .range(0, KEYS, 1, partitions)
            .selectExpr("bloom_build(id, " + KEYS + ", 0.01)")
            .first()
            .getAs(0));
  }

  private static String countingAlone() {
    CountingBloomFilter<String> alone =
        CountingBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
    for (long i = 0; i < 10_000; i++) {
      alone.add("user" + i);
    }
    return Sha256.of(alone.toBytes());
  }

  private static String countingBuilt(SparkSession spark) {
    MapFunction<Long, String> name = i -> "user" + i;
    return Sha256.of(
        BloomAggregators.<String>counting(HashStrategies::utf8, 10_000, 0.01)
            .build(spark.range(0, 10_000, 1, PARTITIONS).map(name, Encoders.STRING()).toJavaRDD())
            .getFilter());
  }

  /** Kills the worker that did the first task, when that has ended. */
  private static final class Loss extends SparkListener {

    private final StandaloneCluster cluster;
    private final AtomicBoolean isKilled = new AtomicBoolean();
    final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    final AtomicBoolean isNoticed = new AtomicBoolean();
    final AtomicInteger succeeded = new AtomicInteger();

    Loss(StandaloneCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
      if (task.reason() instanceof Success$) {
        succeeded.incrementAndGet();
      }
      if (isKilled.compareAndSet(false, true)) {
        try {
          cluster.killWorkerOf(task.taskInfo().executorId());
        } catch (IOException e) {
          failure.set(e);
        }
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      isNoticed.set(true);
    }
  }
}
