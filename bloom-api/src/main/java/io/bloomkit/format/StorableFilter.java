package io.bloomkit.format;

import io.bloomkit.MembershipFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A filter that can be written to a file and read again on any machine with the same strategy. See
 * docs/format.md for the format; equal filters with equal counts and plans give equal bytes. The
 * methods that read a filter are on its class.
 *
 * <p>The file contains the strategy's id and fingerprint, so reading with another strategy fails.
 * It contains neither the secret of a keyed strategy nor whether the filter is concurrent.
 *
 * <p>Writing does not modify the filter. It must not run concurrently with writers; a
 * happens-before edge from earlier writes is required.
 *
 * @param <T> the type of the elements
 */
public interface StorableFilter<T> extends MembershipFilter<T> {

  /**
   * Returns the contents of the file as a view of this filter, which is invalid once the filter
   * changes. For authors of filters, and for what the other methods do not offer, such as uncoded
   * files.
   */
  FilterContents contents();

  /**
   * Writes this filter. A stream may contain several filters, one after another.
   *
   * <p>Up to a fill ratio of about a fifth the bits are gap-coded, in at most three quarters and
   * down to a fourteenth of their bytes in memory.
   *
   * @param out neither flushed nor closed; needs no buffering
   * @throws IOException if the stream fails
   * @throws IllegalStateException if a concurrent change is detected
   */
  default void writeTo(OutputStream out) throws IOException {
    contents().writeTo(out);
  }

  /**
   * Writes this filter to a file by atomic replace: after a crash at any moment, either the old
   * file or the new one is complete ({@link FilterContents#writeTo(Path)}).
   *
   * @throws IOException if the file cannot be written or is not a regular file; an old file is
   *     unchanged, unless only forcing the new name to disk failed
   * @throws IllegalStateException if a concurrent change is detected; an old file is then unchanged
   */
  default void writeTo(Path file) throws IOException {
    contents().writeTo(file);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if they are more than an array holds, or a concurrent change is
   *     detected
   */
  default byte[] toBytes() {
    return contents().toBytes();
  }
}
