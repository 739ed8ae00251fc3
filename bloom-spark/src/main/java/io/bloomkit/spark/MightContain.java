package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The SQL function bloom_might_contain; see {@link BloomFunctions}. Internal; public because the
 * code that Spark generates calls it.
 */
public final class MightContain extends Expression implements Serializable {

  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // Spark passes serializable expressions only
  private final Expression filter;

  @SuppressWarnings("serial") // Spark passes serializable expressions only
  private final Expression value;

  private final @Nullable SparedRows spared;

  private transient @Nullable ColumnStrategy strategy;
  private transient @Nullable Decoded last;

  private static final class Decoded {

    final byte[] bytes;
    final StorableFilter<Object> filter;

    Decoded(byte[] bytes, StorableFilter<Object> filter) {
      this.bytes = bytes;
      this.filter = filter;
    }
  }

  /**
   * Creates the function.
   *
   * @param filter the filter, a BINARY
   * @param value the value to query
   */
  public MightContain(Expression filter, Expression value) {
    this(filter, value, null);
  }

  /** Creates a function that also counts negative queries, if {@code spared} is not null. */
  MightContain(Expression filter, Expression value, @Nullable SparedRows spared) {
    this.filter = filter;
    this.value = value;
    this.spared = spared;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    TypeCheckResult bytes = Checks.filter(prettyName(), filter);
    return bytes.isFailure() ? bytes : Checks.value(prettyName(), value);
  }

  @Override
  public @Nullable Object eval(InternalRow row) {
    Object bytes = filter.eval(row);
    Object element = value.eval(row);
    return element == null ? null : test((byte[]) bytes, element);
  }

  /**
   * Returns whether the query of a non-null value is positive; for generated code. Returns true for
   * a struct with a null field.
   *
   * @param bytes the filter in its file format
   * @param element the value, as Spark represents it
   * @throws IllegalArgumentException if the filter is null or damaged, or its strategy does not
   *     match the type of the value
   */
  public boolean test(byte @Nullable [] bytes, Object element) {
    if (strategy().isNull(element)) {
      return true;
    }
    return counted(decoded(bytes).mightContainHash(strategy().hash(element)));
  }

  /**
   * Returns whether the query of a BIGINT or INT is positive, without boxing; for generated code.
   *
   * @param bytes the filter in its file format
   * @param element the value
   * @throws IllegalArgumentException if the filter is null or damaged, or its strategy does not
   *     match the type of the value
   */
  public boolean test(byte @Nullable [] bytes, long element) {
    return counted(decoded(bytes).mightContainHash(HashStrategies.longs().hashLong(element)));
  }

  private boolean counted(boolean isPositive) {
    if (spared != null) {
      spared.count(!isPositive);
    }
    return isPositive;
  }

  private ColumnStrategy strategy() {
    ColumnStrategy present = strategy;
    if (present == null) {
      present = Objects.requireNonNull(ColumnStrategy.of(value.dataType()));
      strategy = present;
    }
    return present;
  }

  private StorableFilter<Object> decoded(byte @Nullable [] bytes) {
    Decoded known = last;
    if (known == null || known.bytes != bytes) {
      byte[] present = Checks.present(prettyName(), bytes);
      if (known == null || !Arrays.equals(known.bytes, present)) {
        known = new Decoded(present, read(present));
        last = known;
      }
    }
    return known.filter;
  }

  private StorableFilter<Object> read(byte[] bytes) {
    return filter instanceof BroadcastFilter
        ? DecodedFilters.get(bytes, strategy())
        : Filters.read(bytes, strategy());
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    String self = context.addReferenceObj("mightContain", this, MightContain.class.getName());
    ExprCode bytes = filter.genCode(context);
    ExprCode element = value.genCode(context);
    String answer =
        String.format(
            """

            boolean %1$s = %2$s;
            boolean %5$s = !%1$s && %3$s.test(%6$s ? null : %7$s, %4$s);
            """,
            code.isNull(),
            element.isNull(),
            self,
            element.value(),
            code.value(),
            bytes.isNull(),
            bytes.value());
    Block all =
        bytes
            .code()
            .$plus(element.code())
            .$plus(new CodeBlock(Scala.seq(List.of(answer)), Scala.seq(List.of())));
    return code.copy(all, code.isNull(), code.value());
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public boolean foldable() {
    return filter.foldable() && value.foldable();
  }

  @Override
  public DataType dataType() {
    return DataTypes.BooleanType;
  }

  @Override
  public String prettyName() {
    return "bloom_might_contain";
  }

  @Override
  public Seq<Expression> children() {
    return Scala.seq(List.of(filter, value));
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new MightContain(children.apply(0), children.apply(1), spared);
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int index) {
    return children().apply(index);
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof MightContain;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof MightContain other
        && filter.equals(other.filter)
        && value.equals(other.value)
        && spared == other.spared;
  }

  @Override
  public int hashCode() {
    return Objects.hash(filter, value);
  }
}
