package io.bloomkit.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.Objects;
import java.util.function.LongFunction;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BloomFunctionsTest {

  private static final int N = 2_000;

  private final SparkSession spark = LocalSpark.session();

  @BeforeEach
  void views() {
    BloomFunctions.register(spark);
    spark
        .range(0, N, 1, 7)
        .selectExpr(
            "id",
            "CAST(id AS INT) AS i",
            "concat('user-ä-', id) AS s",
            "CAST(concat('b', id) AS BINARY) AS b",
            "struct(concat('u', id % 100) AS user, id AS second) AS click",
            "id % 5 AS day",
            "IF(id % 2 = 0, id, NULL) AS even")
        .createOrReplaceTempView("t");
  }

  private Row first(String sql) {
    return spark.sql(sql).first();
  }

  private static <T> String alone(
      FilterKind kind, HashStrategy<? super T> strategy, LongFunction<T> element) {
    StorableFilter<T> filter = kind.create(strategy, N, 0.01);
    for (long i = 0; i < N; i++) {
      kind.addHash(filter, strategy.hash(element.apply(i)));
    }
    return Sha256.of(filter.toBytes());
  }

  private String message(String sql) {
    Throwable error = assertThrows(Exception.class, () -> first(sql));
    StringBuilder messages = new StringBuilder();
    for (; error != null; error = error.getCause()) {
      messages.append(error.getMessage()).append('\n');
    }
    return messages.toString();
  }

  private static void assertContains(String part, String text) {
    assertTrue(text.contains(part), text);
  }

  @AfterEach
  void planAsUsual() {
    spark.conf().unset("spark.sql.codegen.wholeStage");
    spark.conf().unset("spark.sql.codegen.factoryMode");
  }

  @Test
  void buildGivesTheBytesOfOneMachineForEveryTypeAndKind() {
    Row row =
        first(
            "SELECT bloom_build(s, 2000, 0.01), bloom_build(id, 2000, 0.01, 'blocked'),"
                + " bloom_build(b, 2000, 0.01, 'counting'),"
                + " bloom_build(click, 2000, 0.01, 'blocked-counting'),"
                + " bloom_build(i, 2000, 0.01, 'counting') FROM t");
    assertEquals(
        alone(ClassicBloomFilter.KIND, HashStrategies.utf8(), i -> "user-ä-" + i),
        Sha256.of(row.getAs(0)));
    assertEquals(
        alone(BlockedBloomFilter.KIND, HashStrategies.longs(), i -> i), Sha256.of(row.getAs(1)));
    assertEquals(
        alone(CountingBloomFilter.KIND, HashStrategies.bytes(), i -> ("b" + i).getBytes(UTF_8)),
        Sha256.of(row.getAs(2)));
    assertEquals(
        alone(BlockedCountingBloomFilter.KIND, Click.strategy(), i -> new Click("u" + i % 100, i)),
        Sha256.of(row.getAs(3)));
    assertEquals(
        alone(CountingBloomFilter.KIND, HashStrategies.ints(), i -> (int) i),
        Sha256.of(row.getAs(4)));
  }

  @Test
  void nullsAndStructsWithNullsAreLeftOut() {
    Row row =
        first(
            "SELECT bloom_info(bloom_build(even, 2000, 0.01)).net_insertions,"
                + " bloom_info(bloom_build(struct(even, id), 2000, 0.01)).net_insertions,"
                + " bloom_info(bloom_build(id, 2000, 0.01) FILTER (WHERE id < 0)).net_insertions FROM t");
    assertEquals(N / 2, row.getLong(0));
    assertEquals(N / 2, row.getLong(1));
    assertEquals(0, row.getLong(2));
  }

  @Test
  void mightContainAnswersLikeTheFilter() {
    for (String column : new String[] {"s", "id", "i", "b", "click"}) {
      for (String codegen : new String[] {"true", "false"}) {
        spark.conf().set("spark.sql.codegen.wholeStage", codegen);
        spark
            .conf()
            .set(
                "spark.sql.codegen.factoryMode",
                codegen.equals("true") ? "CODEGEN_ONLY" : "NO_CODEGEN");
        Row row =
            first(
                String.format(
                    "WITH f AS (SELECT bloom_build(%1$s, 1000, 0.01) AS filter FROM t"
                        + " WHERE id < 1000)"
                        + " SELECT count_if(id < 1000 AND"
                        + "   bloom_might_contain((SELECT filter FROM f), %1$s)),"
                        + " count_if(id >= 1000 AND"
                        + "   bloom_might_contain((SELECT filter FROM f), %1$s)) FROM t",
                    column));
        assertEquals(1_000, row.getLong(0), column);
        assertTrue(row.getLong(1) < 40, () -> column + " false positives: " + row.getLong(1));
      }
    }
  }

  @Test
  void mightContainOfNullIsNullAndFiltersMayDifferFromRowToRow() {
    assertTrue(
        first("SELECT bloom_might_contain(bloom_build(id, 10, 0.01), CAST(NULL AS BIGINT)) FROM t")
            .isNullAt(0));
    assertEquals(
        N,
        first(
                "SELECT count_if(bloom_might_contain(filter, id)) FROM t JOIN"
                    + " (SELECT day, bloom_build(id, 400, 0.001) AS filter FROM t GROUP BY day) d"
                    + " ON t.day = d.day")
            .getLong(0));
  }

  @Test
  void structWithANullFieldIsPositiveInAnyFilter() {
    for (String codegen : new String[] {"CODEGEN_ONLY", "NO_CODEGEN"}) {
      spark.conf().set("spark.sql.codegen.factoryMode", codegen);
      Row row =
          first(
              "WITH f AS (SELECT bloom_build(struct(even, id), 2000, 0.001) AS filter FROM t)"
                  + " SELECT count_if(bloom_might_contain((SELECT filter FROM f),   struct(even,"
                  + " id))), count_if(bloom_might_contain((SELECT filter FROM f), struct(even, -id"
                  + " AS id))) FROM t");
      assertEquals(N, row.getLong(0));
      assertEquals(N / 2.0, (double) row.getLong(1), 20);
    }
  }

  @Test
  void ofNoRowsThereIsAnEmptyFilterHoweverSparkPlansIt() {
    assertEquals(
        0,
        first(
                "SELECT bloom_info(f).net_insertions FROM (SELECT bloom_build(id, 10, 0.01) AS f,"
                    + " count(DISTINCT i), count(DISTINCT s) FROM t WHERE id < 0)")
            .getLong(0));
    assertEquals(
        N,
        first(
                "SELECT count_if(NOT bloom_might_contain((SELECT bloom_build(u.id, 10, 0.01)"
                    + " FROM t u WHERE u.day = t.day AND u.id < 0), t.id)) FROM t")
            .getLong(0));
  }

  @Test
  void functionsDescribeThemselves() {
    for (String name :
        new String[] {"build", "might_contain", "merge", "subtract", "remove", "info"}) {
      String text = spark.sql("DESCRIBE FUNCTION bloom_" + name).collectAsList().toString();
      assertContains("bloom_" + name + "(", text);
    }
  }

  /** Filters and texts outside of the heap are hashed as those in it. */
  @Test
  void textOutsideOfTheHeapHasItsHash() {
    byte[] bytes = "user-ä".getBytes(UTF_8);
    long address = Platform.allocateMemory(bytes.length);
    try {
      Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, address, bytes.length);
      UTF8String text = UTF8String.fromAddress(null, address, bytes.length);
      ColumnStrategy strategy =
          Objects.requireNonNull(ColumnStrategy.of(DataTypes.StringType), "strategy");
      assertEquals(HashStrategies.utf8().hash("user-ä"), strategy.hash(text));
    } finally {
      Platform.freeMemory(address);
    }
  }

  @Test
  void mergedDaysAreTheFilterOfAllOfThem() {
    Row row =
        first(
            "SELECT bloom_merge(filter), (SELECT bloom_build(id, 2000, 0.01, 'counting') FROM t)"
                + " FROM (SELECT bloom_build(id, 2000, 0.01, 'counting') AS filter FROM t"
                + "   GROUP BY day UNION ALL SELECT NULL)");
    assertEquals(Sha256.of(row.getAs(1)), Sha256.of(row.getAs(0)));
    assertTrue(first("SELECT bloom_merge(CAST(NULL AS BINARY))").isNullAt(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "dynamic-cuckoo"})
  void subtractAndRemoveUndoAdditions(String kind) {
    String build = "bloom_build(id, 2000, 0.01, '" + kind + "')";
    Row row =
        first(
            String.format(
                "SELECT bloom_subtract(%1$s, %1$s FILTER (WHERE id >= 1000)),"
                    + " %1$s FILTER (WHERE id < 1000),"
                    + " bloom_remove(%1$s FILTER (WHERE id <= 1000), 1000L),"
                    + " bloom_remove(%1$s FILTER (WHERE id < 1000), CAST(NULL AS BIGINT)) FROM t",
                build));
    String expected = Sha256.of(row.getAs(1));
    assertEquals(expected, Sha256.of(row.getAs(0)));
    assertEquals(expected, Sha256.of(row.getAs(2)));
    assertEquals(expected, Sha256.of(row.getAs(3)));
  }

  @Test
  void infoSaysWhatAFilterIs() {
    Row info =
        first("SELECT bloom_info(bloom_build(s, 2000, 0.01, 'blocked-counting')) FROM t").getAs(0);
    BlockedCountingBloomFilter<CharSequence> empty =
        BlockedCountingBloomFilter.create(HashStrategies.utf8(), N, 0.01);
    assertEquals("blocked-counting", info.getAs("kind"));
    assertEquals(HashStrategies.utf8().id(), info.getAs("strategy"));
    assertEquals(N, info.<Long>getAs("net_insertions"));
    assertEquals(N, info.<Long>getAs("approximate_elements"), 100);
    assertEquals(0.01, info.getAs("expected_fpp"), 0.002);
    assertEquals(empty.shape().positions(), info.<Long>getAs("positions"));
    assertEquals(empty.shape().hashes(), info.<Integer>getAs("hashes"));
    assertEquals(empty.memoryBytes(), info.<Long>getAs("memory_bytes"));
    assertTrue(info.<Long>getAs("file_bytes") > 0);
  }

  @Test
  void theElementsOfAFullFilterAreUnknown() {
    Row info = first("SELECT bloom_info(bloom_build(id, 1, 0.5)) FROM t").getAs(0);
    assertNull(info.getAs("approximate_elements"));
    assertEquals(1.0, info.<Double>getAs("expected_fpp"));
  }

  @Test
  void invalidCallsAreRefusedWhenTheQueryIsAnalysed() {
    assertThrows(
        AnalysisException.class, () -> spark.sql("SELECT bloom_build(id / 2, 10, 0.01) FROM t"));
    assertContains(
        "bloom_build takes a column of STRING, BINARY, BIGINT, INT or a STRUCT of these, got"
            + " DOUBLE: cast it",
        message("SELECT bloom_build(CAST(id AS DOUBLE), 10, 0.01) FROM t"));
    assertContains(
        "must be constants and not null", message("SELECT bloom_build(id, id, 0.01) FROM t"));
    assertContains(
        "expectedInsertions must be at least 1, got 0",
        message("SELECT bloom_build(id, 0, 0.01) FROM t"));
    assertContains(
        "the kind must be one of 'classic', 'blocked', 'counting', 'blocked-counting',"
            + " 'dynamic-cuckoo', got"
            + " 'cuckoo'",
        message("SELECT bloom_build(id, 10, 0.01, 'cuckoo') FROM t"));
    assertContains(
        "bloom_might_contain takes a filter, a BINARY that bloom_build returned, got STRING",
        message("SELECT bloom_might_contain(s, id) FROM t"));
    assertContains("bloom_merge takes a filter", message("SELECT bloom_merge(id) FROM t"));
    assertContains("bloom_info takes a filter", message("SELECT bloom_info(s) FROM t"));
    assertContains("bloom_subtract takes a filter", message("SELECT bloom_subtract(b, s) FROM t"));
    assertContains("bloom_remove takes a column", message("SELECT bloom_remove(b, 1.5) FROM t"));
    assertContains("requires [3, 4] parameters", message("SELECT bloom_build(id) FROM t"));
  }

  @Test
  void filtersThatDoNotFitEndTheQueryWithBothNamed() {
    String mixedSizes =
        message(
            "SELECT bloom_merge(f) FROM (SELECT bloom_build(id, 10, 0.01) AS f FROM t"
                + " UNION ALL SELECT bloom_build(id, 20, 0.01) FROM t)");
    assertContains("expected number 10 and rate 0.01", mixedSizes);
    assertContains("expected number 20 and rate 0.01", mixedSizes);
    String mixedStrategies =
        message(
            "SELECT bloom_merge(f) FROM (SELECT bloom_build(id, 10, 0.01) AS f FROM t"
                + " UNION ALL SELECT bloom_build(s, 10, 0.01) FROM t)");
    assertContains("longs(rrmxmx)", mixedStrategies);
    assertContains("utf8(xxh3)", mixedStrategies);
    String mixedKinds =
        message(
            "SELECT bloom_subtract(bloom_build(id, 10, 0.01, 'counting'),"
                + " bloom_build(id, 10, 0.01)) FROM t");
    assertContains("got CountingBloomFilter", mixedKinds);
    assertContains("and ClassicBloomFilter", mixedKinds);
    assertContains(
        "cannot subtract: other holds an element more often than this filter",
        message(
            "SELECT bloom_subtract(bloom_build(id, 10, 0.01, 'counting') FILTER (WHERE id < 5),"
                + " bloom_build(id, 10, 0.01, 'counting')) FROM t"));
    assertContains(
        "filled by strategy longs(rrmxmx) but is to be read with utf8(xxh3): cast the value to the"
            + " type of the column that filled it",
        message("SELECT bloom_might_contain((SELECT bloom_build(id, 9, 0.1) FROM t), s) FROM t"));
    assertContains(
        "bloom_might_contain: the filter must not be null",
        message("SELECT bloom_might_contain(CAST(NULL AS BINARY), id) FROM t"));
    assertContains(
        "cannot read the filter",
        message(
            "SELECT bloom_merge(f) FROM (SELECT bloom_build(id, 9, 0.1) AS f FROM t"
                + " UNION ALL SELECT CAST('' AS BINARY))"));
    assertContains(
        "rename the field", message("SELECT bloom_build(struct(id AS `a b`), 9, 0.1) FROM t"));
    assertContains("cannot read the filter", message("SELECT bloom_might_contain(b, id) FROM t"));
    assertContains(
        "build the filter with the kind 'counting'",
        message("SELECT bloom_remove(bloom_build(id, 10, 0.01), 1L) FROM t"));
  }

  @Test
  void extensionsAddTheFunctionsToEverySession() {
    assertEquals(
        "classic",
        spark.newSession().sql("SELECT bloom_info(bloom_build(1L, 1, 0.1)).kind").first().get(0));
  }
}
