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
   * Ends what failed.
   *
   * @throws IllegalArgumentException if it did
   */
  static void require(TypeCheckResult result) {
    if (result instanceof TypeCheckResult.TypeCheckFailure failure) {
      throw new IllegalArgumentException(failure.message());
    }
  }

  /** Checks that an argument is a filter, as far as its type tells. */
  static TypeCheckResult filter(String function, Expression argument) {
    DataType type = argument.dataType();
    return type.equals(DataTypes.BinaryType)
        ? success()
        : failure(
            function
                + " takes a filter, a BINARY that bloom_build returned, but here it is "
                + type.sql());
  }

  /** Checks that an argument is a column whose values have a strategy. */
  static TypeCheckResult value(String function, Expression argument) {
    DataType type = argument.dataType();
    try {
      ColumnStrategy.of(type);
    } catch (IllegalArgumentException e) { // the name of a field
      return failure(
          function + " cannot hash " + type.sql() + ": " + e.getMessage() + "; rename the field");
    }
    return ColumnStrategy.of(type) != null
        ? success()
        : failure(
            function
                + " takes a column of "
                + ColumnStrategy.types()
                + " but here it is "
                + type.sql()
                + ": cast it");
  }

  /**
   * Returns a filter that is there.
   *
   * @throws IllegalArgumentException if it is null
   */
  static byte[] present(String function, @Nullable Object filter) {
    if (filter == null) {
      throw new IllegalArgumentException(
          function
              + ": the filter is null, which would leave its rows unanswered; build one of no rows,"
              + " or leave these rows out");
    }
    return (byte[]) filter;
  }
}
