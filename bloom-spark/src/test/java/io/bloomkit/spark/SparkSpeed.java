package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
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
 * Times our filters beside Spark's own, in one run on cached columns: a program, run by name only
 * ({@code -Dtest=SparkSpeed}), with {@code -Dspeed.keys=10000000} keys if not told otherwise.
 */
class SparkSpeed {

  private static final long KEYS = Long.getLong("speed.keys", 10_000_000);
  private static final double FPP = 0.01;
  private static final int ROUNDS = 5;
  private static final int PARTITIONS = 4;

  private final SparkSession spark = LocalSpark.session();

  @Test
  void table() {
    spark.conf().set("spark.sql.optimizer.runtime.bloomFilter.maxNumItems", KEYS);
    spark.conf().set("spark.sql.optimizer.runtime.bloomFilter.maxNumBits", 64 * KEYS);
    BloomFunctions.register(spark);
    System.out.println("| key | filter | build, ns a key | ask, ns a key | bytes |");
    for (String key : new String[] {"id", "concat('user-', id)"}) {
      Dataset<Row> rows =
          spark
              .range(0, KEYS, 1, PARTITIONS)
              .selectExpr(key + " AS k")
              .persist(StorageLevel.MEMORY_ONLY());
      assertEquals(KEYS, rows.count());
      for (FilterKind kind : FilterKind.values()) {
        compare(key, kind.label(), rows, ours(rows, kind), this::askOurs);
      }
      compare(key, "Spark, stat().bloomFilter", rows, () -> stat(rows), null);
      compare(key, "Spark, runtime filter", rows, () -> runtime(rows), this::askRuntime);
      rows.unpersist(true);
    }
  }

  private interface Asking {
    Column of(byte[] filter, Expression key);
  }

  private void compare(
      String key,
      String filter,
      Dataset<Row> rows,
      Supplier<byte[]> build,
      @Nullable Asking asking) {
    List<Double> builds = new ArrayList<>();
    List<Double> asks = new ArrayList<>();
    byte[] bytes = {};
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      bytes = build.get();
      builds.add((double) (System.nanoTime() - start) / KEYS);
      if (asking != null) {
        Expression column = ExpressionUtils.expression(rows.col("k"));
        start = System.nanoTime();
        assertEquals(KEYS, rows.filter(asking.of(bytes, column)).count());
        asks.add((double) (System.nanoTime() - start) / KEYS);
      }
    }
    System.out.printf(
        "| %s | %s | %.0f | %.0f | %d |%n",
        key, filter, median(builds), median(asks), bytes.length);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(x -> x).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
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
            new BroadcastFilter(
                new org.apache.spark.api.java.JavaSparkContext(spark.sparkContext())
                    .broadcast(filter)),
            key));
  }

  private static byte[] stat(Dataset<Row> rows) {
    BloomFilter filter = rows.stat().bloomFilter("k", KEYS, FPP);
    return new byte[Math.toIntExact(filter.bitSize() / Byte.SIZE)];
  }

  private static byte[] runtime(Dataset<Row> rows) {
    long bits = BloomFilter.create(KEYS, FPP).bitSize();
    Expression hash =
        new XxHash64(Scala.seq(Arrays.asList(ExpressionUtils.expression(rows.col("k")))));
    BloomFilterAggregate aggregate =
        new BloomFilterAggregate(hash, Literal$.MODULE$.apply(KEYS), Literal$.MODULE$.apply(bits));
    return rows.agg(ExpressionUtils.column(aggregate.toAggregateExpression())).first().getAs(0);
  }

  private Column askRuntime(byte[] filter, Expression key) {
    return ExpressionUtils.column(
        new BloomFilterMightContain(
            Literal$.MODULE$.apply(filter), new XxHash64(Scala.seq(Arrays.asList(key)))));
  }
}
