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
 * Reduces the shuffle of a join: broadcasts a filter of the small side's keys, and drops rows of
 * the large side whose key is certainly not among them where they are read.
 *
 * <pre>{@code
 * JoinPruning customers = JoinPruning.of(vip, "customer", 1_000_000, 0.01);
 * JoinPruning.Pruned<Row> orders = customers.prune(allOrders, "customer");
 * Dataset<Row> joined = orders.rows().join(vip, "customer");
 * joined.write().parquet(path);
 * long spared = orders.spared();
 * }</pre>
 *
 * <p>Every row with a partner is kept, and so is a share {@code fpp} of the rows without one; the
 * join drops those. Rows with a null key are dropped: they have no partner by {@code =}. By {@code
 * <=>} they may have one, so do not prune such a join. Rows whose key is a struct with a null field
 * are kept. Pruning is valid for joins that discard rows of the large side without a partner: inner
 * joins, left semi joins, and outer joins that preserve the small side only.
 *
 * <p>The small side is computed twice, for the filter and for the join, and must give the same
 * rows: cache or write it if it has a {@code limit}, random numbers, or a source that changes in
 * between.
 *
 * <p>Keys are STRING, BINARY, BIGINT, INT or a STRUCT of these, of the same type on both sides;
 * CHAR(n) of one length.
 *
 * <p><b>Cost.</b> The small side is read once more, unless it is cached. The broadcast takes ten
 * bits per key at 1 %; a row costs one hash and one access to a cache line.
 */
public final class JoinPruning {

  /** Where Spark keeps that a STRING was declared as CHAR(n). */
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
   * Builds and broadcasts the filter of all keys of the small side. Runs a job.
   *
   * @param key the name of a column
   * @param expectedKeys the number of distinct keys, at least 1; beyond it more rows pass
   * @param fpp the share of the rows without a partner that passes, in (0, 1)
   * @throws IllegalArgumentException if a number is out of its range or the type of the key is not
   *     one of those above
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
   * Returns the rows of the large side that may have a partner.
   *
   * @param key the name of a column
   * @throws IllegalArgumentException if the column is of another type than the small side's, or
   *     CHAR of another length
   */
  public <T> Pruned<T> prune(Dataset<T> large, String key) {
    Expression column = ExpressionUtils.expression(large.col(key));
    Checks.require(Checks.value("prune", column));
    if (!identity(column.dataType()).equals(identity(type))) {
      throw new IllegalArgumentException(
          "the keys must be of one type, but "
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

  /** A join pads what is CHAR(n) to the longer of two lengths, a filter does not. */
  private void requireSamePadding(Expression column, String key) {
    String other = padding(column);
    if (!other.equals(padding)) {
      throw new IllegalArgumentException(
          String.format(
              "a join may pad CHAR(n) and the filter does not, but %s is %s and that of the small"
                  + " side %s: give both columns one length, and join by those",
              key, other.isEmpty() ? "not CHAR" : other, padding.isEmpty() ? "not CHAR" : padding));
    }
  }

  /** Returns the type that a column was declared with if there is CHAR(n) in it, or nothing. */
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

  /** Frees the filter on all executors. Pruned rows can no longer be computed afterwards. */
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

    /** Returns the rows. */
    public Dataset<T> rows() {
      return rows;
    }

    /**
     * Returns the number of rows with a non-null key that one action has dropped so far. A
     * recomputed partition counts once. Rows that Spark drops during planning, as of local tables,
     * are not counted. The number is only meaningful for a single action that reads the rows once:
     * further actions, a second use of the rows in one query, and a third table joined by the same
     * key, to which Spark applies the filter too, add to it. In a stream it covers one batch.
     */
    public long spared() {
      return spared.value();
    }
  }
}
