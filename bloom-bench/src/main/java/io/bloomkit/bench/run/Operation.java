package io.bloomkit.bench.run;

/** What is done with all keys of a run, in this order. */
public enum Operation {
  ADD("add"),
  QUERY_PRESENT("query, present"),
  QUERY_ABSENT("query, absent"),
  REMOVE("remove"),
  BATCH_ADD("batch add"),
  BATCH_QUERY_PRESENT("batch query, present"),
  BATCH_QUERY_ABSENT("batch query, absent"),
  BATCH_REMOVE("batch remove");

  public final String label;

  Operation(String label) {
    this.label = label;
  }

  public boolean isBatch() {
    return compareTo(BATCH_ADD) >= 0;
  }

  boolean isRemoval() {
    return this == REMOVE || this == BATCH_REMOVE;
  }

  /** Returns the form for many keys of a single one, or the single form of one for many. */
  public Operation otherForm() {
    return values()[(ordinal() + BATCH_ADD.ordinal()) % values().length];
  }

  /** Returns the name of the metric of the nanoseconds that one takes. */
  public String time() {
    return name();
  }

  /** Returns the name of the metric of the bytes that one allocates. */
  public String allocation() {
    return name() + "_BYTES";
  }
}
