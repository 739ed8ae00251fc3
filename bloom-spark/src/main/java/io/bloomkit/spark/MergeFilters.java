package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * The SQL function bloom_merge; see {@link BloomFunctions}. Internal; public because Spark calls
 * the constructors of expressions to copy them.
 */
public final class MergeFilters extends FilterAggregate {

  private static final long serialVersionUID = 1;

  /**
   * Accepts a first filter of any mergeable kind and any strategy. Merging requires that the other
   * filters are compatible with the first.
   */
  private static final FilterSource<Object> FIRST =
      new FilterSource<>() {
        @Override
        public StorableFilter<Object> create() {
          throw new IllegalStateException(
              "bloom_merge cannot create an empty filter without a size");
        }

        @Override
        public StorableFilter<Object> read(byte[] bytes) {
          return Filters.readAny(bytes);
        }
      };

  /**
   * Creates the function.
   *
   * @param arguments the column of filters
   * @param mutableAggBufferOffset the offset of the buffer in Spark's row of buffers
   * @param inputAggBufferOffset the offset of the buffer in the row that Spark merges from
   */
  public MergeFilters(
      Seq<Expression> arguments, int mutableAggBufferOffset, int inputAggBufferOffset) {
    super(arguments, mutableAggBufferOffset, inputAggBufferOffset);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Checks.filter(prettyName(), arguments.apply(0));
  }

  @Override
  public FilterBuffer update(FilterBuffer buffer, InternalRow row) {
    Object bytes = arguments.apply(0).eval(row);
    if (bytes == null) {
      buffer.skipNull();
    } else {
      Filters.inspect((byte[]) bytes); // throws for empty bytes, which a buffer would accept
      buffer.merge(FilterBuffer.ofFile((byte[]) bytes), FIRST);
    }
    return buffer;
  }

  @Override
  public FilterBuffer merge(FilterBuffer buffer, FilterBuffer other) {
    buffer.merge(other, FIRST);
    return buffer;
  }

  @Override
  public @Nullable Object eval(FilterBuffer buffer) {
    return buffer.isEmpty() ? null : buffer.toFile(FIRST);
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public String prettyName() {
    return "bloom_merge";
  }

  @Override
  FilterAggregate copy(
      Seq<Expression> others, int newMutableAggBufferOffset, int newInputAggBufferOffset) {
    return new MergeFilters(others, newMutableAggBufferOffset, newInputAggBufferOffset);
  }
}
