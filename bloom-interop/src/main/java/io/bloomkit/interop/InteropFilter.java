package io.bloomkit.interop;

import io.bloomkit.BloomFormulas;
import io.bloomkit.internal.format.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * A filter with the bits and bytes of another library. For tools that handle all of them, such as
 * the command line. Only this library implements this interface.
 *
 * @param <T> the type of the elements
 */
public interface InteropFilter<T> {

  /** As {@link io.bloomkit.MembershipFilter#mightContain}. */
  boolean mightContain(T element);

  /** As {@link io.bloomkit.InsertableFilter#add}. */
  boolean add(T element);

  /** As {@link io.bloomkit.MembershipFilter#expectedFpp}. */
  double expectedFpp();

  /** As {@link io.bloomkit.MembershipFilter#approximateElementCount}. */
  long approximateElementCount();

  /** As {@link io.bloomkit.MembershipFilter#memoryBytes}. */
  long memoryBytes();

  /** Returns m, the number of bits. */
  long positions();

  /** Returns k, the number of bits of an element. */
  int hashes();

  /** Returns the number of set bits. Costs up to a pass over all bits. */
  long setPositions();

  /** Returns the expected false-positive rate with a number of distinct elements. */
  default double fpp(long elements) {
    return BloomFormulas.exactFpp(elements, positions(), hashes());
  }

  /** Returns size and fill by the names of {@link io.bloomkit.format.FilterLayout#figures}. */
  default Map<String, Number> figures() {
    double fill = (double) setPositions() / positions();
    return Map.of(
        "positions", positions(), "hashes", hashes(), "setPositions", setPositions(), "fill", fill);
  }

  /**
   * Writes the bytes that the other library writes.
   *
   * @param out need not be buffered; neither flushed nor closed
   * @throws IOException if the stream fails
   */
  void writeTo(OutputStream out) throws IOException;

  /**
   * Writes this filter to a file by atomic replace, in the format of {@link
   * #writeTo(OutputStream)}. After a crash at any moment, there is either the complete old file or
   * the complete new file.
   *
   * @throws IOException if the file cannot be written, or is not a regular file. The last step
   *     syncs the directory to disk; if it fails, an old file has already been replaced. After any
   *     other failure, an old file is unchanged.
   */
  default void writeTo(Path file) throws IOException {
    AtomicFile.write(file, this::writeTo);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if the bytes do not fit into an array
   */
  byte[] toBytes();
}
