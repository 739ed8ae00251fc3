package io.bloomkit.spark;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A broadcast filter as an argument of {@link MightContain}. Internal; public because the code that
 * Spark generates calls it.
 */
public final class BroadcastFilter extends Expression implements Serializable {

  private static final long serialVersionUID = 1;

  private final Broadcast<byte[]> broadcast;
  private transient byte @Nullable [] value;

  /** Creates the expression. */
  public BroadcastFilter(Broadcast<byte[]> broadcast) {
    this.broadcast = broadcast;
  }

  /** Returns the filter in its file format, not copied; for generated code. */
  public byte[] bytes() {
    byte[] present = value; // broadcast.value() takes a lock
    if (present == null) {
      present = broadcast.value();
      value = present;
    }
    return present;
  }

  @Override
  public Object eval(InternalRow row) {
    return bytes();
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    String self = context.addReferenceObj("filter", this, BroadcastFilter.class.getName());
    String read = "\nbyte[] " + code.value() + " = " + self + ".bytes();\n";
    return code.copy(
        new CodeBlock(Scala.seq(List.of(read)), Scala.seq(List.of())),
        FalseLiteral$.MODULE$,
        code.value());
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override
  public Seq<Expression> children() {
    return Scala.seq(List.of());
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return this; // there are none
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int index) {
    return broadcast;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BroadcastFilter;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof BroadcastFilter other && broadcast.id() == other.broadcast.id();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(broadcast.id());
  }
}
