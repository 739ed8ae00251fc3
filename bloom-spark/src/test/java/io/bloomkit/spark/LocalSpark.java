package io.bloomkit.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** The session on two threads that tests share; it ends with the machine. */
final class LocalSpark {

  private static final SparkSession SESSION =
      local("local[2]")
          .config("spark.sql.shuffle.partitions", 3)
          .config("spark.sql.extensions", BloomExtensions.class.getName())
          .getOrCreate();

  private LocalSpark() {}

  static SparkSession session() {
    return SESSION;
  }

  /** Returns a builder of sessions that write nothing outside of the build's folder. */
  static SparkSession.Builder local(String master) {
    return SparkSession.builder()
        .master(master)
        .appName("bloom-spark tests")
        .config("spark.ui.enabled", false)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.local.dir", Path.of("target/spark-local").toAbsolutePath().toString())
        .config("spark.sql.warehouse.dir", Path.of("target/warehouse").toUri().toString());
  }
}
