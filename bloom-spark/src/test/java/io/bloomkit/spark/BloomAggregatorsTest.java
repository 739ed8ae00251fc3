package io.bloomkit.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BloomAggregatorsTest {

  private static final int DISTINCT = 3_000;

  private final SparkSession spark = LocalSpark.session();

  /** What one machine writes. */
  private static <T> byte[] alone(
      FilterKind kind, StrategySource<T> strategy, double fpp, List<T> elements) {
    HashStrategy<? super T> hash = strategy.get();
    StorableFilter<T> filter = kind.create(hash, DISTINCT, fpp);
    elements.forEach(element -> kind.addHash(filter, hash.hash(element)));
    return filter.toBytes();
  }

  /** Distinct elements, some of them again, and one so often that counters pass fifteen. */
  private static <T> List<T> elements(LongFunction<T> element) {
    return LongStream.concat(
            LongStream.range(0, DISTINCT + 1_000).map(i -> i % DISTINCT),
            LongStream.generate(() -> 7).limit(100))
        .mapToObj(element)
        .toList();
  }

  private <T> void checkAllWays(
      FilterKind kind, StrategySource<T> strategy, Encoder<T> encoder, LongFunction<T> element) {
    List<T> elements = elements(element);
    String expected = Sha256.of(alone(kind, strategy, 0.01, elements));
    BloomAggregator<T> aggregator = BloomAggregators.of(kind, strategy, DISTINCT, 0.01);
    Dataset<T> rows = dataset(elements, encoder, 7);
    assertEquals(
        expected,
        Sha256.of(rows.select(aggregator.toColumn()).first()),
        () -> kind + " as a typed column");
    spark.udf().register("built", functions.udaf(aggregator, encoder));
    rows.createOrReplaceTempView("elements");
    String columns = String.join(", ", rows.columns());
    assertEquals(
        expected,
        Sha256.of(spark.sql("SELECT built(" + columns + ") FROM elements").first().getAs(0)),
        () -> kind + " in SQL");
    BuiltFilter built = aggregator.build(rows.toJavaRDD());
    assertEquals(expected, Sha256.of(built.getFilter()), () -> kind + " of an RDD");
    assertEquals(0, built.getNulls());
  }

  private <T> Dataset<T> dataset(List<T> elements, Encoder<T> encoder, int partitions) {
    return spark.createDataset(
        new JavaSparkContext(spark.sparkContext()).parallelize(elements, partitions).rdd(),
        encoder);
  }

  @Test
  void partitionsDoNotMatter() {
    List<String> elements = elements(Long::toHexString);
    String expected =
        Sha256.of(alone(CountingBloomFilter.KIND, HashStrategies::utf8, 0.01, elements));
    BloomAggregator<String> aggregator =
        BloomAggregators.counting(HashStrategies::utf8, DISTINCT, 0.01);
    for (int partitions : new int[] {1, 2, 3, 50}) {
      assertEquals(
          expected,
          Sha256.of(
              dataset(elements, Encoders.STRING(), partitions)
                  .select(aggregator.toColumn())
                  .first()),
          () -> partitions + " partitions");
    }
  }

  @ParameterizedTest
  @MethodSource("io.bloomkit.spark.MergeableKinds#all")
  void stringsGiveTheBytesOfOneMachine(FilterKind kind) {
    checkAllWays(kind, HashStrategies::utf8, Encoders.STRING(), i -> "user-ä-" + i);
  }

  @ParameterizedTest
  @MethodSource("io.bloomkit.spark.MergeableKinds#all")
  void longsGiveTheBytesOfOneMachine(FilterKind kind) {
    checkAllWays(kind, HashStrategies::longs, Encoders.LONG(), i -> i * 1_000_003);
  }

  @Test
  void intsGiveTheBytesOfOneMachine() {
    checkAllWays(ClassicBloomFilter.KIND, HashStrategies::ints, Encoders.INT(), i -> (int) -i);
  }

  @Test
  void binariesGiveTheBytesOfOneMachine() {
    checkAllWays(
        CountingBloomFilter.KIND,
        HashStrategies::bytes,
        Encoders.BINARY(),
        i -> Long.toString(i).getBytes(UTF_8));
  }

  @Test
  void structsGiveTheBytesOfOneMachine() {
    checkAllWays(
        BlockedCountingBloomFilter.KIND,
        Click::strategy,
        Encoders.bean(Click.class),
        i -> new Click("user" + i % 100, i));
  }

  @Test
  void nullsAreSkippedAndCounted() {
    List<String> rows = new ArrayList<>(elements(Long::toString));
    String expected = Sha256.of(alone(ClassicBloomFilter.KIND, HashStrategies::utf8, 0.01, rows));
    rows.addAll(Arrays.asList(null, null, null));
    rows.add(17, null);
    BloomAggregator<String> aggregator =
        BloomAggregators.classic(HashStrategies::utf8, DISTINCT, 0.01);
    Dataset<String> dataset = dataset(rows, Encoders.STRING(), 5);

    spark.udf().register("counted", functions.udaf(aggregator.countingNulls(), Encoders.STRING()));
    dataset.createOrReplaceTempView("with_nulls");
    Row row =
        spark
            .sql("SELECT b.filter, b.nulls FROM (SELECT counted(value) AS b FROM with_nulls)")
            .first();
    assertEquals(expected, Sha256.of(row.getAs("filter")));
    assertEquals(4, row.<Long>getAs("nulls"));

    BuiltFilter built = aggregator.build(dataset.toJavaRDD());
    assertEquals(expected, Sha256.of(built.getFilter()));
    assertEquals(4, built.getNulls());

    // Spark does not show a typed column the null elements.
    built = dataset.select(aggregator.countingNulls().toColumn()).first();
    assertEquals(expected, Sha256.of(built.getFilter()));
    assertEquals(0, built.getNulls());
  }

  @ParameterizedTest
  @MethodSource("io.bloomkit.spark.MergeableKinds#all")
  void noRowsGiveAnEmptyFilter(FilterKind kind) {
    String expected = Sha256.of(alone(kind, HashStrategies::longs, 0.001, List.of()));
    BloomAggregator<Long> aggregator =
        BloomAggregators.of(kind, HashStrategies::longs, DISTINCT, 0.001);
    Dataset<Long> none = spark.emptyDataset(Encoders.LONG());
    assertEquals(expected, Sha256.of(none.select(aggregator.toColumn()).first()));
    assertEquals(
        expected,
        Sha256.of(
            aggregator.build(new JavaSparkContext(spark.sparkContext()).emptyRDD()).getFilter()));
  }

  @Test
  void everyGroupHasItsFilter() throws IOException {
    int groups = 300; // Spark sorts, and so sends buffers about, from 128 on
    spark
        .udf()
        .register(
            "small",
            functions.udaf(
                BloomAggregators.counting(HashStrategies::longs, 100, 0.001), Encoders.LONG()));
    List<Row> rows =
        spark
            .range(0, groups * 100L, 1, 5)
            .selectExpr("id % " + groups + " AS g", "id")
            .groupBy("g")
            .agg(functions.call_function("small", functions.col("id")).as("filter"))
            .collectAsList();
    assertEquals(groups, rows.size());
    for (Row row : rows) {
      long group = row.getLong(0);
      CountingBloomFilter<Long> alone =
          CountingBloomFilter.create(HashStrategies.longs(), 100, 0.001);
      LongStream.range(0, 100).map(i -> group + i * groups).forEach(alone::add);
      assertEquals(Sha256.of(alone.toBytes()), Sha256.of(row.getAs(1)), () -> "group " + group);
    }
  }

  @ParameterizedTest
  @MethodSource("io.bloomkit.spark.MergeableKinds#all")
  void everyKindOfSqlHasItsMethod(FilterKind kind) throws Exception {
    StrategySource<String> strategy = HashStrategies::utf8;
    String name = // blocked-counting is blockedCounting
        Pattern.compile("-(.)")
            .matcher(kind.label())
            .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    BloomAggregator<?> aggregator =
        (BloomAggregator<?>)
            BloomAggregators.class
                .getMethod(name, StrategySource.class, long.class, double.class)
                .invoke(null, strategy, 10, 0.01);
    byte[] empty = kind.create(HashStrategies.utf8(), 10, 0.01).toBytes();
    assertEquals(Sha256.of(empty), Sha256.of(aggregator.finish(aggregator.zero())));
  }

  @Test
  void theFilterIsReadAsAnyOther() throws IOException {
    byte[] bytes =
        spark
            .createDataset(List.of("a", "b"), Encoders.STRING())
            .select(BloomAggregators.<String>classic(HashStrategies::utf8, 10, 0.01).toColumn())
            .first();
    ClassicBloomFilter<String> filter = ClassicBloomFilter.fromBytes(bytes, HashStrategies.utf8());
    assertTrue(filter.mightContain("a"));
    assertEquals(2, filter.elementCount().orElseThrow());
  }

  @Test
  void invalidPlansAreRefusedAtOnce() {
    assertThrows(
        IllegalArgumentException.class,
        () -> BloomAggregators.classic(HashStrategies::utf8, -1, 0.01));
    assertThrows(
        IllegalArgumentException.class,
        () -> BloomAggregators.blocked(HashStrategies::utf8, 10, 1));
    IllegalArgumentException tooLarge =
        assertThrows(
            IllegalArgumentException.class,
            () -> BloomAggregators.counting(HashStrategies::utf8, 1_000_000_000, 0.01));
    String message = String.valueOf(tooLarge.getMessage());
    assertTrue(message.contains("4792529192 bytes, more than the"), message);
  }

  @Test
  void aBufferOfAnotherSizeIsRefusedAndBothAreNamed() {
    BloomAggregator<Long> small = BloomAggregators.classic(HashStrategies::longs, 10, 0.01);
    BloomAggregator<Long> large = BloomAggregators.classic(HashStrategies::longs, 1_000, 0.01);
    FilterBuffer a = small.reduce(small.zero(), 1L);
    FilterBuffer b = large.reduce(large.zero(), 1L);
    String message =
        assertThrows(IllegalArgumentException.class, () -> small.merge(a, b)).toString();
    assertTrue(message.contains("number 10 and") && message.contains("number 1000 and"), message);
  }
}
