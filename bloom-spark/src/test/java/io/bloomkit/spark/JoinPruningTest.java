package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class JoinPruningTest {

  private static final int ROWS = 20_000;

  private final SparkSession spark = LocalSpark.session();
  private final Dataset<Row> small = spark.range(0, 1_000, 1, 3).selectExpr("id * 7 AS key");
  private final Dataset<Row> large =
      spark
          .range(0, ROWS, 1, 4)
          .selectExpr("IF(id % 10 = 0, NULL, id) AS key", "concat('row', id) AS text");

  @Test
  void thePrunedJoinIsThePlainJoinAndTheSparedRowsAreCounted() throws IOException {
    JoinPruning pruning = JoinPruning.of(small, "key", 1_000, 0.01);
    BlockedBloomFilter<Long> alone = BlockedBloomFilter.create(HashStrategies.longs(), 1_000, 0.01);
    LongStream.range(0, 1_000).forEach(i -> alone.add(i * 7));
    assertArrayEquals(alone.toBytes(), pruning.filter()); // and these bytes are what is broadcast

    JoinPruning.Pruned<Row> pruned = pruning.prune(large, "key");
    assertEquals(
        large.join(small, "key").orderBy("key").collectAsList(),
        pruned.rows().join(small, "key").orderBy("key").collectAsList());
    long absent =
        LongStream.range(0, ROWS).filter(i -> i % 10 != 0 && !alone.mightContain(i)).count();
    assertEquals(
        absent, pruned.spared()); // though Spark reads all twice, to sample it for the sort
    assertTrue(absent > ROWS / 10 * 9 - 1_100, () -> "spared " + absent);
    pruning.destroy();
  }

  @Test
  void keysMayBeTextsAndStructs() {
    for (String key : new String[] {"concat('k', key)", "struct(key, concat('k', key))"}) {
      Dataset<Row> few = small.selectExpr(key + " AS key");
      Dataset<Row> many = large.filter("key IS NOT NULL").selectExpr(key + " AS key", "text");
      Dataset<Row> pruned = JoinPruning.of(few, "key", 1_000, 0.01).prune(many, "key").rows();
      assertEquals(many.join(few, "key").count(), pruned.join(few, "key").count(), key);
      assertTrue(pruned.count() < 1_100, key);
    }
  }

  @Test
  void structsWithANullFieldKeepTheirPartners() {
    String key = "struct(IF(key % 2 = 0, NULL, key) AS a, key % 3 AS b) AS key";
    Dataset<Row> few = small.selectExpr(key);
    Dataset<Row> many = large.selectExpr(key, "text");
    Dataset<Row> pruned = JoinPruning.of(few, "key", 1_000, 0.01).prune(many, "key").rows();
    assertTrue(many.join(few, "key").filter("key.a IS NULL").count() > 0);
    assertEquals(many.join(few, "key").count(), pruned.join(few, "key").count());
  }

  @Test
  void keysThatAJoinWouldPadAreRefused() {
    spark.sql("DROP TABLE IF EXISTS fives");
    spark.sql("DROP TABLE IF EXISTS tens");
    spark.sql("CREATE TABLE fives (key CHAR(5)) USING parquet");
    spark.sql("CREATE TABLE tens (key CHAR(10), other VARCHAR(9), plain STRING) USING parquet");
    spark.sql("INSERT INTO fives VALUES ('a')");
    spark.sql("INSERT INTO tens VALUES ('a', 'a', 'a')");
    JoinPruning fives = JoinPruning.of(spark.table("fives"), "key", 10, 0.01);
    Dataset<Row> tens = spark.table("tens");
    assertRefused(
        "key is char(10) and that of the small side is char(5)", () -> fives.prune(tens, "key"));
    assertRefused("plain is not CHAR", () -> fives.prune(tens, "plain"));
    JoinPruning plain = JoinPruning.of(tens, "plain", 10, 0.01);
    assertEquals(1, plain.prune(tens, "other").rows().count());
    assertEquals(1, fives.prune(spark.table("fives"), "key").rows().count());

    spark.sql("CREATE TABLE inner5 (key STRUCT<a: CHAR(5)>) USING parquet");
    spark.sql("CREATE TABLE inner9 (key STRUCT<a: CHAR(9)>) USING parquet");
    JoinPruning inner = JoinPruning.of(spark.table("inner5"), "key", 10, 0.01);
    assertRefused("the same CHAR length", () -> inner.prune(spark.table("inner9"), "key"));
  }

  private static void assertRefused(String fault, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).toString();
    assertTrue(message.contains(fault), message);
  }

  /** Spark computes what is local to it while it plans, any number of times. */
  @Test
  void rowsAreCountedInTasksOnly() {
    Dataset<Row> local = spark.createDataset(List.of(1L, 7L, 8L), Encoders.LONG()).toDF("key");
    JoinPruning.Pruned<Row> pruned = JoinPruning.of(small, "key", 1_000, 1e-6).prune(local, "key");
    for (int i = 0; i < 3; i++) {
      assertEquals(1, pruned.rows().count());
    }
    assertTrue(pruned.spared() <= 2, () -> "spared " + pruned.spared());
  }

  @Test
  void keysOfTwoTypesAreRefused() {
    JoinPruning pruning = JoinPruning.of(small, "key", 1_000, 0.01);
    String message =
        assertThrows(IllegalArgumentException.class, () -> pruning.prune(large, "text")).toString();
    assertTrue(message.contains("text is STRING and that of the small side is BIGINT"), message);
    assertThrows(
        IllegalArgumentException.class,
        () -> JoinPruning.of(small.selectExpr("key / 2 AS half"), "half", 10, 0.01));
    assertThrows(IllegalArgumentException.class, () -> JoinPruning.of(small, "key", -1, 0.01));
  }
}
