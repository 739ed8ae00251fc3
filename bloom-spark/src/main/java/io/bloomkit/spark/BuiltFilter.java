package io.bloomkit.spark;

/** A filter that was built, and how many rows it does not hold because they were null. A bean. */
public final class BuiltFilter {

  private byte[] filter = {};
  private long nulls;

  /** Returns a bean whose properties are still to be set. */
  public BuiltFilter() {}

  BuiltFilter(byte[] filter, long nulls) {
    this.filter = filter;
    this.nulls = nulls;
  }

  /** Returns the filter in its file format, not copied. */
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
