package io.bloomkit.spark;

/** A built filter and the number of null rows it skipped. A mutable bean, not thread-safe. */
public final class BuiltFilter {

  private byte[] filter = {};
  private long nulls;

  /** Returns a bean whose properties are still to be set. */
  public BuiltFilter() {}

  BuiltFilter(byte[] filter, long nulls) {
    this.filter = filter;
    this.nulls = nulls;
  }

  /** Returns the filter in its file format, not copied; empty until it is set. */
  public byte[] getFilter() {
    return filter;
  }

  /** Sets the filter, not copied. */
  public void setFilter(byte[] filter) {
    this.filter = filter;
  }

  /** Returns how many rows were null. */
  public long getNulls() {
    return nulls;
  }

  /** Sets how many rows were null. */
  public void setNulls(long nulls) {
    this.nulls = nulls;
  }
}
