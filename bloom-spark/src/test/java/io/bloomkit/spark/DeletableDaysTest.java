package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * The job of 864,000,000 ids a day, scaled down: a set of the last two days from which ids are
 * removed, a filter for each day and part of the ids. Every tenth id is removed on its day, and the
 * removals of a day come before its additions. {@code -Ddays.ids=8640000} runs a hundredth of it,
 * and what is printed says what the whole would take.
 */
class DeletableDaysTest {

  private static final long ALL_IDS = 864_000_000;
  private static final long IDS = Long.getLong("days.ids", ALL_IDS / 16_000) / 40 * 40;
  private static final long REMOVED = IDS / 10;
  private static final int DAYS = 3;
  private static final int WINDOW = 2;
  private static final int PARTS = 4;
  private static final double FPP = 0.01;

  /** Of the ids of a window and a part, with room for parts that get more than their share. */
  private static final long EXPECTED = sized(IDS, PARTS);

  private final SparkSession spark = LocalSpark.session();

  private static long sized(long ids, long parts) {
    double mean = 1.0 * WINDOW * ids / parts;
    return (long) (mean + 6 * Math.sqrt(mean));
  }

  private static String sql(String template) {
    return template
        .replace(":removed", Long.toString(REMOVED))
        .replace(":ids", Long.toString(IDS))
        .replace(":parts", Integer.toString(PARTS))
        .replace(":filter", EXPECTED + ", " + FPP + ", 'counting'")
        .replace(":first", Integer.toString(DAYS - WINDOW));
  }

  @Test
  void theLastDaysHoldWhatWasNotRemoved() throws Exception {
    spark
        .range(0, DAYS * (IDS + REMOVED), 1, 6)
        .selectExpr(
            sql("CAST(id DIV (:ids + :removed) AS INT) AS day"),
            sql("id % (:ids + :removed) AS event"))
        .selectExpr(
            "day",
            sql("event < :removed AS removed"),
            sql("day * :ids + IF(event < :removed, event * 10, event - :removed) AS id"))
        .selectExpr("day", "removed", "id", sql("pmod(xxhash64(id), :parts) AS part"))
        .createOrReplaceTempView("all_events");
    long start = System.nanoTime();
    Dataset<Row> days =
        spark
            .sql(
                sql(
                    """
                    SELECT day, part, bloom_subtract(
                      bloom_build(id, :filter) FILTER (WHERE NOT removed),
                      bloom_build(id, :filter) FILTER (WHERE removed)) AS filter
                    FROM all_events GROUP BY day, part
                    """))
            .localCheckpoint();
    double seconds = (System.nanoTime() - start) / 1e9;
    days.createOrReplaceTempView("filters_of_days");
    Dataset<Row> window =
        spark
            .sql(
                sql(
                    "SELECT part, bloom_merge(filter) AS filter FROM filters_of_days"
                        + " WHERE day >= :first GROUP BY part"))
            .localCheckpoint();
    assertEquals(PARTS, window.count());
    window.createOrReplaceTempView("last_days");

    long positive =
        countPositives(sql("day >= :first AND NOT removed AND (id % :ids) % 10 <> 0")); // all kept
    assertEquals(WINDOW * (IDS - REMOVED), positive);
    long removed = countPositives(sql("day >= :first AND removed"));
    long old = countPositives(sql("day < :first AND NOT removed"));
    double fpp = 1.0 * (removed + old) / (WINDOW * REMOVED + (DAYS - WINDOW) * IDS);
    assertTrue(fpp < FPP, () -> "positive among those removed or too old: " + fpp);

    CountingBloomFilter<Long> alone =
        CountingBloomFilter.create(HashStrategies.longs(), EXPECTED, FPP);
    for (Row row :
        spark
            .sql(
                sql(
                    "SELECT DISTINCT id FROM all_events"
                        + " WHERE day >= :first AND part = 0 AND (id % :ids) % 10 <> 0"))
            .collectAsList()) {
      alone.add(row.getLong(0));
    }
    byte[] built = window.where("part = 0").first().getAs("filter");
    assertEquals(Sha256.of(alone.toBytes()), Sha256.of(built));

    print(seconds, fpp);
  }

  private long countPositives(String condition) {
    long positive = 0;
    for (int part = 0; part < PARTS; part++) {
      positive +=
          spark
              .sql(
                  """
                  SELECT * FROM all_events WHERE part = :part AND bloom_might_contain(
                    (SELECT filter FROM last_days WHERE part = :part), id)
                  """
                      .replace(":part", Integer.toString(part)))
              .where(condition)
              .count();
    }
    return positive;
  }

  private static void print(double seconds, double fpp) {
    double rate = DAYS * (IDS + REMOVED) / seconds;
    long bytes = CountingBloomFilter.KIND.layout(sized(ALL_IDS, 1), FPP).memoryBytes();
    long parts = (bytes >> 28) + 1;
    System.out.printf(
        Locale.ROOT,
        "%,d ids a day, a tenth removed, %d days: %.1f s, %,.0f rows a second, fpp %.4f%n"
            + "%,d ids a day: %.0f minutes a day on the same processors; the filter of %d days"
            + " takes %.1f GB, in %d parts of at most 256 MB%n",
        IDS,
        DAYS,
        seconds,
        rate,
        fpp,
        ALL_IDS,
        1.1 * ALL_IDS / rate / 60,
        WINDOW,
        bytes / 1e9,
        parts);
  }
}
