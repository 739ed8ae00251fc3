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
 * Functions on filters for SQL, and by {@code functions.call_function} for columns. {@link
 * #register} adds them to a session; {@link BloomExtensions} to every one of a program, such as
 * {@code spark-sql}.
 *
 * <table>
 * <caption>Functions</caption>
 * <tr><th>call<th>returns
 * <tr><td>{@code bloom_build(value, expected, fpp[, kind])}
 * <td>the filter of all values, null ones left out; of no rows an empty one. The size is that of
 * {@link BloomAggregators}; the kind is 'classic' by default, or 'blocked', 'counting',
 * 'blocked-counting' or 'dynamic-cuckoo'
 * <tr><td>{@code bloom_might_contain(filter, value)}
 * <td>false if the value is certainly not in the filter; null for a null value; true for a struct
 * with a null field, of which a filter can say nothing
 * <tr><td>{@code bloom_merge(filter)}
 * <td>the filter that holds what all filters of the rows hold, null ones left out; null if there is
 * none
 * <tr><td>{@code bloom_subtract(a, b)}
 * <td>a counting filter that holds what a holds and b does not
 * <tr><td>{@code bloom_remove(filter, value)}
 * <td>a counting filter with one occurrence of the value less; unchanged if the value is null or
 * certainly absent
 * <tr><td>{@code bloom_info(filter)}
 * <td>a struct: kind, strategy, elements (null if unknown), approximate_elements, expected_fpp,
 * positions and hashes (null if filters of the kind have none), memory_bytes, file_bytes
 * </table>
 *
 * <p>A filter is a BINARY in the file format, whatever built it. Values are STRING, BINARY, BIGINT,
 * INT or a STRUCT of these, hashed by the ready-made strategy of that type; filters hold no struct
 * with a null field. CHAR(n) is hashed with its padding, which a comparison may lengthen: give both
 * sides one length. Other types are to be cast, to the same on both sides.
 *
 * <p><b>Errors.</b> A wrong type, or a size that is not possible, is refused when the query is
 * analysed. A filter that is damaged, null, of another strategy, or of another kind or size than
 * the one that it meets, ends the query, when a value meets it, with an error that names both: a
 * null filter would else drop rows in silence.
 *
 * <p><b>Cost.</b> {@code bloom_might_contain} reads a filter once as long as it stays the same from
 * row to row: a constant or a scalar subquery. {@code bloom_remove} reads and writes the whole
 * filter: to remove many values, build a filter of them and subtract it.
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
              a -> new MergeFilters(a.apply(0), 0, 0)),
          new Function(
              "bloom_subtract",
              "_FUNC_(a, b) - Returns counting filter a without the elements of b.",
              FilterFunction.class,
              List.of(2),
              a -> new FilterFunction(FilterFunction.Operation.SUBTRACT, a)),
          new Function(
              "bloom_remove",
              "_FUNC_(filter, value) - Returns the counting filter with one occurrence less.",
              FilterFunction.class,
              List.of(2),
              a -> new FilterFunction(FilterFunction.Operation.REMOVE, a)),
          new Function(
              "bloom_info",
              "_FUNC_(filter) - Says what a filter is and holds.",
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
   * Adds all functions to a session; those of the same names are replaced.
   *
   * @throws IllegalArgumentException if the session is that of a client of Spark Connect
   */
  public static void register(SparkSession session) {
    if (!(session instanceof org.apache.spark.sql.classic.SparkSession classic)) {
      throw new IllegalArgumentException(
          "functions are added where the expressions are planned: start the server with"
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
