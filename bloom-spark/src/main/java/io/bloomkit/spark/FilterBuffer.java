package io.bloomkit.spark;

import io.bloomkit.HashBatches;
import io.bloomkit.InsertableFilter;
import io.bloomkit.format.StorableFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The buffer of an aggregate: a filter, modified in place, and the number of null rows. Internal;
 * public because the code that Spark generates calls it. Not thread-safe.
 *
 * <p>For Spark, the buffer is a bean with one property, {@code bytes}: the number of null rows in
 * eight little-endian bytes, followed by the filter in its file format, or by nothing if no element
 * was added. A filter of bits or counters that this buffer created or changed is compressed in
 * {@code bytes} only if the filter takes at least 64 bytes of memory per element.
 */
public final class FilterBuffer {

  private static final int NULL_COUNT_BYTES = Long.BYTES;

  /**
   * The minimum memory in bytes per element for gap-coding. Coding and decoding take some 200 ns
   * per element; writing and reading uncoded bytes takes some 2 ns per byte.
   */
  private static final long CODED_FROM = 64;

  private long nulls;

  /** The filter; null if no element was added, or if {@link #unread} holds the filter. */
  private @Nullable StorableFilter<?> filter;

  private byte @Nullable [] unread;

  /** Hashes still to be added to the filter; null until the first one. */
  private @Nullable HashBatches waiting;

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
   * Replaces the contents of this buffer by those of the buffer whose {@link #getBytes} returned
   * the argument. The filter is decoded when it is first needed.
   *
   * @param bytes the bytes, copied
   */
  public void setBytes(byte[] bytes) {
    nulls = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    filter = null;
    waiting = null;
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

  /** Returns a buffer with the contents that {@link #getBytes} returned. */
  static FilterBuffer of(byte[] bytes) {
    FilterBuffer buffer = new FilterBuffer();
    buffer.setBytes(bytes);
    return buffer;
  }

  /** Returns the filter in its file format; an empty filter if no element was added. */
  byte[] toFile(FilterSource<?> source) {
    return filter(source).toBytes();
  }

  private byte[] file() {
    if (filter != null) {
      addWaiting();
      return isSparse(filter) ? filter.toBytes() : filter.toUncompressedBytes();
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

  /** Adds an element by its hash. */
  void addHash(long hash, FilterSource<?> source) {
    HashBatches batches = waiting;
    if (batches == null) {
      InsertableFilter<?> filter = (InsertableFilter<?>) present(source);
      batches = HashBatches.adding(filter);
      waiting = batches;
    }
    batches.add(hash);
  }

  private void addWaiting() {
    if (waiting != null) {
      waiting.finish();
    }
  }

  /** Returns the filter with all added elements; an empty filter if there are none. */
  <T> StorableFilter<T> filter(FilterSource<T> source) {
    StorableFilter<T> present = present(source);
    addWaiting();
    return present;
  }

  /** Returns the filter, which may lack the hashes in {@link #waiting}. */
  @SuppressWarnings("unchecked") // a buffer is always used with the same source
  private <T> StorableFilter<T> present(FilterSource<T> source) {
    StorableFilter<T> present = (StorableFilter<T>) filter;
    if (present == null) {
      present = unread == null ? source.create() : source.read(unread);
      filter = present;
      unread = null;
    }
    return present;
  }

  /** Moves the contents of another buffer into this one. The other buffer is empty afterwards. */
  <T> void merge(FilterBuffer other, FilterSource<T> source) {
    nulls += other.nulls;
    if (isEmpty()) {
      filter = other.filter;
      unread = other.unread;
      waiting = other.waiting;
    } else if (!other.isEmpty()) {
      StorableFilter<T> into = filter(source);
      MergeableKinds.of(into).merge(into, other.filter(source));
    }
    other.nulls = 0;
    other.filter = null;
    other.unread = null;
    other.waiting = null;
  }
}
