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

/** Opens the file of a filter, whatever it holds, and writes it. */
final class FilterFile {

  /** The first of Guava's own bytes is the number of its strategy. */
  private static final int MOST_GUAVA_STRATEGY = 1;

  private FilterFile() {}

  /** Writes a file, atomically. */
  interface Writer {

    /**
     * Writes it.
     *
     * @throws IOException if that fails; an old file is then as it was
     */
    void writeTo(Path file) throws IOException;
  }

  /**
   * Reads a filter and checks every byte of it, as far as its format lets one.
   *
   * @throws java.io.UncheckedIOException if that fails; the message names file, byte and reason
   */
  static LineFilter open(Path file) {
    return open(file, LineStrategy.BYTES);
  }

  /**
   * Reads a filter as {@link #open(Path)} does.
   *
   * @param guavas the strategy if the file has Guava's own bytes, which do not name it
   * @throws java.io.UncheckedIOException if that fails; the message names file, byte and reason
   */
  static LineFilter open(Path file, LineStrategy guavas) {
    return open(file, guavas, ValueType.BYTES);
  }

  /**
   * Reads a filter as {@link #open(Path)} does.
   *
   * @param type the type of the elements if the file does not record it
   * @throws IllegalArgumentException if the filter has no elements of that type
   * @throws java.io.UncheckedIOException if that fails; the message names file, byte and reason
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
            "this is a Parquet file; bloom inspect lists its filters, bloom check --column queries"
                + " those of a column");
      }
      FilterHeader header = header(file);
      Optional<LineKind> kind = LineKind.of(header.variant());
      if (kind.isEmpty()) {
        throw new IOException(
            header.variant().equals(FilterVariant.DELTA)
                ? "this is a delta; bloom apply changes a filter by it"
                : "this command does not know a " + header.variant().name());
      }
      return kind.get().read(LineStrategy.ofId(header.strategy().id()), file);
    } catch (IOException e) {
      throw FileFailure.reading(file, e);
    }
  }

  /**
   * Refuses a file that goes on where its filter ends.
   *
   * @param in the rest of the file
   * @throws FilterFormatException if there is one
   */
  static void requireEnd(Path file, InputStream in) throws IOException {
    long left = in.transferTo(OutputStream.nullOutputStream());
    if (left > 0) {
      throw new FilterFormatException(
          Files.size(file) - left, "the filter ends here, but " + left + " more bytes follow");
    }
  }

  private static void requireRegular(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) { // it is opened more than once
      throw new IOException("it is not a regular file; copy what it gives to one");
    }
  }

  /**
   * Returns the kind of a file that is not in this library's format, by its first bytes; empty for
   * all others.
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

  /** Reads what the beginning of a file says of the rest. */
  static FilterHeader header(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return FilterHeader.readFrom(in);
    }
  }

  /**
   * Reads what the file of a filter holds, of whatever kind and strategy, and checks its checksums.
   *
   * @throws java.io.UncheckedIOException if that fails, or it is a delta, or in another format
   */
  static FilterContents contents(Path file) {
    try {
      Optional<LineKind> otherFormat = otherFormat(file);
      if (otherFormat.isPresent()) {
        throw new IOException(
            "deltas lead from filters in this library's format, not from "
                + otherFormat.get()
                + " ones"
                + (otherFormat.get().isConvertibleTo(LineKind.Guava.BLOOMKIT_GUAVA)
                    ? "; bloom convert --to " + LineKind.Guava.BLOOMKIT_GUAVA + " makes one of it"
                    : ""));
      }
      if (header(file).variant().equals(FilterVariant.DELTA)) {
        throw new IOException("this is a delta and not a filter");
      }
      return FilterReader.readFrom(file, FilterContents::read);
    } catch (IOException e) {
      throw FileFailure.reading(file, e);
    }
  }

  /**
   * Writes a file, atomically.
   *
   * @throws java.io.UncheckedIOException if that fails; an old file is then as it was
   */
  static void write(Path file, Writer writer) {
    try {
      writer.writeTo(file);
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }

  /**
   * Refuses a place where a new file must not go.
   *
   * @param force whether an old file may be replaced
   * @throws IllegalArgumentException if there is something already, or nothing can be
   */
  static void requireFree(Path file, boolean force) {
    requireWritable(file);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) { // a device would be replaced
      throw new IllegalArgumentException(
          "cannot write " + file + ": it is not a regular file; name another one");
    }
    if (!force) {
      throw new IllegalArgumentException(file + " exists already; --force replaces it");
    }
  }

  /**
   * Finds out before a long run whether a file can be replaced; if there is none, reading will
   * tell.
   *
   * @throws IllegalArgumentException if its directory may not be written to
   */
  static void requireReplaceable(Path file) {
    if (Files.exists(file)) {
      requireWritable(file);
    }
  }

  /**
   * Finds out before a long run whether a file can come into being, or be replaced.
   *
   * @throws IllegalArgumentException if its directory is missing or may not be written to
   */
  private static void requireWritable(Path file) {
    if (file.toString().equals("-")) {
      throw new IllegalArgumentException(
          "a filter is written to a file and not to standard output; name one (./- for one that is"
              + " called -)");
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
          "cannot write " + file + ": there is no directory " + directory);
    }
    if (!Files.isWritable(directory)) {
      throw new IllegalArgumentException(
          "cannot write " + file + ": nothing may be written to the directory " + directory);
    }
  }

  /**
   * Refuses to replace what is read.
   *
   * @throws IllegalArgumentException if the two are one file
   */
  static void requireOther(Path input, Path output) {
    try {
      if (Files.exists(input) && Files.exists(output) && Files.isSameFile(input, output)) {
        throw new IllegalArgumentException(
            output + " is what is read and would be replaced; name another --output");
      }
    } catch (IOException e) {
      throw FileFailure.reading(output, e);
    }
  }
}
