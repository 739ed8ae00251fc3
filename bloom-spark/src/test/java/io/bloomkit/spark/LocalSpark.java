package io.bloomkit.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** Sessions for tests. A machine has one Spark; that on two threads is shared by most. */
final class LocalSpark {

  /** Tables of an earlier run would be in the way. */
  private static final Path WAREHOUSE =
      Path.of("target", "warehouse-" + ProcessHandle.current().pid());

  private LocalSpark() {}

  /** Returns the session there is, else a new one on two threads. */
  static SparkSession session() {
    return local("local[2]").getOrCreate();
  }

  /** Ends the shared session, so that another one can begin. */
  static void stop() {
    session().stop();
  }

  /** Returns a builder of sessions that write nothing outside of the build's folder. */
  static SparkSession.Builder local(String master) {
    return SparkSession.builder()
        .master(master)
        .appName("bloom-spark tests")
        .config("spark.sql.extensions", BloomExtensions.class.getName())
        .config("spark.sql.shuffle.partitions", 3)
        .config("spark.ui.enabled", false)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.local.dir", Path.of("target/spark-local").toAbsolutePath().toString())
        .config("spark.sql.warehouse.dir", WAREHOUSE.toUri().toString());
  }
}
