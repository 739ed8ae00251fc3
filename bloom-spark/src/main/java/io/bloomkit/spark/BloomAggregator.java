package io.bloomkit.spark;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.expressions.Aggregator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a filter of all rows and returns it in its file format, byte for byte what one machine
 * writes after it has added the same elements, whatever the partitions and their order. Rows that
 * are null are skipped and counted; but Spark shows a typed column ({@link #toColumn}) no null
 * elements, so there they are skipped only. Over no rows it is an empty filter. {@link
 * BloomAggregators} makes them.
 *
 * <pre>{@code
 * BloomAggregator<String> users =
 *     BloomAggregators.classic(HashStrategies::utf8, 1_000_000, 0.01);
 * spark.udf().register("users_filter", functions.udaf(users, Encoders.STRING())); // SQL
 * byte[] filter = names.select(users.toColumn()).first();                       // Dataset<String>
 * BuiltFilter built = users.build(names.toJavaRDD());                             // RDD
 * }</pre>
 *
 * <p>An element with a null in it that the strategy does not take ends the job: leave such rows
 * out.
 *
 * <p><b>Cost.</b> Every task holds a filter of full size, and each that saw an element sends it
 * once, in at most the bytes of the file format without gap coding; to do so it takes three times
 * that memory.
 *
 * @param <T> the type of the elements
 */
public final class BloomAggregator<T> extends Aggregator<T, FilterBuffer, byte[]> {

  private static final long serialVersionUID = 1;

  private final FilterSpec<T> spec;

  BloomAggregator(FilterSpec<T> spec) {
    this.spec = spec;
  }

  /** Returns this aggregate with another result: the filter and how many rows were null. */
  public Aggregator<T, FilterBuffer, BuiltFilter> countingNulls() {
    return new CountingNulls<>(this);
  }

  /**
   * Builds the filter of all elements of an RDD, by {@link JavaRDD#treeAggregate} on the executors:
   * no machine merges the filters of all partitions, and one filter comes to the driver.
   */
  public BuiltFilter build(JavaRDD<T> elements) {
    byte[] bytes =
        elements
            .mapPartitions(this::buildPartition)
            .treeAggregate(zero().getBytes(), this::mergeBytes, this::mergeBytes, 2, true);
    return countingNulls().finish(FilterBuffer.of(bytes));
  }

  private Iterator<byte[]> buildPartition(Iterator<T> elements) {
    FilterBuffer buffer = zero();
    elements.forEachRemaining(element -> reduce(buffer, element));
    return List.of(buffer.getBytes()).iterator();
  }

  private byte[] mergeBytes(byte[] a, byte[] b) {
    return merge(FilterBuffer.of(a), FilterBuffer.of(b)).getBytes();
  }

  @Override
  public FilterBuffer zero() {
    return new FilterBuffer();
  }

  @Override
  public FilterBuffer reduce(FilterBuffer buffer, @Nullable T element) {
    if (element == null) {
      buffer.skipNull();
    } else {
      buffer.add(element, spec);
    }
    return buffer;
  }

  @Override
  public FilterBuffer merge(FilterBuffer buffer, FilterBuffer other) {
    buffer.merge(other, spec);
    return buffer;
  }

  @Override
  public byte[] finish(FilterBuffer buffer) {
    return buffer.toFile(spec);
  }

  @Override
  public Encoder<FilterBuffer> bufferEncoder() {
    return Encoders.bean(FilterBuffer.class);
  }

  @Override
  public Encoder<byte[]> outputEncoder() {
    return Encoders.BINARY();
  }

  private static final class CountingNulls<T> extends Aggregator<T, FilterBuffer, BuiltFilter> {

    private static final long serialVersionUID = 1;

    private final BloomAggregator<T> aggregator;

    CountingNulls(BloomAggregator<T> aggregator) {
      this.aggregator = aggregator;
    }

    @Override
    public FilterBuffer zero() {
      return aggregator.zero();
    }

    @Override
    public FilterBuffer reduce(FilterBuffer buffer, @Nullable T element) {
      return aggregator.reduce(buffer, element);
    }

    @Override
    public FilterBuffer merge(FilterBuffer buffer, FilterBuffer other) {
      return aggregator.merge(buffer, other);
    }

    @Override
    public BuiltFilter finish(FilterBuffer buffer) {
      return new BuiltFilter(aggregator.finish(buffer), buffer.nulls());
    }

    @Override
    public Encoder<FilterBuffer> bufferEncoder() {
      return aggregator.bufferEncoder();
    }

    @Override
    public Encoder<BuiltFilter> outputEncoder() {
      return Encoders.bean(BuiltFilter.class);
    }
  }
}
