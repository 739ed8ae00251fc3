package io.bloomkit.format;

import io.bloomkit.MembershipFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A filter that can be written to a file and read again with the same strategy on any machine. Each
 * class of filters has the methods that read its files. See docs/format.md for the format.
 *
 * <p>Equal filters with equal element counts and plans are written as equal bytes.
 *
 * <p>The file contains the id and fingerprint of the strategy, so reading with another strategy
 * throws {@link FilterFormatException}. The file does not contain the secret key of a keyed
 * strategy. The file does not record whether the filter is concurrent.
 *
 * <p>Writing does not modify the filter. It must not run concurrently with modifications of the
 * filter; a happens-before edge from earlier modifications is required.
 *
 * @param <T> the type of the elements
 */
public interface StorableFilter<T> extends MembershipFilter<T> {

  /**
   * Returns the contents to be written to a file of this filter. They are a view of the filter and
   * are invalid once the filter changes. For authors of filters and tools; use {@link
   * #writeTo(Path)} to write the filter.
   */
  FilterContents contents();

  /**
   * Writes this filter to a stream. Other filters may be written to the same stream before and
   * after.
   *
   * <p>An array of bits, counters or buckets is compressed if at most about a fifth of its bits are
   * set. A compressed array takes between 1/14 and 3/4 of its uncompressed size.
   *
   * @param out neither flushed nor closed; needs no buffering
   * @throws IOException if the stream fails
   * @throws IllegalStateException if a concurrent change of the filter is detected
   * @throws NullPointerException if the argument is null
   */
  default void writeTo(OutputStream out) throws IOException {
    contents().writeTo(out);
  }

  /**
   * Writes this filter to a file by atomic replace. After a crash at any moment, there is either
   * the complete old file or the complete new file. See {@link FilterContents#writeTo(Path)} for
   * the details.
   *
   * @throws IOException if the file cannot be written, or is not a regular file. The last step
   *     syncs the directory to disk; if it fails, an old file has already been replaced. After any
   *     other failure, an old file is unchanged.
   * @throws IllegalStateException if a concurrent change of the filter is detected; an old file is
   *     then unchanged
   * @throws NullPointerException if the argument is null
   */
  default void writeTo(Path file) throws IOException {
    contents().writeTo(file);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if an array cannot hold the bytes, or if a concurrent change of
   *     the filter is detected
   */
  default byte[] toBytes() {
    return contents().toBytes();
  }
}
