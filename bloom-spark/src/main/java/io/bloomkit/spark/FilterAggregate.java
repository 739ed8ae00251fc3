package io.bloomkit.spark;

import java.io.Serializable;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** The common part of the aggregates that return a filter in its file format. */
abstract class FilterAggregate extends TypedImperativeAggregate<FilterBuffer>
    implements Serializable {

  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // Spark passes serializable sequences only
  final Seq<Expression> arguments;

  private final int mutableAggBufferOffset;
  private final int inputAggBufferOffset;

  /**
   * Creates the function.
   *
   * @param mutableAggBufferOffset the offset of the buffer in Spark's row of buffers
   * @param inputAggBufferOffset the offset of the buffer in the row that Spark merges from
   */
  FilterAggregate(Seq<Expression> arguments, int mutableAggBufferOffset, int inputAggBufferOffset) {
    this.arguments = arguments;
    this.mutableAggBufferOffset = mutableAggBufferOffset;
    this.inputAggBufferOffset = inputAggBufferOffset;
  }

  /** Returns this function with other arguments and offsets. */
  abstract FilterAggregate copy(
      Seq<Expression> others, int newMutableAggBufferOffset, int newInputAggBufferOffset);

  @Override
  public FilterBuffer createAggregationBuffer() {
    return new FilterBuffer();
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
  public DataType dataType() {
    return DataTypes.BinaryType;
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
    return copy(arguments, offset, inputAggBufferOffset);
  }

  @Override
  public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return copy(arguments, mutableAggBufferOffset, offset);
  }

  @Override
  public Seq<Expression> children() {
    return arguments;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return copy(children, mutableAggBufferOffset, inputAggBufferOffset);
  }

  @Override
  public int productArity() {
    return 3;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> arguments;
      case 1 -> mutableAggBufferOffset;
      case 2 -> inputAggBufferOffset;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other.getClass() == getClass();
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FilterAggregate other
        && other.getClass() == getClass()
        && arguments.equals(other.arguments)
        && mutableAggBufferOffset == other.mutableAggBufferOffset
        && inputAggBufferOffset == other.inputAggBufferOffset;
  }

  @Override
  public int hashCode() {
    return Objects.hash(arguments, mutableAggBufferOffset, inputAggBufferOffset);
  }
}
