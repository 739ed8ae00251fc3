package io.bloomkit.bench.run;

/** The measured operations, in their order. */
public enum Operation {
  ADD("add"),
  ADD_USED("add, result used"),
  QUERY_PRESENT("query, present"),
  QUERY_ABSENT("query, absent"),
  QUERY_MIXED("query, mixed"),
  REMOVE("remove"),
  BATCH_ADD("batch add"),
  BATCH_QUERY_PRESENT("batch query, present"),
  BATCH_QUERY_ABSENT("batch query, absent"),
  BATCH_REMOVE("batch remove");

  public final String label;

  Operation(String label) {
    this.label = label;
  }

  /** Returns whether the operation takes many keys per call. */
  public boolean isBatch() {
    return compareTo(BATCH_ADD) >= 0;
  }

  /** Returns whether the operation fills an empty filter. */
  boolean isAddition() {
    return this == ADD || this == ADD_USED || this == BATCH_ADD;
  }

  boolean isQuery() {
    return !isAddition() && !isRemoval();
  }

  boolean isRemoval() {
    return this == REMOVE || this == BATCH_REMOVE;
  }

  /**
   * Returns the corresponding operation for single keys, which is this operation unless it is a
   * batch.
   */
  public Operation single() {
    return switch (this) {
      case BATCH_ADD -> ADD;
      case BATCH_QUERY_PRESENT -> QUERY_PRESENT;
      case BATCH_QUERY_ABSENT -> QUERY_ABSENT;
      case BATCH_REMOVE -> REMOVE;
      default -> this;
    };
  }

  /** Returns the name of the metric for the time per operation, in nanoseconds. */
  public String time() {
    return name();
  }

  /** Returns the name of the metric for the allocated bytes per operation. */
  String allocation() {
    return name() + "_BYTES";
  }
}
