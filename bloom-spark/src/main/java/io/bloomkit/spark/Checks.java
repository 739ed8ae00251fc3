package io.bloomkit.spark;

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Checks of the arguments of SQL functions. */
final class Checks {

  private Checks() {}

  static TypeCheckResult success() {
    return TypeCheckResult.TypeCheckSuccess$.MODULE$;
  }

  static TypeCheckResult failure(String message) {
    return new TypeCheckResult.TypeCheckFailure(message);
  }

  /**
   * Throws if a check failed.
   *
   * @throws IllegalArgumentException with the message of the check
   */
  static void require(TypeCheckResult result) {
    if (result instanceof TypeCheckResult.TypeCheckFailure failure) {
      throw new IllegalArgumentException(failure.message());
    }
  }

  /** Checks that the type of an argument is BINARY, the type of filters. */
  static TypeCheckResult filter(String function, Expression argument) {
    DataType type = argument.dataType();
    return type.equals(DataTypes.BinaryType)
        ? success()
        : failure(
            function + " takes a filter, a BINARY that bloom_build returned, got " + type.sql());
  }

  /** Checks that the values of an argument can be hashed. */
  static TypeCheckResult value(String function, Expression argument) {
    DataType type = argument.dataType();
    try {
      ColumnStrategy.of(type);
    } catch (IllegalArgumentException e) { // thrown for the name of a field
      return failure(
          function + " cannot hash " + type.sql() + ": " + e.getMessage() + "; rename the field");
    }
    return ColumnStrategy.of(type) != null
        ? success()
        : failure(
            function
                + " takes a column of "
                + ColumnStrategy.types()
                + ", got "
                + type.sql()
                + ": cast it");
  }

  /**
   * Returns a filter if it is not null.
   *
   * @throws IllegalArgumentException if it is null
   */
  static byte[] present(String function, @Nullable Object filter) {
    if (filter == null) {
      throw new IllegalArgumentException(
          function
              + ": the filter must not be null; pass an empty filter,"
              + " or leave out the rows without a filter");
    }
    return (byte[]) filter;
  }
}
