package io.bloomkit.bench.run;

/**
 * A filter with its present and absent keys. A fork loads one subclass of this class and one class
 * of filter only, so that the loops over the keys call a single target.
 */
abstract class Workload {

  /** Replaces the filter by an empty one. */
  public abstract void renew();

  /** Returns the size of the filter in bits. */
  public abstract long bits();

  /** Adds the keys of a range and ignores the results. */
  public abstract void add(int from, int to);

  /** Adds the keys of a range and returns how many of them the filter reports as new. */
  public abstract int addUsed(int from, int to);

  /** Queries a range of the present keys and returns the number of positives. */
  public abstract int queryPresent(int from, int to);

  /** Queries a range of the absent keys and returns the number of positives. */
  public abstract int queryAbsent(int from, int to);

  /**
   * Queries present and absent keys in random order, in about equal numbers, and returns the number
   * of positives.
   */
  public abstract int queryMixed(int from, int to);

  public abstract void remove(int from, int to);

  public abstract void batchAdd(int from, int to);

  /** Returns the same as {@link #queryPresent}. */
  public abstract int batchQueryPresent(int from, int to);

  /** Returns the same as {@link #queryAbsent}. */
  public abstract int batchQueryAbsent(int from, int to);

  public abstract void batchRemove(int from, int to);

  /**
   * Performs an operation on a range of the keys.
   *
   * @return the number of positives of a query, the number of new keys of {@link
   *     Operation#ADD_USED}, otherwise 0
   */
  public final int run(Operation operation, int from, int to) {
    switch (operation) {
      case ADD -> add(from, to);
      case REMOVE -> remove(from, to);
      case BATCH_ADD -> batchAdd(from, to);
      case BATCH_REMOVE -> batchRemove(from, to);
      case ADD_USED -> {
        return addUsed(from, to);
      }
      case QUERY_MIXED -> {
        return queryMixed(from, to);
      }
      case QUERY_PRESENT -> {
        return queryPresent(from, to);
      }
      case QUERY_ABSENT -> {
        return queryAbsent(from, to);
      }
      case BATCH_QUERY_PRESENT -> {
        return batchQueryPresent(from, to);
      }
      case BATCH_QUERY_ABSENT -> {
        return batchQueryAbsent(from, to);
      }
    }
    return 0;
  }
}
