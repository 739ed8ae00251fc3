package io.bloomkit.spark;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
 * Passes the first row of each key of a stream and drops repeated rows, with state of limited size.
 * Each key belongs to one bucket by its hash. The state is one {@link ExpiringCuckooFilter} per
 * bucket; keys are not stored. Rows with a null key all pass.
 *
 * <pre>{@code
 * StreamDeduplicator<Click, String> firstClicks =
 *     new StreamDeduplicator<>(Click::getUser, HashStrategies::utf8, 16, 1_000_000, 0.001);
 * Dataset<Click> first = firstClicks.deduplicate(clicks);
 * }</pre>
 *
 * <p><b>What is certain.</b> A row does not pass if its key occurs in the {@code rowsPerBucket}
 * preceding rows of its bucket, repeated rows included. This also holds after a restart from the
 * checkpoint. Spark repeats a failed batch with the state before that batch. So a sink that writes
 * each batch exactly once, such as files, gets each passed row once.
 *
 * <p><b>What is not certain.</b> The first row of a key is mistaken for a repeat and dropped with a
 * probability of at most {@code fpp}. A row may or may not pass if its key occurred earlier, but
 * not within the last {@code rowsPerBucket} rows of its bucket. Spark does not keep the order of
 * rows within a batch.
 *
 * <p><b>Cost.</b> A batch reads and writes the filter of every bucket for which it has rows. At an
 * {@code fpp} of 0.1 %, a filter takes about 20 bits in memory, and 17 in the state, for each
 * distinct key of the last {@code rowsPerBucket} rows. Choose at least one bucket per core of the
 * cluster. To remember N rows in all, set {@code rowsPerBucket} to N / {@code buckets}. Choose
 * enough buckets to keep each filter within a few megabytes.
 *
 * @param <T> the type of the rows
 * @param <K> the type of the keys
 */
public final class StreamDeduplicator<T, K> implements Serializable {

  private static final long serialVersionUID = 1;

  /**
   * The seed of the hash that chooses a bucket. It makes the choice independent of the positions in
   * the filter.
   */
  private static final long BUCKET_SEED = 0x6275636b6574L;

  private final MapFunction<T, K> key;
  private final StrategySource<K> strategy;
  private final int buckets;
  private final long rowsPerBucket;
  private final double fpp;

  private transient @Nullable HashStrategy<? super K> bucketStrategy;

  /**
   * Creates a deduplicator. A query that restarts from a checkpoint must use the same strategy,
   * {@code buckets}, {@code rowsPerBucket} and {@code fpp}. Otherwise, it fails at the first row of
   * a bucket that has a state.
   *
   * @param key the function that returns the key of a row; all rows with a null key pass, and one
   *     task processes them
   * @param strategy the source of the strategy that hashes the keys
   * @param buckets the number of filters, at least 1; each key belongs to one filter by its hash
   * @param rowsPerBucket the number of most recent rows whose keys a bucket remembers, repeats
   *     included; at least 1
   * @param fpp the probability that the first row of a key is mistaken for a repeat, in (0, 1)
   * @throws NullPointerException if {@code key} or {@code strategy} is null
   * @throws IllegalArgumentException if {@code buckets}, {@code rowsPerBucket} or {@code fpp} is
   *     out of range
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
      throw new IllegalArgumentException("buckets must be at least 1, got " + buckets);
    }
    if (rowsPerBucket < 1) {
      throw new IllegalArgumentException("rowsPerBucket must be at least 1, got " + rowsPerBucket);
    }
    this.buckets = buckets;
    this.rowsPerBucket = rowsPerBucket;
    this.fpp = fpp;
    builder(); // checks the rest
  }

  /**
   * Returns the rows that pass. Runs no job. The query must use the output mode append.
   *
   * @param rows a streaming dataset
   */
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
   * Returns a builder whose strategy is seeded with the number of buckets. A state written with
   * another number is then refused.
   */
  private ExpiringCuckooFilter.Builder<? super K> builder() {
    return builder(HashStrategies.seeded(strategy.get(), buckets));
  }

  private <S> ExpiringCuckooFilter.Builder<S> builder(HashStrategy<S> hash) {
    return ExpiringCuckooFilter.builder(hash).expecting(rowsPerBucket, fpp).window(rowsPerBucket);
  }

  private Iterator<T> pass(Integer bucket, Iterator<T> rows, GroupState<byte[]> state) {
    return new FirstRows(rows, state.exists() ? read(state.get()) : builder().build(), state);
  }

  private ExpiringCuckooFilter<K> read(byte[] bytes) {
    try {
      return builder().fromBytes(bytes);
    } catch (FilterFormatException e) {
      throw new IllegalStateException(
          "cannot read the state of the stream: strategy, buckets, rowsPerBucket and fpp must be"
              + " the same as when the checkpoint was created; "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Iterates over the rows that pass, and saves the state after the last one. Takes a block of rows
   * at once, which costs less per row.
   */
  private final class FirstRows implements Iterator<T> {

    private static final int BLOCK = 1 << 12;

    private final Iterator<T> rows;
    private final ExpiringCuckooFilter<K> filter;
    private final GroupState<byte[]> state;
    private final List<T> block = new ArrayList<>();
    private final boolean[] passes = new boolean[BLOCK];

    /** The index in the block of the row that is passed next, or of one that does not pass. */
    private int next;

    private boolean kept;

    FirstRows(Iterator<T> rows, ExpiringCuckooFilter<K> filter, GroupState<byte[]> state) {
      this.rows = rows;
      this.filter = filter;
      this.state = state;
    }

    @Override
    public boolean hasNext() {
      while (true) {
        while (next < block.size() && !passes[next]) {
          next++;
        }
        if (next < block.size()) {
          return true;
        }
        if (!rows.hasNext()) {
          keep();
          return false;
        }
        readBlock();
      }
    }

    private void keep() {
      if (!kept) {
        state.update(filter.toBytes());
        kept = true;
      }
    }

    private void readBlock() {
      block.clear();
      next = 0;
      List<K> keys = new ArrayList<>();
      while (block.size() < BLOCK && rows.hasNext()) {
        T row = rows.next();
        K present = key(row);
        passes[block.size()] = present == null;
        block.add(row);
        if (present != null) {
          keys.add(present);
        }
      }
      long[] hashes = filter.strategy().hashAll(keys);
      boolean[] wasNew = new boolean[hashes.length];
      filter.addHashes(hashes, 0, hashes.length, wasNew);
      for (int i = 0, at = 0; i < block.size(); i++) {
        passes[i] = passes[i] || wasNew[at++];
      }
    }

    private @Nullable K key(T row) {
      try {
        return key.call(row);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("cannot extract the key of a row", e);
      }
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return block.get(next++);
    }
  }
}
