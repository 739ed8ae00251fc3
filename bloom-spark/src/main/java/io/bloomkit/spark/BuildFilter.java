package io.bloomkit.spark;

import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ImplicitCastInputTypes;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.AnyDataType$;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * The SQL function bloom_build; see {@link BloomFunctions}. Internal; public because Spark calls
 * the constructors of expressions to copy them.
 */
public final class BuildFilter extends FilterAggregate implements ImplicitCastInputTypes {

  private static final long serialVersionUID = 1;

  private static final int VALUE = 0;
  private static final int EXPECTED = 1;
  private static final int FPP = 2;
  private static final int KIND = 3;

  private transient @Nullable ColumnStrategy strategy;
  private transient @Nullable FilterSpec<Object> spec;

  /**
   * Creates the function.
   *
   * @param arguments value, expected, fpp and kind, in this order
   * @param mutableAggBufferOffset the offset of the buffer in Spark's row of buffers
   * @param inputAggBufferOffset the offset of the buffer in the row that Spark merges from
   */
  public BuildFilter(
      Seq<Expression> arguments, int mutableAggBufferOffset, int inputAggBufferOffset) {
    super(arguments, mutableAggBufferOffset, inputAggBufferOffset);
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    return Scala.seq(
        List.of(
            AnyDataType$.MODULE$, DataTypes.LongType, DataTypes.DoubleType, DataTypes.StringType));
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    TypeCheckResult value = Checks.value(prettyName(), arguments.apply(VALUE));
    if (value.isFailure()) {
      return value;
    }
    TypeCheckResult types = ImplicitCastInputTypes.super.checkInputDataTypes();
    if (types.isFailure()) {
      return types;
    }
    for (int i = EXPECTED; i <= KIND; i++) {
      if (!arguments.apply(i).foldable() || arguments.apply(i).eval(null) == null) {
        return Checks.failure(
            "expected, fpp and kind of bloom_build must be constants and not null, got "
                + arguments.apply(i).sql());
      }
    }
    try {
      spec();
    } catch (IllegalArgumentException e) {
      return Checks.failure("bloom_build: " + e.getMessage());
    }
    return Checks.success();
  }

  private ColumnStrategy strategy() {
    ColumnStrategy present = strategy;
    if (present == null) {
      present = Objects.requireNonNull(ColumnStrategy.of(arguments.apply(VALUE).dataType()));
      strategy = present;
    }
    return present;
  }

  private FilterSpec<Object> spec() {
    FilterSpec<Object> present = spec;
    if (present == null) {
      present =
          new FilterSpec<>(
              MergeableKinds.labelled(arguments.apply(KIND).eval(null).toString()),
              this::strategy,
              (long) arguments.apply(EXPECTED).eval(null),
              (double) arguments.apply(FPP).eval(null));
      spec = present;
    }
    return present;
  }

  @Override
  public FilterBuffer update(FilterBuffer buffer, InternalRow row) {
    Object value = arguments.apply(VALUE).eval(row);
    ColumnStrategy hash = strategy();
    if (hash.isNull(value)) {
      buffer.skipNull();
    } else {
      buffer.addHash(hash.hash(value), spec());
    }
    return buffer;
  }

  @Override
  public FilterBuffer merge(FilterBuffer buffer, FilterBuffer other) {
    buffer.merge(other, spec());
    return buffer;
  }

  @Override
  public Object eval(FilterBuffer buffer) {
    return buffer.toFile(spec());
  }

  /**
   * Returns an empty filter. Spark uses it as the result if there are no rows, and then does not
   * run the aggregate.
   */
  @Override
  public Option<Literal> defaultResult() {
    return Option.apply(Literal$.MODULE$.create(eval(new FilterBuffer()), DataTypes.BinaryType));
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public String prettyName() {
    return "bloom_build";
  }

  @Override
  FilterAggregate copy(
      Seq<Expression> others, int newMutableAggBufferOffset, int newInputAggBufferOffset) {
    return new BuildFilter(others, newMutableAggBufferOffset, newInputAggBufferOffset);
  }
}
