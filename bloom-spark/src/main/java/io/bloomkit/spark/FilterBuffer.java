package io.bloomkit.spark;

import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.StorableFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The buffer of an aggregate: a filter, modified in place, and the number of null rows. Internal;
 * public because the code that Spark generates calls it. Not thread-safe.
 *
 * <p>To Spark it is a bean with one property, {@code bytes}: the number of null rows in eight
 * little-endian bytes, followed by the filter in its file format, or by nothing if no element was
 * added. The filter is gap-coded only if it is sparse.
 */
public final class FilterBuffer {

  private static final int NULL_COUNT_BYTES = Long.BYTES;

  /** Number of hashes added per batch. In a large filter, that can halve the time. */
  private static final int BATCH = 128;

  /**
   * Bytes of memory per element from which a filter is gap-coded. To code and to decode takes some
   * 200 ns per element, to write and to read bytes as they are some 2 ns per byte
   * (docs/lab/performance.md).
   */
  private static final long CODED_FROM = 64;

  private long nulls;

  /** Null while no element was seen, or while there are bytes of it that were not read. */
  private @Nullable StorableFilter<?> filter;

  private byte @Nullable [] unread;

  /** Hashes that are not in the filter yet; null until there is one. */
  private long @Nullable [] waiting;

  private int waitingCount;

  /** Creates an empty buffer. */
  public FilterBuffer() {}

  /** Returns the buffer as bytes. Costs a pass over the filter. */
  public byte[] getBytes() {
    byte[] file = file();
    return ByteBuffer.allocate(NULL_COUNT_BYTES + file.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(nulls)
        .put(file)
        .array();
  }

  /**
   * Replaces the contents by those of a buffer whose {@link #getBytes} returned these bytes.
   * Decodes the filter when it is first needed.
   *
   * @param bytes copied
   */
  public void setBytes(byte[] bytes) {
    nulls = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    filter = null;
    waitingCount = 0;
    unread =
        bytes.length > NULL_COUNT_BYTES
            ? Arrays.copyOfRange(bytes, NULL_COUNT_BYTES, bytes.length)
            : null;
  }

  /** Returns a buffer that holds a filter in its file format, not copied. */
  static FilterBuffer ofFile(byte[] file) {
    FilterBuffer buffer = new FilterBuffer();
    buffer.unread = file;
    return buffer;
  }

  /** Returns a buffer of what {@link #getBytes} returned. */
  static FilterBuffer of(byte[] bytes) {
    FilterBuffer buffer = new FilterBuffer();
    buffer.setBytes(bytes);
    return buffer;
  }

  /** Returns the filter in its file format; an empty one if there is none yet. */
  byte[] toFile(FilterSource<?> source) {
    return filter(source).toBytes();
  }

  private byte[] file() {
    if (filter != null) {
      addWaiting(filter);
      FilterContents contents = filter.contents();
      return (isSparse(filter) ? contents : contents.uncoded()).toBytes();
    }
    return unread == null ? new byte[0] : unread;
  }

  private static boolean isSparse(StorableFilter<?> filter) {
    return filter.memoryBytes() / CODED_FROM >= filter.approximateElementCount();
  }

  void skipNull() {
    nulls++;
  }

  long nulls() {
    return nulls;
  }

  boolean isEmpty() {
    return filter == null && unread == null;
  }

  /** Adds an element. */
  <T> void add(T element, FilterSource<T> source) {
    addHash(present(source).strategy().hash(element), source);
  }

  /** Adds an element whose hash this is. */
  void addHash(long hash, FilterSource<?> source) {
    StorableFilter<?> present = present(source);
    long[] hashes = waiting;
    if (hashes == null) {
      hashes = new long[BATCH];
      waiting = hashes;
    }
    hashes[waitingCount++] = hash;
    if (waitingCount == BATCH) {
      addWaiting(present);
    }
  }

  private void addWaiting(StorableFilter<?> present) {
    if (waiting != null) {
      int count = waitingCount;
      waitingCount = 0;
      ((InsertableFilter<?>) present).addHashes(waiting, 0, count);
    }
  }

  /** Returns the filter, an empty one if there is none yet. */
  <T> StorableFilter<T> filter(FilterSource<T> source) {
    StorableFilter<T> present = present(source);
    addWaiting(present);
    return present;
  }

  /** Returns the filter without the hashes that wait. */
  @SuppressWarnings("unchecked") // a buffer is only used with the source it began with
  private <T> StorableFilter<T> present(FilterSource<T> source) {
    StorableFilter<T> present = (StorableFilter<T>) filter;
    if (present == null) {
      present = unread == null ? source.create() : source.read(unread);
      filter = present;
      unread = null;
    }
    return present;
  }

  /** Adds all that another buffer holds, which is empty afterwards. */
  <T> void merge(FilterBuffer other, FilterSource<T> source) {
    nulls += other.nulls;
    if (isEmpty()) {
      filter = other.filter;
      unread = other.unread;
      waiting = other.waiting;
      waitingCount = other.waitingCount;
    } else if (!other.isEmpty()) {
      StorableFilter<T> into = filter(source);
      MergeableKinds.of(into).merge(into, other.filter(source));
    }
    other.nulls = 0;
    other.filter = null;
    other.unread = null;
    other.waiting = null;
    other.waitingCount = 0;
  }
}
