package io.bloomkit.spark;

import io.bloomkit.DeletableFilter;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The SQL functions that decode a whole filter per row; see {@link BloomFunctions}. Internal;
 * public because Spark calls the constructors of expressions to copy them.
 */
public final class FilterFunction extends Expression implements CodegenFallback, Serializable {

  private static final long serialVersionUID = 1;

  private static final StructType INFO =
      new StructType()
          .add("kind", DataTypes.StringType, false)
          .add("strategy", DataTypes.StringType, false)
          .add("net_insertions", DataTypes.LongType, true)
          .add("approximate_elements", DataTypes.LongType, true)
          .add("expected_fpp", DataTypes.DoubleType, false)
          .add("positions", DataTypes.LongType, true)
          .add("hashes", DataTypes.IntegerType, true)
          .add("memory_bytes", DataTypes.LongType, false)
          .add("file_bytes", DataTypes.LongType, false);

  /** The operation of a function. */
  public enum Operation {
    /** {@code bloom_subtract}: subtracts the second filter from the first. */
    SUBTRACT,
    /** {@code bloom_remove}: removes one occurrence of a value from a filter. */
    REMOVE,
    /** {@code bloom_info}: returns a struct with the kind, size and figures of a filter. */
    INFO
  }

  private final Operation operation;

  @SuppressWarnings("serial") // Spark passes serializable sequences only
  private final Seq<Expression> arguments;

  /**
   * Creates the function.
   *
   * @param operation the operation
   * @param arguments the filter, followed by the filter to subtract (if {@code SUBTRACT}) or the
   *     value to remove (if {@code REMOVE})
   */
  public FilterFunction(Operation operation, Seq<Expression> arguments) {
    this.operation = operation;
    this.arguments = arguments;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    TypeCheckResult first = Checks.filter(prettyName(), arguments.apply(0));
    if (first.isFailure() || operation == Operation.INFO) {
      return first;
    }
    return operation == Operation.SUBTRACT
        ? Checks.filter(prettyName(), arguments.apply(1))
        : Checks.value(prettyName(), arguments.apply(1));
  }

  @Override
  public Object eval(InternalRow row) {
    byte[] filter = filter(0, row);
    return switch (operation) {
      case SUBTRACT -> subtract(filter, filter(1, row));
      case REMOVE -> remove(filter, arguments.apply(1).eval(row));
      case INFO -> info(filter);
    };
  }

  private byte[] filter(int argument, InternalRow row) {
    return Checks.present(prettyName(), arguments.apply(argument).eval(row));
  }

  private static byte[] subtract(byte[] filter, byte[] other) {
    StorableFilter<Object> difference = Filters.readAny(filter);
    MergeableKinds.of(difference).subtract(difference, Filters.readAny(other));
    return difference.toBytes();
  }

  private byte[] remove(byte[] bytes, @Nullable Object value) {
    ColumnStrategy strategy =
        Objects.requireNonNull(ColumnStrategy.of(arguments.apply(1).dataType()));
    StorableFilter<Object> filter = Filters.read(bytes, strategy);
    if (!(filter instanceof DeletableFilter<?> deletable)) {
      throw new IllegalArgumentException(
          "cannot remove from " + filter + ": build the filter with the kind 'counting'");
    }
    boolean isRemoved =
        value != null && !strategy.isNull(value) && deletable.removeHash(strategy.hash(value));
    return isRemoved ? filter.toBytes() : bytes;
  }

  private static InternalRow info(byte[] bytes) {
    FilterFile file = Filters.inspect(bytes);
    StorableFilter<Object> filter = Filters.readAny(bytes);
    FilterKind kind = MergeableKinds.of(filter);
    Map<String, Number> figures = kind.layoutOf(filter).figures();
    Number positions = figures.get("positions");
    Number hashes = figures.get("hashes");
    OptionalLong elements = file.elementCount();
    long estimate = filter.approximateElementCount();
    return new GenericInternalRow(
        new Object[] {
          UTF8String.fromString(kind.label()),
          UTF8String.fromString(file.strategy().id()),
          elements.isPresent() ? elements.getAsLong() : null,
          estimate == Long.MAX_VALUE ? null : estimate,
          filter.expectedFpp(),
          positions == null ? null : positions.longValue(),
          hashes == null ? null : hashes.intValue(),
          filter.memoryBytes(),
          (long) bytes.length
        });
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return CodegenFallback.super.doGenCode(context, code);
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public boolean foldable() {
    return arguments.forall(Expression::foldable);
  }

  @Override
  public DataType dataType() {
    return operation == Operation.INFO ? INFO : DataTypes.BinaryType;
  }

  @Override
  public String prettyName() {
    return switch (operation) {
      case SUBTRACT -> "bloom_subtract";
      case REMOVE -> "bloom_remove";
      case INFO -> "bloom_info";
    };
  }

  @Override
  public Seq<Expression> children() {
    return arguments;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new FilterFunction(operation, children);
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> operation;
      case 1 -> arguments;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof FilterFunction;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FilterFunction other
        && operation == other.operation
        && arguments.equals(other.arguments);
  }

  @Override
  public int hashCode() {
    return Objects.hash(operation, arguments);
  }
}
