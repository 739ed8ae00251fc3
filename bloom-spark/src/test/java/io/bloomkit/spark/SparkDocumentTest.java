package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import javax.tools.ToolProvider;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what docs/spark.md shows, as it stands there. */
class SparkDocumentTest {

  private final SparkSession spark = LocalSpark.session();

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of("../docs/spark.md")))
        .results()
        .map((MatchResult block) -> block.group(1))
        .toList();
  }

  @Test
  void thePrunedJoinsGiveTheRowsOfThePlainOne(@TempDir Path folder) throws Exception {
    Dataset<Row> vip = spark.range(0, 1_000).selectExpr("id * 7 AS customer");
    Dataset<Row> orders = spark.range(0, 20_000).selectExpr("id AS customer", "id AS number");
    vip.createOrReplaceTempView("vip");
    orders.createOrReplaceTempView("orders");

    String block = blocks("java").get(0);
    String imports = block.substring(0, block.indexOf("\n\n"));
    String code = block.substring(imports.length()).strip();
    assertTrue(code.lines().count() <= 10, "more than ten lines");
    Path source = folder.resolve("Sample.java");
    Files.writeString(
        source,
        """
        %s

        public class Sample {
          public static long[] run(Dataset<Row> vip, Dataset<Row> orders) {
        %s
            return new long[] {rows, spared};
          }
        }
        """
            .formatted(imports, code));
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString()));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      long[] result =
          (long[])
              loader
                  .loadClass("Sample")
                  .getMethod("run", Dataset.class, Dataset.class)
                  .invoke(null, vip, orders);
      assertEquals(1_000, result[0]);
      assertTrue(result[1] > 18_500 && result[1] <= 19_000, () -> "spared " + result[1]);
    }

    assertEquals(1_000, spark.sql(blocks("sql").get(0)).first().getLong(0));
    assertEquals("classic", spark.sql(blocks("sql").get(1)).first().getAs("kind"));
  }

  @Test
  void thePageNamesTheVersionOfSparkAndItsLimitOfGroups() throws IOException {
    String page = Files.readString(Path.of("../docs/spark.md")).replaceAll("\\s+", " ");
    assertTrue(page.contains("for Spark " + spark.version() + " on Java"));
    String groups = spark.conf().get("spark.sql.objectHashAggregate.sortBased.fallbackThreshold");
    assertTrue(page.contains("(Spark sorts from " + groups + " groups on)"), groups);
  }

  @Test
  void theLastDaysHoldWhatWasAddedAndNotRemoved() throws IOException {
    // A hundred are added a day; on the next one the first ten of them are removed.
    spark
        .range(0, 6 * 110, 1, 5)
        .selectExpr(
            "CAST(id DIV 110 AS INT) AS day",
            "id % 110 >= 100 AS removed",
            "concat(id DIV 110, ':', IF(id % 110 >= 100, id % 110 - 100, id % 110)) AS id")
        .orderBy(functions.col("removed").desc()) // removals come first
        .createOrReplaceTempView("events");
    spark.sql(blocks("sql").get(2));
    byte[] merged = spark.sql(blocks("sql").get(3)).first().getAs("last_days");
    CountingBloomFilter<String> alone =
        CountingBloomFilter.create(HashStrategies.utf8(), 1_000, 0.01);
    for (int day = 3; day < 6; day++) {
      int of = day;
      LongStream.range(10, 100).forEach(i -> alone.add(of + ":" + i));
    }
    assertArrayEquals(alone.toBytes(), merged);

    spark.sql("SELECT 4 AS day, '4:77' AS id").createOrReplaceTempView("late_removals");
    spark
        .sql("SELECT * FROM events WHERE day > 5")
        .createOrReplaceTempView("events"); // they are gone
    Dataset<Row> days = spark.sql(blocks("sql").get(4));
    assertEquals(6, days.count());
    Row day = days.where("day = 4").first();
    CountingBloomFilter<String> fourth =
        CountingBloomFilter.create(HashStrategies.utf8(), 1_000, 0.01);
    LongStream.range(10, 100).filter(i -> i != 77).forEach(i -> fourth.add("4:" + i));
    assertArrayEquals(fourth.toBytes(), day.<byte[]>getAs("filter"));
    byte[] fifth = spark.sql("SELECT filter FROM days WHERE day = 5").first().getAs("filter");
    assertArrayEquals(fifth, days.where("day = 5").first().<byte[]>getAs("filter"));
  }
}
