package io.bloomkit.spark;

/**
 * A built filter and the number of null rows that were skipped. A mutable bean, as Spark requires;
 * not thread-safe.
 */
public final class BuiltFilter {

  private byte[] filter = {};
  private long nulls;

  /** Creates a bean with an empty array and 0 null rows. */
  public BuiltFilter() {}

  BuiltFilter(byte[] filter, long nulls) {
    this.filter = filter;
    this.nulls = nulls;
  }

  /** Returns the filter in its file format, not copied; an empty array if it was never set. */
  public byte[] getFilter() {
    return filter;
  }

  /** Sets the filter in its file format, not copied. */
  public void setFilter(byte[] filter) {
    this.filter = filter;
  }

  /** Returns the number of null rows that were skipped. */
  public long getNulls() {
    return nulls;
  }

  /** Sets the number of null rows that were skipped. */
  public void setNulls(long nulls) {
    this.nulls = nulls;
  }
}
