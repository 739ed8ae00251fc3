package io.bloomkit.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.MembershipFilter;
import io.bloomkit.internal.format.FilterContents;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A filter that can be written to a file and read again with the same strategy on any machine. Each
 * class of filters has the methods that read its files. See docs/format.md for the format.
 *
 * <p>Equal filters with equal element counts and plans are written as equal bytes, except by three
 * classes:
 *
 * <ul>
 *   <li>{@code CuckooFilter}: the places in its table depend on the order of insertions and
 *       removals, including those of an {@code addHashes} that throws.
 *   <li>{@code ScalableBloomFilter}: the file states how many concurrent insertions it is sized
 *       for.
 *   <li>{@code ExpiringCuckooFilter}: the file states the time of writing.
 * </ul>
 *
 * <p>Equal filters of these classes may also have different {@linkplain Delta#fingerprintOf
 * fingerprints}; a delta then fits only one of them. For the first two classes, it fits a filter
 * that went through the same changes as its base, in the same order, or was read from the bytes of
 * its base.
 *
 * <p>The file contains the id and fingerprint of the strategy, so reading with another strategy
 * throws {@link FilterFormatException}. The file does not contain the secret key of a keyed
 * strategy. The file does not record whether the filter is concurrent.
 *
 * <p>Writing does not modify the filter. A concurrent filter may be written at any time: it is
 * copied first, and the file contains every change that happened before the call. Any other filter
 * must not be modified meanwhile.
 *
 * <p>Only filters of this library can be written: for a class of your own that implements this
 * interface, these methods throw {@link IllegalArgumentException}.
 *
 * @param <T> the type of the elements
 */
public interface StorableFilter<T> extends MembershipFilter<T> {

  /**
   * Writes this filter to a stream. Other filters may be written to the same stream before and
   * after.
   *
   * <p>An array of bits, counters or buckets is compressed if at most about a fifth of its bits are
   * set. A compressed array takes between 1/14 and 3/4 of its uncompressed size.
   *
   * @param out neither flushed nor closed; needs no buffering
   * @throws IOException if the stream fails
   * @throws IllegalStateException if a change of a filter that is not concurrent is detected
   * @throws NullPointerException if the argument is null
   */
  default void writeTo(OutputStream out) throws IOException {
    FilterContents.of(this).writeTo(out);
  }

  /**
   * Writes this filter to a file by atomic replace: writes a temporary file {@code .bloom-….tmp} in
   * the same directory, forces it to the disk and renames it. At any moment, even after a crash of
   * the machine, there is either the complete old file or the complete new file. After a crash, the
   * temporary file remains until this library next writes a file in that directory.
   *
   * <p>The new file keeps the permissions of the old file. It keeps the old owner and group if the
   * process may set them. A symbolic link remains a link; its target is replaced.
   *
   * @throws IOException if the file cannot be written, or is not a regular file. The last step
   *     syncs the directory to disk; if it fails, an old file has already been replaced. After any
   *     other failure, an old file is unchanged.
   * @throws IllegalStateException if a change of a filter that is not concurrent is detected; an
   *     old file is then unchanged
   * @throws NullPointerException if the argument is null
   */
  default void writeTo(Path file) throws IOException {
    FilterContents.of(this).writeTo(file);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if an array cannot hold the bytes, or if a change of a filter
   *     that is not concurrent is detected
   */
  default byte[] toBytes() {
    return FilterContents.of(this).toBytes();
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} would write if it compressed no array of
   * bits, counters or buckets. The file is larger, is written and read in less time, and can be
   * memory-mapped however few bits are set.
   *
   * @throws IllegalStateException as for {@link #toBytes}
   */
  default byte[] toUncompressedBytes() {
    return FilterContents.of(this).uncoded().toBytes();
  }
}
