package io.bloomkit.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.util.AccumulatorV2;

/**
 * Counts the rows that a filter drops. Spark may compute a partition more than once, to sample it
 * before a sort or after a failure. So the accumulator keeps one count per partition, the largest.
 *
 * <p>Each task counts in its own copy, without a lock. The counts of ended tasks are merged and
 * read under a lock, by several threads.
 */
final class SparedRows extends AccumulatorV2<Boolean, Long> {

  private static final long serialVersionUID = 1;

  private static final int NONE = -1;

  /**
   * The partition of the task that counts here. Stored because Spark clears the task context before
   * it collects the count.
   */
  private int partition = NONE;

  private long dropped;

  /** The counts of the tasks that have ended. */
  @SuppressWarnings("serial") // a HashMap
  private final Map<Integer, Long> droppedByPartition = new HashMap<>();

  @Override
  public void add(Boolean isDropped) {
    count(isDropped);
  }

  /**
   * Counts a row if it is dropped, without boxing. Counts nothing outside a task, where Spark only
   * plans the query.
   */
  void count(boolean isDropped) {
    if (isDropped) {
      if (partition == NONE) {
        if (TaskContext.get() == null) {
          return;
        }
        partition = TaskContext.getPartitionId();
      }
      dropped++;
    }
  }

  private synchronized Map<Integer, Long> byPartition() {
    Map<Integer, Long> all = new HashMap<>(droppedByPartition);
    if (partition != NONE) {
      all.merge(partition, dropped, Math::max);
    }
    return all;
  }

  @Override
  public synchronized void merge(AccumulatorV2<Boolean, Long> other) {
    ((SparedRows) other)
        .byPartition()
        .forEach((part, rows) -> droppedByPartition.merge(part, rows, Math::max));
  }

  @Override
  public Long value() {
    return byPartition().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public synchronized boolean isZero() {
    return partition == NONE && droppedByPartition.isEmpty();
  }

  @Override
  public AccumulatorV2<Boolean, Long> copy() {
    SparedRows copy = new SparedRows();
    copy.droppedByPartition.putAll(byPartition());
    return copy;
  }

  @Override
  public synchronized void reset() {
    partition = NONE;
    dropped = 0;
    droppedByPartition.clear();
  }
}
