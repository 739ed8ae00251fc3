package io.bloomkit.spark;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.scalable.aging.AgingBloomFilter;
import java.io.Serializable;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.api.java.function.FlatMapGroupsWithStateFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.GroupState;
import org.apache.spark.sql.streaming.GroupStateTimeout;
import org.apache.spark.sql.streaming.OutputMode;
import org.jspecify.annotations.Nullable;

/**
 * Lets the first row of each key of a stream pass, in memory that does not grow: the state is an
 * {@link AgingBloomFilter} for each bucket of keys, and no key.
 *
 * <pre>{@code
 * StreamDeduplicator<Click, String> firstClicks =
 *     new StreamDeduplicator<>(Click::getUser, HashStrategies::utf8, 16, 1_000_000, 0.001);
 * Dataset<Click> first = firstClicks.deduplicate(clicks);
 * }</pre>
 *
 * <p><b>What is certain.</b> A row whose key is among the last ones of its bucket, as many as were
 * asked for, repeats included, does not pass; also not if the query stopped in between, for
 * whatever reason, and goes on from its checkpoint. A batch that is repeated after a failure begins
 * with the state before it. So with a sink that writes every batch once, such as files, every row
 * that passes comes out once.
 *
 * <p><b>What is likely.</b> A first row is taken for a repeat and lost with at most the probability
 * asked for. The order of rows within a batch is not kept by Spark.
 *
 * <p><b>Cost.</b> A batch reads and writes the filter of every bucket that it has rows for: 28 bits
 * for each row to remember, at 0.1 %. Many small buckets spread over the cluster; state of more
 * than a few megabytes a bucket slows batches down.
 *
 * @param <T> the type of the rows
 * @param <K> the type of the keys
 */
public final class StreamDeduplicator<T, K> implements Serializable {

  private static final long serialVersionUID = 1;

  /** Of the hash that chooses a bucket, so that it says nothing of the positions in its filter. */
  private static final long BUCKET_SEED = 0x6275636b6574L;

  private final MapFunction<T, K> key;
  private final StrategySource<K> strategy;
  private final int buckets;
  private final long rowsPerBucket;
  private final double fpp;

  private transient @Nullable HashStrategy<? super K> bucketStrategy;

  /**
   * Makes an operator.
   *
   * @param key takes the key from a row; every row whose key is null passes, by way of one task
   * @param strategy hashes the keys
   * @param buckets how many filters there are, at least 1; not to be changed while there is a
   *     checkpoint, nor are the following two: that is refused as soon as a row comes to a bucket
   *     that has a state
   * @param rowsPerBucket of how many of its last rows, repeats included, a bucket knows the keys
   * @param fpp the probability that a first row is taken for a repeat, between 0 and 1, both
   *     excluded
   * @throws IllegalArgumentException if a number is out of its range
   */
  public StreamDeduplicator(
      MapFunction<T, K> key,
      StrategySource<K> strategy,
      int buckets,
      long rowsPerBucket,
      double fpp) {
    this.key = Objects.requireNonNull(key, "key");
    this.strategy = Objects.requireNonNull(strategy, "strategy");
    if (buckets < 1) {
      throw new IllegalArgumentException("buckets must be at least 1 but is " + buckets);
    }
    this.buckets = buckets;
    this.rowsPerBucket = rowsPerBucket;
    this.fpp = fpp;
    builder(); // checks the rest
  }

  /** Returns the rows that pass, for a query whose output mode is append. */
  public Dataset<T> deduplicate(Dataset<T> rows) {
    MapFunction<T, Integer> bucket = this::bucket;
    FlatMapGroupsWithStateFunction<Integer, T, byte[], T> pass = this::pass;
    return rows.groupByKey(bucket, Encoders.INT())
        .flatMapGroupsWithState(
            pass,
            OutputMode.Append(),
            Encoders.BINARY(),
            rows.encoder(),
            GroupStateTimeout.NoTimeout());
  }

  private int bucket(T row) throws Exception {
    HashStrategy<? super K> hash = bucketStrategy;
    if (hash == null) {
      hash = HashStrategies.seeded(strategy.get(), BUCKET_SEED);
      bucketStrategy = hash;
    }
    K present = key.call(row);
    return present == null ? 0 : (int) Long.remainderUnsigned(hash.hash(present), buckets);
  }

  /**
   * The strategy differs by the number of buckets, so that a state of another number is refused.
   */
  private AgingBloomFilter.Builder<? super K> builder() {
    return builder(HashStrategies.seeded(strategy.get(), buckets));
  }

  private <S> AgingBloomFilter.Builder<S> builder(HashStrategy<S> hash) {
    return AgingBloomFilter.builder(hash).rememberingLast(rowsPerBucket, fpp);
  }

  private Iterator<T> pass(Integer bucket, Iterator<T> rows, GroupState<byte[]> state) {
    return new FirstRows(rows, state.exists() ? read(state.get()) : builder().build(), state);
  }

  private AgingBloomFilter<K> read(byte[] bytes) {
    try {
      return builder().fromBytes(bytes);
    } catch (FilterFormatException e) {
      throw new IllegalStateException(
          "the state of the stream does not fit: strategy, buckets, rowsPerBucket and fpp must be"
              + " those that the checkpoint began with; "
              + e.getMessage(),
          e);
    }
  }

  /** The rows that pass; when there are no more, the state is kept. */
  private final class FirstRows implements Iterator<T> {

    private final Iterator<T> rows;
    private final AgingBloomFilter<K> filter;
    private final GroupState<byte[]> state;
    private @Nullable T next;
    private boolean kept;

    FirstRows(Iterator<T> rows, AgingBloomFilter<K> filter, GroupState<byte[]> state) {
      this.rows = rows;
      this.filter = filter;
      this.state = state;
    }

    @Override
    public boolean hasNext() {
      while (next == null && rows.hasNext()) {
        T row = rows.next();
        K present = key(row);
        if (present == null || filter.add(present)) {
          next = row;
        }
      }
      if (next == null && !kept) {
        state.update(filter.toBytes());
        kept = true;
      }
      return next != null;
    }

    private @Nullable K key(T row) {
      try {
        return key.call(row);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("the key of a row could not be taken", e);
      }
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      T row = Objects.requireNonNull(next);
      next = null;
      return row;
    }
  }
}
