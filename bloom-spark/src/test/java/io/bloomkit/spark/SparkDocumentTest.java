package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import javax.tools.ToolProvider;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;

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

  /**
   * Compiles and runs a block of the page in a method, and returns the value of an expression. The
   * class is beside those of the tests, since tasks load the functions of the block.
   */
  private static Object run(
      String name, String block, String parameters, String result, Object... arguments)
      throws Exception {
    String imports = block.substring(0, block.indexOf("\n\n"));
    String code = block.substring(imports.length()).strip();
    Path folder =
        Path.of(
            SparkDocumentTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path source = folder.resolve(name + ".java");
    Files.writeString(
        source,
        """
        %s

        public class %s {
          public static Object run(%s) throws Exception {
        %s
            return %s;
          }
        }
        """
            .formatted(imports, name, parameters, code, result));
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
    return Arrays.stream(Class.forName(name).getMethods())
        .filter(method -> method.getName().equals("run"))
        .findFirst()
        .orElseThrow()
        .invoke(null, arguments);
  }

  @Test
  void theTypedAggregateBuildsTheFilter() throws Exception {
    Dataset<String> names = spark.range(0, 500).map(HEX, Encoders.STRING());
    DynamicCuckooFilter<?> filter =
        (DynamicCuckooFilter<?>)
            run("TypedSample", blocks("java").get(1), "Dataset<String> names", "filter", names);
    DynamicCuckooFilter<String> alone =
        DynamicCuckooFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
    LongStream.range(0, 500).mapToObj(Long::toHexString).forEach(alone::add);
    assertEquals(alone, filter);
  }

  private static final MapFunction<Long, String> HEX = Long::toHexString;

  @Test
  void theDeduplicatorPassesFirstRows() throws Exception {
    Dataset<Row> clicks = spark.range(0, 900).selectExpr("string(id % 300) AS user", "id");
    Dataset<?> first =
        (Dataset<?>)
            run("StreamSample", blocks("java").get(2), "Dataset<Row> clicks", "first", clicks);
    assertEquals(300, first.select("user").distinct().count());
    assertEquals(300, first.count());
  }

  @Test
  void thePrunedJoinsGiveTheRowsOfThePlainOne() throws Exception {
    Dataset<Row> vip = spark.range(0, 1_000).selectExpr("id * 7 AS customer");
    Dataset<Row> orders = spark.range(0, 20_000).selectExpr("id AS customer", "id AS number");
    vip.createOrReplaceTempView("vip");
    orders.createOrReplaceTempView("orders");

    assertTrue(blocks("java").get(0).split("\n\n", 2)[1].lines().count() <= 10);
    long[] result =
        (long[])
            run(
                "JoinSample",
                blocks("java").get(0),
                "Dataset<Row> vip, Dataset<Row> orders",
                "new long[] {rows, spared}",
                vip,
                orders);
    assertEquals(1_000, result[0]);
    assertTrue(result[1] > 18_500 && result[1] <= 19_000, () -> "spared " + result[1]);

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
