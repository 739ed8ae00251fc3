package io.bloomkit.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * The contents of a filter's file, of any kind and strategy, neither of which need be installed.
 * For tools that compute and apply {@linkplain Delta deltas} of files. A filter that is to be
 * queried is read by the methods of its class.
 *
 * <p>Reading checks the format and the checksums, but not whether the contents are possible for the
 * kind. Holds the file's arrays in memory, uncompressed. Immutable and thread-safe.
 */
public final class StoredFilter {

  private final FilterContents contents;

  StoredFilter(FilterContents contents) {
    this.contents = contents;
  }

  /**
   * Reads a filter from a stream. Reads no byte beyond the filter.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are damaged, truncated or a delta
   * @throws IOException if the stream fails
   */
  public static StoredFilter readFrom(InputStream in) throws IOException {
    return new StoredFilter(FilterReader.readFrom(in, StoredFilter::contents));
  }

  private static FilterContents contents(FilterReader reader) throws IOException {
    if (reader.header().variant() == Variant.DELTA.code()) {
      throw new FilterFormatException(FilterHeader.VARIANT_OFFSET, "this is a delta, not a filter");
    }
    return FilterContents.read(reader);
  }

  FilterContents contents() {
    return contents;
  }

  /** Returns the {@linkplain Delta#fingerprintOf fingerprint} of the filter. */
  public long fingerprint() {
    return contents.fingerprint();
  }

  /**
   * Writes the filter to a stream, as {@link StorableFilter#writeTo(OutputStream)} does.
   *
   * @throws IOException if the stream fails
   */
  public void writeTo(OutputStream out) throws IOException {
    contents.writeTo(out);
  }

  /**
   * Writes the filter to a file by atomic replace, as {@link StorableFilter#writeTo(Path)} does.
   *
   * @throws IOException as for {@link StorableFilter#writeTo(Path)}
   */
  public void writeTo(Path file) throws IOException {
    contents.writeTo(file);
  }

  /**
   * Writes the filter to a file by atomic replace, without compressing its arrays. If it is a
   * classic or blocked filter, the file can be memory-mapped.
   *
   * @throws IOException as for {@link StorableFilter#writeTo(Path)}
   */
  public void writeMappableTo(Path file) throws IOException {
    contents.uncoded().writeTo(file);
  }
}
