package io.bloomkit.cli.filter;

import io.bloomkit.cli.foreign.ParquetFile;
import io.bloomkit.cli.foreign.ValueType;
import io.bloomkit.cli.io.FileFailure;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterHeader;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** Reads and writes the files of filters of all kinds and formats. */
final class FilterFile {

  /** The largest strategy number, which is the first byte of Guava's format. */
  private static final int MOST_GUAVA_STRATEGY = 1;

  private FilterFile() {}

  /** Writes a file atomically. */
  interface Writer {

    /**
     * Writes the file.
     *
     * @throws IOException if writing fails; an old file is unchanged
     */
    void writeTo(Path file) throws IOException;
  }

  /**
   * Reads a filter and validates every byte, as far as the format permits.
   *
   * @throws java.io.UncheckedIOException if the file cannot be read or is invalid; the message
   *     names file, byte and reason
   */
  static LineFilter open(Path file) {
    return open(file, LineStrategy.BYTES);
  }

  /**
   * Reads a filter as {@link #open(Path)} does.
   *
   * @param guavas the strategy if the file is in Guava's format, which does not record it
   * @throws java.io.UncheckedIOException as {@link #open(Path)} does
   */
  static LineFilter open(Path file, LineStrategy guavas) {
    return open(file, guavas, ValueType.BYTES);
  }

  /**
   * Reads a filter as {@link #open(Path)} does.
   *
   * @param type the type of the elements if the file does not record it
   * @throws IllegalArgumentException if the filter does not support elements of that type
   * @throws java.io.UncheckedIOException as {@link #open(Path)} does
   */
  static LineFilter open(Path file, ValueType type) {
    return open(file, LineStrategy.BYTES, type);
  }

  private static LineFilter open(Path file, LineStrategy guavas, ValueType type) {
    try {
      Optional<LineKind> otherFormat = otherFormat(file);
      if (otherFormat.isPresent() && otherFormat.get() instanceof ForeignKind foreign) {
        return foreign.read(type, file);
      }
      if (type != ValueType.BYTES) {
        throw new IllegalArgumentException(
            "the elements of " + file + " are lines; --type is for filters of Parquet and Spark");
      }
      if (otherFormat.isPresent()) {
        return otherFormat.get().read(guavas, file);
      }
      if (ParquetFile.isOne(file)) {
        throw new IOException(
            "this is a Parquet file; bloom inspect lists its filters, bloom check --column"
                + " queries the filters of a column");
      }
      FilterHeader header = header(file);
      Optional<LineKind> kind = LineKind.of(header.variant());
      if (kind.isEmpty()) {
        throw new IOException(
            header.variant().equals(FilterVariant.DELTA)
                ? "this is a delta; apply it to a filter with bloom apply"
                : "this command does not support a " + header.variant().name());
      }
      return kind.get().read(LineStrategy.ofId(header.strategy().id()), file);
    } catch (IOException e) {
      throw FileFailure.reading(file, e);
    }
  }

  /**
   * Checks that a file ends where its filter ends.
   *
   * @param file the file
   * @param in the rest of the file
   * @throws FilterFormatException if more bytes follow
   */
  static void requireEnd(Path file, InputStream in) throws IOException {
    long left = in.transferTo(OutputStream.nullOutputStream());
    if (left > 0) {
      throw new FilterFormatException(
          Files.size(file) - left, "the filter ends here, but " + left + " more bytes follow");
    }
  }

  private static void requireRegular(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) { // the file is opened more than once
      throw new IOException("not a regular file; copy its contents to a regular file");
    }
  }

  /**
   * Detects by its first bytes whether a file is in the format of another library. Returns its
   * kind, or an empty result for all other files.
   */
  static Optional<LineKind> otherFormat(Path file) throws IOException {
    requireRegular(file);
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(ForeignKind.START_BYTES);
    }
    Optional<LineKind> foreign = ForeignKind.of(start).map(kind -> kind);
    boolean isGuavas = start.length > 0 && start[0] >= 0 && start[0] <= MOST_GUAVA_STRATEGY;
    return foreign.isEmpty() && isGuavas ? Optional.of(LineKind.Guava.GUAVA) : foreign;
  }

  /** Reads the header of a file. */
  static FilterHeader header(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return FilterHeader.readFrom(in);
    }
  }

  /**
   * Reads the contents of a filter's file, of any kind and strategy, and verifies its checksums.
   *
   * @throws java.io.UncheckedIOException if the file cannot be read, is invalid, is a delta, or is
   *     in another format
   */
  static FilterContents contents(Path file) {
    try {
      Optional<LineKind> otherFormat = otherFormat(file);
      if (otherFormat.isPresent()) {
        throw new IOException(
            "deltas require filters in this library's format, got a "
                + otherFormat.get()
                + " file"
                + (otherFormat.get().isConvertibleTo(LineKind.Guava.BLOOMKIT_GUAVA)
                    ? "; bloom convert --to " + LineKind.Guava.BLOOMKIT_GUAVA + " converts it"
                    : ""));
      }
      if (header(file).variant().equals(FilterVariant.DELTA)) {
        throw new IOException("this is a delta, not a filter");
      }
      return FilterReader.readFrom(file, FilterContents::read);
    } catch (IOException e) {
      throw FileFailure.reading(file, e);
    }
  }

  /**
   * Writes a file atomically.
   *
   * @throws java.io.UncheckedIOException if writing fails; an old file is unchanged
   */
  static void write(Path file, Writer writer) {
    try {
      writer.writeTo(file);
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }

  /**
   * Checks that a new file may be written.
   *
   * @param file the new file
   * @param force whether an existing file may be replaced
   * @throws IllegalArgumentException if the file exists and may not be replaced, or if it cannot be
   *     written
   */
  static void requireFree(Path file, boolean force) {
    requireWritable(file);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) { // writing would replace a device
      throw new IllegalArgumentException(
          "cannot write " + file + ": it is not a regular file; choose another file");
    }
    if (!force) {
      throw new IllegalArgumentException(file + " already exists; --force replaces it");
    }
  }

  /**
   * Checks before a long run that a file can be replaced. A missing file is detected later, when it
   * is read.
   *
   * @throws IllegalArgumentException if the directory of the file is not writable
   */
  static void requireReplaceable(Path file) {
    if (Files.exists(file)) {
      requireWritable(file);
    }
  }

  /**
   * Checks before a long run that a file can be created or replaced.
   *
   * @throws IllegalArgumentException if the directory of the file is missing or not writable
   */
  private static void requireWritable(Path file) {
    if (file.toString().equals("-")) {
      throw new IllegalArgumentException(
          "a filter cannot be written to standard output; name a file (./- for a file named -)");
    }
    Path place = file;
    try {
      place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
    Path directory = Objects.requireNonNullElse(place.getParent(), place);
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          "cannot write " + file + ": no such directory: " + directory);
    }
    if (!Files.isWritable(directory)) {
      throw new IllegalArgumentException(
          "cannot write " + file + ": no permission to write to the directory " + directory);
    }
  }

  /**
   * Checks that the output does not replace the input.
   *
   * @throws IllegalArgumentException if both paths name the same file
   */
  static void requireOther(Path input, Path output) {
    try {
      if (Files.exists(input) && Files.exists(output) && Files.isSameFile(input, output)) {
        throw new IllegalArgumentException(
            output + " is an input and would be replaced; choose another --output");
      }
    } catch (IOException e) {
      throw FileFailure.reading(output, e);
    }
  }
}
