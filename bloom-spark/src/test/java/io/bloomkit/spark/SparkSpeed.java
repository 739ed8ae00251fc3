package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.format.FilterKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.BloomFilterMightContain;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.catalyst.expressions.aggregate.BloomFilterAggregate;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.sketch.BloomFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Times our filters beside Spark's own, in one run on cached columns, one after the other in each
 * round: a program, run by name only ({@code -Dtest=SparkSpeed}), with {@code
 * -Dspeed.keys=10000000} keys if not told otherwise. Prints a table of medians and, in brackets,
 * quartiles.
 */
class SparkSpeed {

  private static final long KEYS = Long.getLong("speed.keys", 10_000_000);
  private static final double FPP = 0.01;
  private static final int ROUNDS = Integer.getInteger("speed.rounds", 7);
  private static final int PARTITIONS = 4;

  private final SparkSession spark = LocalSpark.session();

  @Test
  void table() {
    spark.conf().set("spark.sql.optimizer.runtime.bloomFilter.maxNumItems", KEYS);
    spark.conf().set("spark.sql.optimizer.runtime.bloomFilter.maxNumBits", 64 * KEYS);
    BloomFunctions.register(spark);
    System.out.println(
        "| keys | filter | build | query present keys | query absent keys | false-positive rate |"
            + " MB |\n"
            + "|---|---|---|---|---|---|---|");
    for (String key : new String[] {"id", "concat('user-', id)"}) {
      Dataset<Row> present = cached(0, key);
      Dataset<Row> absent = cached(KEYS, key);
      List<Subject> subjects =
          Stream.concat(
                  MergeableKinds.all().stream()
                      .map(kind -> new Subject(kind.label(), ours(present, kind), this::askOurs)),
                  Stream.of(
                      new Subject("Spark, `stat().bloomFilter`", () -> stat(present), null),
                      new Subject(
                          "Spark, runtime filter", () -> runtime(present), this::askRuntime)))
              .toList();
      for (int round = -1; round < ROUNDS; round++) {
        for (Subject subject : subjects) {
          subject.run(present, absent, round >= 0);
        }
      }
      for (Subject subject : subjects) {
        subject.print(key.equals("id") ? "longs" : "texts");
      }
      present.unpersist(true);
      absent.unpersist(true);
    }
  }

  private Dataset<Row> cached(long first, String key) {
    Dataset<Row> rows =
        spark
            .range(first, first + KEYS, 1, PARTITIONS)
            .selectExpr(key + " AS k")
            .persist(StorageLevel.MEMORY_ONLY());
    assertEquals(KEYS, rows.count());
    return rows;
  }

  private interface Asking {
    Column of(byte[] filter, Expression key);
  }

  private static final class Subject {

    private final String name;
    private final Supplier<byte[]> build;
    private final @Nullable Asking asking;
    private final List<Double> builds = new ArrayList<>();
    private final List<Double> presents = new ArrayList<>();
    private final List<Double> absents = new ArrayList<>();
    private double error = Double.NaN;
    private int bytes;

    Subject(String name, Supplier<byte[]> build, @Nullable Asking asking) {
      this.name = name;
      this.build = build;
      this.asking = asking;
    }

    void run(Dataset<Row> present, Dataset<Row> absent, boolean isMeasured) {
      long start = System.nanoTime();
      byte[] filter = build.get();
      note(builds, start, isMeasured);
      bytes = filter.length;
      if (asking == null) {
        return;
      }
      start = System.nanoTime();
      assertEquals(KEYS, count(present, filter, asking));
      note(presents, start, isMeasured);
      start = System.nanoTime();
      long positive = count(absent, filter, asking);
      note(absents, start, isMeasured);
      error = 1.0 * positive / KEYS;
    }

    private static long count(Dataset<Row> rows, byte[] filter, Asking asking) {
      return rows.filter(asking.of(filter, ExpressionUtils.expression(rows.col("k")))).count();
    }

    private static void note(List<Double> times, long start, boolean isMeasured) {
      if (isMeasured) {
        times.add(1.0 * (System.nanoTime() - start) / KEYS);
      }
    }

    void print(String keys) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %s | %s | %s | %.4f | %.1f |%n",
          keys,
          name,
          quartiles(builds),
          quartiles(presents),
          quartiles(absents),
          error,
          bytes / 1e6);
    }

    private static String quartiles(List<Double> values) {
      double[] sorted = values.stream().mapToDouble(x -> x).sorted().toArray();
      int n = sorted.length;
      return n == 0
          ? "-"
          : String.format(
              Locale.ROOT, "%.0f (%.0f-%.0f)", sorted[n / 2], sorted[n / 4], sorted[3 * n / 4]);
    }
  }

  private static Supplier<byte[]> ours(Dataset<Row> rows, FilterKind kind) {
    return () ->
        rows.selectExpr("bloom_build(k, " + KEYS + ", " + FPP + ", '" + kind.label() + "')")
            .first()
            .getAs(0);
  }

  private Column askOurs(byte[] filter, Expression key) {
    return ExpressionUtils.column(
        new MightContain(
            new BroadcastFilter(new JavaSparkContext(spark.sparkContext()).broadcast(filter)),
            key));
  }

  private static byte[] stat(Dataset<Row> rows) {
    BloomFilter filter = rows.stat().bloomFilter("k", KEYS, FPP);
    return new byte[Math.toIntExact(filter.bitSize() / Byte.SIZE)];
  }

  private static byte[] runtime(Dataset<Row> rows) {
    long bits = BloomFilter.create(KEYS, FPP).bitSize();
    Expression hash = new XxHash64(Scala.seq(List.of(ExpressionUtils.expression(rows.col("k")))));
    BloomFilterAggregate aggregate =
        new BloomFilterAggregate(hash, Literal$.MODULE$.apply(KEYS), Literal$.MODULE$.apply(bits));
    return rows.agg(ExpressionUtils.column(aggregate.toAggregateExpression())).first().getAs(0);
  }

  private Column askRuntime(byte[] filter, Expression key) {
    return ExpressionUtils.column(
        new BloomFilterMightContain(
            Literal$.MODULE$.apply(filter), new XxHash64(Scala.seq(List.of(key)))));
  }
}
