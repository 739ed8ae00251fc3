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

  public abstract void add(int from, int to);

  /** Returns how many keys of a range that it is to hold the filter claims. */
  public abstract int queryPresent(int from, int to);

  /** Returns how many keys of a range that it is not to hold the filter claims. */
  public abstract int queryAbsent(int from, int to);

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
   * @return how many keys the filter claims if they are asked for, else 0
   */
  public final int run(Operation operation, int from, int to) {
    switch (operation) {
      case ADD -> add(from, to);
      case REMOVE -> remove(from, to);
      case BATCH_ADD -> batchAdd(from, to);
      case BATCH_REMOVE -> batchRemove(from, to);
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
