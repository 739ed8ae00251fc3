package io.bloomkit.spark;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.expressions.Aggregator;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate that builds a filter of all rows and returns it in its file format. {@link
 * BloomAggregators} creates aggregates.
 *
 * <p>The bytes are identical to those of a filter built on one machine from the same elements,
 * whatever the partitions and their order. For no rows, the result is an empty filter.
 *
 * <pre>{@code
 * BloomAggregator<String> users =
 *     BloomAggregators.classic(HashStrategies::utf8, 1_000_000, 0.01);
 * spark.udf().register("users_filter", functions.udaf(users, Encoders.STRING())); // SQL
 * byte[] filter = names.select(users.toColumn()).first();                       // Dataset<String>
 * BuiltFilter built = users.build(names.toJavaRDD());                             // RDD
 * }</pre>
 *
 * <p><b>Nulls.</b> Null rows are skipped; {@link #countingNulls} and {@link #build} also count
 * them. Spark does not pass null rows to a typed column ({@link #toColumn}), so the count is 0 for
 * such a column. If the strategy throws for an element, for example because of a null field, the
 * job fails. Filter out such rows.
 *
 * <p><b>Cost.</b> A task allocates a filter of full size at its first element. With {@code GROUP
 * BY}, it allocates one filter per group. The task sends each filter once. The data sent is at most
 * eight bytes larger than the uncoded file of the filter. While the task sends a filter, it takes
 * up to four times the memory of the filter, including the filter itself.
 *
 * @param <T> the type of the elements
 */
public final class BloomAggregator<T> extends Aggregator<T, FilterBuffer, byte[]> {

  private static final long serialVersionUID = 1;

  private final FilterSpec<T> spec;

  BloomAggregator(FilterSpec<T> spec) {
    this.spec = spec;
  }

  /** Returns an aggregate that builds the same filter and also returns the number of null rows. */
  public Aggregator<T, FilterBuffer, BuiltFilter> countingNulls() {
    return new CountingNulls<>(this);
  }

  /**
   * Builds the filter of all elements of an RDD and counts the null elements. Runs a job. The
   * executors merge the filters by {@link JavaRDD#treeAggregate}, so the driver receives only one
   * filter.
   *
   * @return the filter in its file format and the number of null elements
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

  /** Returns an empty buffer. Called by Spark. */
  @Override
  public FilterBuffer zero() {
    return new FilterBuffer();
  }

  /** Adds an element to a buffer, or counts a null, and returns the buffer. Called by Spark. */
  @Override
  public FilterBuffer reduce(FilterBuffer buffer, @Nullable T element) {
    if (element == null) {
      buffer.skipNull();
    } else {
      buffer.add(element, spec);
    }
    return buffer;
  }

  /**
   * Moves the contents of {@code other} into {@code buffer}, which is returned. Afterwards, {@code
   * other} is empty. Called by Spark.
   */
  @Override
  public FilterBuffer merge(FilterBuffer buffer, FilterBuffer other) {
    buffer.merge(other, spec);
    return buffer;
  }

  /** Returns the filter of a buffer in its file format. Called by Spark. */
  @Override
  public byte[] finish(FilterBuffer buffer) {
    return buffer.toFile(spec);
  }

  /** Returns the encoder of buffers. Called by Spark. */
  @Override
  public Encoder<FilterBuffer> bufferEncoder() {
    return Encoders.bean(FilterBuffer.class);
  }

  /** Returns the encoder of results, which are byte arrays. Called by Spark. */
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
