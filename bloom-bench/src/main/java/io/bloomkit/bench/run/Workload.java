package io.bloomkit.bench.run;

/**
 * A filter, the keys that it is to hold, and keys that it is not to hold. Of one class in a class
 * loader, as is the filter, so that the loops over the keys call one target. Public, since {@link
 * OwnClasses} makes it from another class loader.
 */
public abstract class Workload {

  /** Puts an empty filter into the place of the one before. */
  public abstract void renew(int strategy);

  /** Returns the bits that the filter takes. */
  public abstract long bits();

  /** Adds the keys of a range and ignores the results. */
  public abstract void add(int from, int to);

  /** Adds the keys of a range and returns how many of them the filter reports as new. */
  public abstract int addUsed(int from, int to);

  /** Returns how many keys of a range that were added are positive. */
  public abstract int queryPresent(int from, int to);

  /** Returns how many keys of a range that were not added are positive. */
  public abstract int queryAbsent(int from, int to);

  /**
   * Queries keys that are present and keys that are absent, in random order and about as many of
   * either, and returns the number of positives.
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
   * Does an operation with a range of the keys.
   *
   * @return the number of positives of a query, the number of new keys of {@link
   *     Operation#ADD_USED}, else 0
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
