package io.bloomkit.spark;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.hash.StrategyIdentity;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataType;

/**
 * Reduces the shuffle of a join of a small dataset with a large one. A filter of the small side's
 * keys is broadcast. Before the shuffle, Spark drops each row of the large side whose key is
 * certainly not in the filter.
 *
 * <pre>{@code
 * JoinPruning customers = JoinPruning.of(vip, "customer", 1_000_000, 0.01);
 * JoinPruning.Pruned<Row> orders = customers.prune(allOrders, "customer");
 * Dataset<Row> joined = orders.rows().join(vip, "customer");
 * joined.write().parquet(path);
 * long spared = orders.spared();
 * }</pre>
 *
 * <p>A <i>partner</i> of a row is a row of the other side with an equal key. Every row of the large
 * side with a partner is kept. Of the rows without a partner, a share of about {@code fpp} (an
 * argument of {@link #of}) is kept too. The join itself discards these rows. Rows whose key is a
 * struct with a null field are kept. Rows with a null key are dropped, because they have no partner
 * in a join by {@code =}. Do not prune a join by {@code <=>}: in such a join, rows with a null key
 * may have a partner.
 *
 * <p>Prune a join only if it discards every row of the large side that has no partner. Such joins
 * are inner joins, left semi joins with the large side on the left, and outer joins that preserve
 * only the small side.
 *
 * <p>Spark computes the small side twice, for the filter and for the join. Both computations must
 * return the same rows. Cache the small side or write it to a table if it uses a {@code limit},
 * random numbers, or a source that may change in between.
 *
 * <p>Keys are STRING, BINARY, BIGINT, INT or a STRUCT of these types. Both sides must have the same
 * key type. A key that is CHAR(n) on one side must be CHAR with the same n on the other.
 *
 * <p><b>Cost.</b> At an {@code fpp} of 1 % and for 10,000 expected keys or more, the broadcast
 * filter takes 10.1 to 10.2 bits per expected key. A row of the large side costs one hash and one
 * access to a cache line.
 */
public final class JoinPruning {

  /** The key of the metadata in which Spark records that a STRING was declared as CHAR(n). */
  private static final String DECLARED_TYPE = "__CHAR_VARCHAR_TYPE_STRING";

  private static final Pattern CHAR = Pattern.compile("\\bchar\\(", Pattern.CASE_INSENSITIVE);

  private final Broadcast<byte[]> filter;
  private final DataType type;
  private final String padding;

  private JoinPruning(Broadcast<byte[]> filter, DataType type, String padding) {
    this.filter = filter;
    this.type = type;
    this.padding = padding;
  }

  /**
   * Builds and broadcasts the filter of all keys of the small side. Runs a job. Null keys are
   * skipped.
   *
   * @param small the small side
   * @param key the name of the key's column in the small side
   * @param expectedKeys the number of distinct keys, at least 1; with more keys, more rows without
   *     a partner are kept
   * @param fpp the planned share of kept rows among the rows without a partner, in (0, 1)
   * @throws IllegalArgumentException if {@code expectedKeys} or {@code fpp} is out of range, if the
   *     filter would take more than 2 GiB − 1 MiB, or if the type of the key is not supported
   */
  public static JoinPruning of(Dataset<?> small, String key, long expectedKeys, double fpp) {
    Expression column = ExpressionUtils.expression(small.col(key));
    BuildFilter build =
        new BuildFilter(
            Scala.seq(
                List.of(
                    column,
                    Literal$.MODULE$.apply(expectedKeys),
                    Literal$.MODULE$.apply(fpp),
                    Literal$.MODULE$.apply(BlockedBloomFilter.KIND.label()))),
            0,
            0);
    Checks.require(build.checkInputDataTypes());
    byte[] bytes =
        small.agg(ExpressionUtils.column(build.toAggregateExpression())).first().getAs(0);
    return new JoinPruning(
        new JavaSparkContext(small.sparkSession().sparkContext()).broadcast(bytes),
        column.dataType(),
        padding(column));
  }

  /**
   * Returns the rows of the large side that may have a partner. Runs no job.
   *
   * @param large the large side
   * @param key the name of the key's column in the large side
   * @param <T> the type of the rows
   * @throws IllegalArgumentException if the column's type, or the n of its CHAR(n), differs from
   *     that of the small side's key
   */
  public <T> Pruned<T> prune(Dataset<T> large, String key) {
    Expression column = ExpressionUtils.expression(large.col(key));
    Checks.require(Checks.value("prune", column));
    if (!identity(column.dataType()).equals(identity(type))) {
      throw new IllegalArgumentException(
          "the keys must be of the same type, but "
              + key
              + " is "
              + column.dataType().sql()
              + " and that of the small side is "
              + type.sql()
              + ": cast one of them");
    }
    requireSamePadding(column, key);
    SparedRows spared = new SparedRows();
    large.sparkSession().sparkContext().register(spared);
    MightContain mightContain = new MightContain(new BroadcastFilter(filter), column, spared);
    return new Pruned<>(large.filter(ExpressionUtils.column(mightContain)), spared);
  }

  /** Checks that CHAR lengths are equal. A join pads the shorter value; a filter does not. */
  private void requireSamePadding(Expression column, String key) {
    String other = padding(column);
    if (!other.equals(padding)) {
      throw new IllegalArgumentException(
          String.format(
              "the keys must have the same CHAR length, but %s is %s and that of the small side"
                  + " is %s: declare both columns with the same length",
              key, other.isEmpty() ? "not CHAR" : other, padding.isEmpty() ? "not CHAR" : padding));
    }
  }

  /** Returns the declared type of a column if it contains CHAR(n), or else an empty string. */
  private static String padding(Expression column) {
    if (column instanceof AttributeReference attribute
        && attribute.metadata().contains(DECLARED_TYPE)) {
      String type = attribute.metadata().getString(DECLARED_TYPE);
      return CHAR.matcher(type).find() ? type : "";
    }
    return "";
  }

  private static StrategyIdentity identity(DataType type) {
    return StrategyIdentity.of(Objects.requireNonNull(ColumnStrategy.of(type)));
  }

  /** Returns the filter in the file format of a {@code BlockedBloomFilter}, not copied. */
  public byte[] filter() {
    return filter.value();
  }

  /**
   * Frees the filter on the driver and on all executors. Afterwards, computing pruned rows fails,
   * and so does {@link #filter}.
   */
  public void destroy() {
    filter.destroy();
  }

  /**
   * The rows of a large side that may have a partner.
   *
   * @param <T> the type of the rows
   */
  public static final class Pruned<T> {

    private final Dataset<T> rows;
    private final SparedRows spared;

    private Pruned(Dataset<T> rows, SparedRows spared) {
      this.rows = rows;
      this.spared = spared;
    }

    /** Returns the rows that may have a partner. */
    public Dataset<T> rows() {
      return rows;
    }

    /**
     * Returns the number of rows with a non-null key that were dropped by the tasks that have
     * ended. Rows that Spark drops while it plans the query, such as those of a local table, are
     * not counted.
     *
     * <p>The result is exact for a single action that reads the rows once. If Spark computes a
     * partition several times, each computation may drop a different number of rows. Only the
     * largest of these numbers counts towards the result. So the result is not meaningful after
     * several actions, after several batches of a stream, or if a query uses the rows twice. It is
     * not meaningful either if a third table is joined by the same key, because Spark then applies
     * the filter to that table too.
     */
    public long spared() {
      return spared.value();
    }
  }
}
