package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The SQL function bloom_merge; see {@link BloomFunctions}. Internal; public because Spark calls
 * the constructors of expressions to copy them.
 */
public final class MergeFilters extends TypedImperativeAggregate<FilterBuffer>
    implements Serializable {

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

  @SuppressWarnings("serial") // Spark passes serializable expressions only
  private final Expression filter;

  private final int mutableAggBufferOffset;
  private final int inputAggBufferOffset;

  /**
   * Creates the function.
   *
   * @param filter the column of filters
   * @param mutableAggBufferOffset the offset of the buffer in Spark's row of buffers
   * @param inputAggBufferOffset the offset of the buffer in the row that Spark merges from
   */
  public MergeFilters(Expression filter, int mutableAggBufferOffset, int inputAggBufferOffset) {
    this.filter = filter;
    this.mutableAggBufferOffset = mutableAggBufferOffset;
    this.inputAggBufferOffset = inputAggBufferOffset;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Checks.filter(prettyName(), filter);
  }

  @Override
  public FilterBuffer createAggregationBuffer() {
    return new FilterBuffer();
  }

  @Override
  public FilterBuffer update(FilterBuffer buffer, InternalRow row) {
    Object bytes = filter.eval(row);
    if (bytes == null) {
      buffer.skipNull();
    } else {
      Filters.header((byte[]) bytes); // throws for empty bytes, which a buffer would accept
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
  public byte[] serialize(FilterBuffer buffer) {
    return buffer.getBytes();
  }

  @Override
  public FilterBuffer deserialize(byte[] bytes) {
    return FilterBuffer.of(bytes);
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override
  public String prettyName() {
    return "bloom_merge";
  }

  @Override
  public int mutableAggBufferOffset() {
    return mutableAggBufferOffset;
  }

  @Override
  public int inputAggBufferOffset() {
    return inputAggBufferOffset;
  }

  @Override
  public ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return new MergeFilters(filter, offset, inputAggBufferOffset);
  }

  @Override
  public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return new MergeFilters(filter, mutableAggBufferOffset, offset);
  }

  @Override
  public Seq<Expression> children() {
    return Scala.seq(List.of(filter));
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new MergeFilters(children.apply(0), mutableAggBufferOffset, inputAggBufferOffset);
  }

  @Override
  public int productArity() {
    return 3;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> filter;
      case 1 -> mutableAggBufferOffset;
      case 2 -> inputAggBufferOffset;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof MergeFilters;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof MergeFilters other
        && filter.equals(other.filter)
        && mutableAggBufferOffset == other.mutableAggBufferOffset
        && inputAggBufferOffset == other.inputAggBufferOffset;
  }

  @Override
  public int hashCode() {
    return Objects.hash(filter, mutableAggBufferOffset, inputAggBufferOffset);
  }
}
