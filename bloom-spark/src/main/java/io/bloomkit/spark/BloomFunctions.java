package io.bloomkit.spark;

import io.bloomkit.classic.ClassicBloomFilter;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.errors.QueryCompilationErrors;
import scala.Function1;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;

/**
 * SQL functions on filters. {@link #register} adds the functions to one session, and {@link
 * BloomExtensions} adds them to all sessions of an application such as {@code spark-sql}. In the
 * Dataset API, call them by {@code functions.call_function}.
 *
 * <table>
 * <caption>Functions</caption>
 * <tr><th>call<th>returns
 * <tr><td>{@code bloom_build(value, expected, fpp[, kind])}
 * <td>the filter of all non-null values; an empty filter if there are none. {@code expected} and
 * {@code fpp} are those of {@link BloomAggregators}. The kind is 'classic' by default, or
 * 'blocked', 'counting', 'blocked-counting' or 'dynamic-cuckoo'. {@code expected}, {@code fpp} and
 * {@code kind} must be non-null constants
 * <tr><td>{@code bloom_might_contain(filter, value)}
 * <td>null for a null value; true for a struct with a null field; for any other value, false if it
 * is certainly not in the filter, otherwise true
 * <tr><td>{@code bloom_merge(filter)}
 * <td>the union of all non-null filters, which must be of one kind, size and strategy; null if
 * there are none
 * <tr><td>{@code bloom_subtract(a, b)}
 * <td>the filter a without the elements of b; both must be of the same kind, which is 'counting',
 * 'blocked-counting' or 'dynamic-cuckoo'
 * <tr><td>{@code bloom_remove(filter, value)}
 * <td>the filter with one occurrence of the value removed; unchanged if the value is null, has a
 * null field or is certainly absent. The filter must be of one of the three kinds of {@code
 * bloom_subtract}
 * <tr><td>{@code bloom_info(filter)}
 * <td>a struct: kind, strategy (its id), net_insertions (insertions less removals, null if
 * unknown), approximate_elements (null if the filter is too full for an estimate), expected_fpp,
 * positions (bits or counters) and hashes (both null if filters of the kind have none),
 * memory_bytes, file_bytes
 * </table>
 *
 * <p>A filter is a BINARY value in Bloomkit's file format, written by these functions or in Java.
 * Values are STRING, BINARY, BIGINT, INT or a STRUCT of these types. They are hashed by {@link
 * io.bloomkit.hash.HashStrategies#utf8 utf8}, {@link io.bloomkit.hash.HashStrategies#bytes bytes},
 * {@link io.bloomkit.hash.HashStrategies#longs longs}, {@link io.bloomkit.hash.HashStrategies#ints
 * ints} or, for a struct, the {@link io.bloomkit.hash.HashStrategies#composite composite} of its
 * fields with their names. Cast values of other types to one of these, and use the same type for
 * building and for queries. {@code bloom_build} skips structs with a null field. CHAR(n) is hashed
 * with its padding, so use the same n for building and for queries.
 *
 * <p><b>Errors.</b> When Spark analyzes the query, it refuses a wrong type, an unknown kind, and an
 * {@code expected} or {@code fpp} that {@link BloomAggregators} refuses. The query fails when it
 * reads a filter that is damaged, that is null (except in {@code bloom_merge}), or whose strategy
 * does not match the type of the value. It also fails when it combines filters of different kinds,
 * sizes or strategies, or when a subtraction would make a count negative. If filter {@code b} of
 * {@code bloom_subtract} contains elements that filter {@code a} does not contain, but no count
 * becomes negative, the subtraction takes counts from other elements without an error.
 *
 * <p><b>Cost.</b> {@code bloom_might_contain} decodes the filter of a row only if it differs from
 * the filter of the previous row. Therefore a constant or a scalar subquery is decoded once per
 * task. {@code bloom_remove} reads and writes the whole filter for each row. To remove many values,
 * build a filter of them and subtract it.
 */
public final class BloomFunctions {

  private record Function(
      String name,
      String usage,
      Class<?> expression,
      List<Integer> argumentCounts,
      Function1<Seq<Expression>, Expression> builder) {

    Expression build(Seq<Expression> arguments) {
      if (!argumentCounts.contains(arguments.size())) {
        throw Scala.<RuntimeException>sneak(
            QueryCompilationErrors.wrongNumArgsError(
                name, Scala.seq(argumentCounts), arguments.size(), "", "", ""));
      }
      return builder.apply(arguments);
    }

    ExpressionInfo info() {
      return new ExpressionInfo(
          expression.getName(), null, name, usage, "", "", "", "", "", "", "java_udf");
    }
  }

  private static final List<Function> FUNCTIONS =
      List.of(
          new Function(
              "bloom_build",
              "_FUNC_(value, expected, fpp[, kind]) - Returns the Bloom filter of all values.",
              BuildFilter.class,
              List.of(3, 4),
              BloomFunctions::build),
          new Function(
              "bloom_might_contain",
              "_FUNC_(filter, value) - Returns false if the filter certainly lacks the value.",
              MightContain.class,
              List.of(2),
              a -> new MightContain(a.apply(0), a.apply(1))),
          new Function(
              "bloom_merge",
              "_FUNC_(filter) - Returns the union of all filters.",
              MergeFilters.class,
              List.of(1),
              a -> new MergeFilters(a, 0, 0)),
          new Function(
              "bloom_subtract",
              "_FUNC_(a, b) - Returns filter a without the elements of filter b.",
              FilterFunction.class,
              List.of(2),
              a -> new FilterFunction(FilterFunction.Operation.SUBTRACT, a)),
          new Function(
              "bloom_remove",
              "_FUNC_(filter, value) - Returns the filter with one occurrence removed.",
              FilterFunction.class,
              List.of(2),
              a -> new FilterFunction(FilterFunction.Operation.REMOVE, a)),
          new Function(
              "bloom_info",
              "_FUNC_(filter) - Returns the kind, size and contents of a filter.",
              FilterFunction.class,
              List.of(1),
              a -> new FilterFunction(FilterFunction.Operation.INFO, a)));

  private BloomFunctions() {}

  private static Expression build(Seq<Expression> arguments) {
    Seq<Expression> all = arguments;
    if (arguments.size() < 4) {
      Expression kind = Literal$.MODULE$.apply(ClassicBloomFilter.KIND.label());
      all = Scala.seq(List.of(arguments.apply(0), arguments.apply(1), arguments.apply(2), kind));
    }
    return new BuildFilter(all, 0, 0);
  }

  /**
   * Adds all functions to a session. Replaces existing functions with the same names.
   *
   * @throws IllegalArgumentException if the session is a Spark Connect client; start its server
   *     with {@link BloomExtensions} instead
   */
  public static void register(SparkSession session) {
    if (!(session instanceof org.apache.spark.sql.classic.SparkSession classic)) {
      throw new IllegalArgumentException(
          "cannot add functions to a Spark Connect client: start the server with"
              + " spark.sql.extensions="
              + BloomExtensions.class.getName());
    }
    FunctionRegistry registry = classic.sessionState().functionRegistry();
    for (Function function : FUNCTIONS) {
      registry.registerFunction(
          new FunctionIdentifier(
              function.name(),
              Option.apply(CatalogManager.SESSION_NAMESPACE()),
              Option.apply(CatalogManager.SYSTEM_CATALOG_NAME())),
          function.info(),
          function::build);
    }
  }

  static void inject(SparkSessionExtensions extensions) {
    for (Function function : FUNCTIONS) {
      extensions.injectFunction(
          new Tuple3<>(new FunctionIdentifier(function.name()), function.info(), function::build));
    }
  }
}
