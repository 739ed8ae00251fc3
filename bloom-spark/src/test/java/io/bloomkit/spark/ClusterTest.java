package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.HashStrategies;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same filter from one machine, from two threads, and from a cluster that loses a worker. */
class ClusterTest {

  private static final int KEYS = 10_000_000;
  private static final int PARTITIONS = 7;

  @TempDir private Path folder;

  @Test
  void aClusterThatLosesAWorkerBuildsTheBytesOfOneMachine() throws Exception {
    ClassicBloomFilter<Long> alone = ClassicBloomFilter.create(HashStrategies.longs(), KEYS, 0.01);
    for (long key = 0; key < KEYS; key++) {
      alone.addHash(HashStrategies.longs().hashLong(key));
    }
    String expected = Sha256.of(alone.toBytes());
    System.out.println("one machine                  " + expected);

    String builtHere = build(LocalSpark.session());
    System.out.println("local[2], 7 partitions       " + builtHere);
    assertEquals(expected, builtHere);
    LocalSpark.stop();
    try (StandaloneCluster cluster = new StandaloneCluster(folder, 2);
        SparkSession session = connect(cluster)) {
      Loss loss = new Loss(cluster);
      session.sparkContext().addSparkListener(loss);
      String built = build(session);
      System.out.println("cluster, one worker killed   " + built);
      assertEquals(expected, built);
      assertTrue(loss.isNoticed.get(), "no executor was lost");
      assertTrue(loss.tasksAfter.get() >= PARTITIONS - 1, "the build was over too early");

      assertEquals(countingAlone(), countingBuilt(session)); // by the worker that is left
    }
  }

  private static String build(SparkSession spark) {
    BloomFunctions.register(spark);
    return Sha256.of(
        spark
            .range(0, KEYS, 1, PARTITIONS)
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

  private static SparkSession connect(StandaloneCluster cluster) throws InterruptedException {
    SparkSession session =
        LocalSpark.local(cluster.url())
            .config("spark.executor.memory", "512m")
            .config("spark.executor.cores", 1)
            .config("spark.executor.extraClassPath", StandaloneCluster.executorClassPath())
            .getOrCreate();
    int all = 3; // the driver counts
    while (session.sparkContext().statusTracker().getExecutorInfos().length < all) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return session;
  }

  /** Kills a worker when the first task has ended. */
  private static final class Loss extends SparkListener {

    private final StandaloneCluster cluster;
    private final AtomicBoolean isKilled = new AtomicBoolean();
    final AtomicBoolean isNoticed = new AtomicBoolean();
    final AtomicInteger tasksAfter = new AtomicInteger();

    Loss(StandaloneCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
      if (isKilled.compareAndSet(false, true)) {
        cluster.killWorker(0);
      } else {
        tasksAfter.incrementAndGet();
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      isNoticed.set(true);
    }
  }
}
