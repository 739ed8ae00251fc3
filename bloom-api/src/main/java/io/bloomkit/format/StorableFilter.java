package io.bloomkit.format;

import io.bloomkit.MembershipFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A filter that can be written to a file and read again, by any machine with the same strategy. The
 * format is that of docs/format.md; the same filter always gives the same bytes. Its class has the
 * methods that read it.
 *
 * <p>The strategy's id and fingerprint are written, so that a filter is not read with another
 * strategy by mistake; never its secret. Whether a filter is concurrent is not written.
 *
 * <p>Writing changes nothing, and needs a moment in which no other thread changes the filter.
 *
 * @param <T> the type of the elements
 */
public interface StorableFilter<T> extends MembershipFilter<T> {

  /**
   * Returns what is written: a view of this filter, of use until it changes. For authors of filters
   * and for what the other methods do not offer, such as files without coding.
   */
  FilterContents contents();

  /**
   * Writes this filter. Several may follow each other in one stream.
   *
   * <p>A filter that is at most a fifth full or so is written gap by gap, in fewer bytes than it
   * takes in memory: down to a fourteenth of them.
   *
   * @param out neither flushed nor closed; needs no buffer
   * @throws IOException if the stream fails
   * @throws IllegalStateException if the filter is seen to change meanwhile
   */
  default void writeTo(OutputStream out) throws IOException {
    contents().writeTo(out);
  }

  /**
   * Writes this filter to a file, atomically: if the machine stops at any moment, the old file or
   * the new one is there, whole ({@link FilterContents#writeTo(Path)}).
   *
   * @throws IOException if the file cannot be written or is not a regular file; an old file is
   *     unchanged, unless only forcing the new name to disk failed
   * @throws IllegalStateException if the filter is seen to change meanwhile; an old file is then as
   *     it was
   */
  default void writeTo(Path file) throws IOException {
    contents().writeTo(file);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if they are more than an array holds, or the filter is seen to
   *     change meanwhile
   */
  default byte[] toBytes() {
    return contents().toBytes();
  }
}
