package io.bloomkit.cli.filter;

import io.bloomkit.FilterFormatException;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.classic.MappedFilter;
import io.bloomkit.cli.io.FileFailure;
import io.bloomkit.cli.io.InputSource;
import io.bloomkit.durable.DurableContents;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.StoredFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.MappedGuavaFilter;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes the files of filters of all kinds and formats. */
final class LineFilterFile {

  /** The largest header, and more than any real one. */
  private static final int MAX_HEADER_BYTES = 1 << 20;

  /** The first bytes of a Parquet file. */
  private static final byte[] PARQUET_MARK = {'P', 'A', 'R', '1'};

  /** The first byte of files in this library's format. */
  private static final byte FIRST_BYTE = (byte) 0x89;

  private LineFilterFile() {}

  /** Thrown for a filter in a file that is compressed as a whole. */
  static final class CompressedException extends IOException {

    private static final long serialVersionUID = 1L;

    CompressedException() {
      super("it is compressed by gzip; decompress it first");
    }
  }

  /** Writes a file atomically. */
  interface Writer {

    /**
     * Writes the file.
     *
     * @throws IOException if writing fails; an old file is unchanged
     */
    void writeTo(Path file) throws IOException;
  }

  /** What is done with an opened file. */
  @FunctionalInterface
  interface Action<T> {
    T on(Opened opened) throws IOException;
  }

  /**
   * Opens a file for an action, and closes it.
   *
   * @throws java.io.UncheckedIOException if the file cannot be read or is invalid; the message
   *     names file, byte and reason
   */
  static <T> T read(Path file, Action<T> action) {
    try (Opened opened = Opened.of(file)) {
      return action.on(opened);
    } catch (IOException e) {
      throw FileFailure.reading(file, e);
    }
  }

  /**
   * Reads a filter and validates every byte, as far as the format permits.
   *
   * @param guavas the strategy if the file is in Guava's format, which does not record it
   * @throws java.io.UncheckedIOException as {@link #read} does
   */
  static LineFilter open(Path file, LineStrategy guavas) {
    return read(file, opened -> opened.filter(guavas, ValueType.BYTES));
  }

  /**
   * Reads a filter, as {@link #open} does, to query or update it with lines.
   *
   * @param type the type of the elements if the file does not record it
   * @throws IllegalArgumentException if the filter does not support elements of that type, or if
   *     its elements are no lines
   * @throws java.io.UncheckedIOException as {@link #read} does
   */
  static LineFilter openForLines(Path file, ValueType type) {
    return read(
        file,
        opened -> {
          opened.kindForLines();
          return opened.filter(LineStrategy.BYTES, type);
        });
  }

  /**
   * Maps a filter into memory. Checks the header and the length, but not the bits.
   *
   * @throws IllegalArgumentException if filters of this kind cannot be mapped
   * @throws java.io.UncheckedIOException if the file cannot be read or its header is invalid
   */
  static LineQuery openMapped(Path file) {
    return read(file, LineFilterFile::mapped);
  }

  @SuppressWarnings("resource") // mapped until the command ends
  private static LineQuery mapped(Opened opened) throws IOException {
    Path file = opened.file();
    if (opened.otherFormat.isPresent()) {
      FileKind kind = opened.otherFormat.get();
      if (kind != FileKind.GUAVA) {
        throw notMappable(file, kind);
      }
      MappedGuavaFilter<Object> guavas =
          GuavaBloomFilter.openMapped(file, LineStrategy.BYTES.funnel());
      return (bytes, from, to) -> guavas.mightContain(Arrays.copyOfRange(bytes, from, to));
    }
    FilterFile header = opened.header();
    FileKind kind = opened.kindForLines();
    if (!kind.isMappable() || opened.durable != null) {
      throw notMappable(file, kind);
    }
    if (header.isCompressed()) {
      throw new IllegalArgumentException(
          "cannot map "
              + file
              + ": its bits are compressed, as few are set; leave out --mapped, or build it with"
              + " --uncompressed");
    }
    boolean isClassic = header.code() == ClassicBloomFilter.KIND.code();
    LineStrategy strategy = LineStrategy.of(header);
    LineHash hash = strategy.hash();
    MappedFilter<?> filter =
        isClassic
            ? ClassicBloomFilter.openMapped(file, strategy.strategy())
            : BlockedBloomFilter.openMapped(file, strategy.strategy());
    return (bytes, from, to) -> filter.mightContainHash(hash.hash(bytes, from, to));
  }

  /** Returns the exception for a fault of memory, which only mapped files that shrink can cause. */
  static UncheckedIOException truncated(List<Path> mapped, InternalError fault) {
    String names = mapped.stream().map(Path::toString).collect(Collectors.joining(" or "));
    return new UncheckedIOException(
        "cannot read " + names + ": it was truncated while it was mapped", new IOException(fault));
  }

  private static IllegalArgumentException notMappable(Path file, FileKind kind) {
    return new IllegalArgumentException(
        "cannot map "
            + file
            + ", "
            + (Files.isDirectory(file) ? "a folder: " : kind.withArticle() + " filter: ")
            + "only classic, blocked and guava files; leave out --mapped");
  }

  /** A file that is read once, and its kind. */
  static final class Opened implements Closeable {

    private final Path file;
    private final BufferedInputStream in;
    private final Optional<FileKind> otherFormat;
    private final @Nullable FilterFile header;
    private final boolean isGzip;

    /** What the folder of a durable filter contains; null for a file. */
    private final @Nullable DurableContents<?> durable;

    private Opened(Path file, BufferedInputStream bytes, @Nullable DurableContents<?> durable)
        throws IOException {
      this.file = file;
      this.durable = durable;
      byte[] first = startOf(bytes);
      isGzip = InputSource.isGzip(first);
      in = isGzip ? decompressed(bytes) : bytes;
      byte[] start = isGzip ? startOf(in) : first;
      if (Arrays.equals(start, PARQUET_MARK)) {
        throw new IOException(
            "this is a Parquet file, whose filters Parquet's own command queries: parquet"
                + " bloom-filter -c COLUMN -v VALUE "
                + file);
      }
      if (start.length == 0) {
        throw new IOException("it is empty, so it has no filter");
      }
      otherFormat = FileKind.of(start);
      if (otherFormat.isEmpty() && start[0] != FIRST_BYTE) {
        throw new IOException("it is no filter of Bloomkit, Guava, Parquet, Spark or DCSO");
      }
      in.mark(MAX_HEADER_BYTES);
      header = otherFormat.isEmpty() ? FilterFile.inspect(in) : null;
      in.reset();
      if (isGzip && otherFormat.filter(FileKind.DCSO::equals).isEmpty()) {
        throw new CompressedException();
      }
    }

    /**
     * Opens a file and recognizes its format by its first bytes. The folder of a durable filter is
     * read as the file that its filter would be written to.
     *
     * @throws IOException if the file cannot be read or is in no known format
     */
    static Opened of(Path file) throws IOException {
      if (DurableContents.isIn(file)) {
        DurableContents<?> durable =
            DurableContents.readFrom(file, DurableContents.inspect(file).opaqueStrategy());
        byte[] bytes = durable.filter().toBytes();
        return new Opened(file, new BufferedInputStream(new ByteArrayInputStream(bytes)), durable);
      }
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new IOException(
            Files.isDirectory(file)
                ? "it is a folder without a durable filter"
                : "not a regular file; copy its contents to a regular file");
      }
      if (file.toString().equals("-") && Files.notExists(file)) {
        throw new IOException("a filter is read from a file, not from standard input");
      }
      InputStream in = Files.newInputStream(file);
      try {
        return new Opened(file, new BufferedInputStream(in), null);
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    }

    private static byte[] startOf(BufferedInputStream bytes) throws IOException {
      bytes.mark(FileKind.START_BYTES);
      byte[] start = bytes.readNBytes(FileKind.START_BYTES);
      bytes.reset();
      return start;
    }

    private BufferedInputStream decompressed(InputStream bytes) throws IOException {
      InputSource compressed = new InputSource(bytes, file.toString(), InputSource.UNKNOWN);
      try {
        return new BufferedInputStream(compressed.decompressed(true).stream());
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }

    Path file() {
      return file;
    }

    /** Returns whether the file is compressed by gzip, as published filters of DCSO are. */
    boolean isGzip() {
      return isGzip;
    }

    /** Returns whether the file can be mapped. */
    boolean isMappable() throws IOException {
      return kind().isMappable() && (header == null || !header.isCompressed());
    }

    /** Returns what the folder of a durable filter contains; empty for a file. */
    Optional<DurableContents<?>> durable() {
      return Optional.ofNullable(durable);
    }

    /** Returns the kind of a file in another library's format, or an empty result. */
    Optional<FileKind> otherFormat() {
      return otherFormat;
    }

    /** Returns the header of a file in this library's format, not of {@link #otherFormat}. */
    FilterFile header() {
      return Objects.requireNonNull(header);
    }

    /**
     * Reads the filter.
     *
     * @param guavas the strategy of a file in Guava's format
     * @param type the type of the elements if the file does not record it
     */
    LineFilter filter(LineStrategy guavas, ValueType type) throws IOException {
      boolean recordsType = otherFormat.map(FileKind::recordsType).orElse(true);
      if (recordsType && type != ValueType.BYTES) {
        throw new IllegalArgumentException(
            otherFormat.equals(Optional.of(FileKind.GUAVA))
                ? "--type is for filters of Parquet and Spark; to query numbers in "
                    + file
                    + ", convert it with --to bloomkit-guava --strategy longs"
                : "leave out --type for " + file + "; --type is for filters of Parquet and Spark");
      }
      LineStrategy strategy = otherFormat.isPresent() ? guavas : LineStrategy.of(header());
      LineFilter filter = kind().read(strategy, type, in);
      requireEnd(file, in);
      return filter;
    }

    private StoredFilter contents() throws IOException {
      if (otherFormat.isPresent()) {
        FileKind kind = otherFormat.get();
        throw new IOException(
            "deltas require filters in this library's format, got a "
                + kind
                + " file"
                + (kind.isConvertibleTo(FileKind.BLOOMKIT_GUAVA)
                    ? "; bloom convert --to " + FileKind.BLOOMKIT_GUAVA + " converts it"
                    : ""));
      }
      if (header().isDelta()) {
        throw new IOException("this is a delta, not a filter");
      }
      StoredFilter contents = StoredFilter.readFrom(in);
      requireEnd(file, in);
      return contents;
    }

    /**
     * Reads the delta.
     *
     * @throws IOException if the file is damaged or not a delta
     */
    Delta readDelta() throws IOException {
      Delta delta = Delta.readFrom(in);
      requireEnd(file, in);
      return delta;
    }

    /**
     * Returns the kind of the file.
     *
     * @throws IOException if the file is a delta or of a kind that is not installed
     */
    FileKind kind() throws IOException {
      if (otherFormat.isPresent()) {
        return otherFormat.get();
      }
      FilterFile read = header();
      return FileKind.of(read)
          .orElseThrow(
              () ->
                  new IOException(
                      read.isDelta()
                          ? "this is a delta, not a filter; bloom apply FILTER DELTA applies it"
                          : "this command does not support a " + read.className()));
    }

    /**
     * Returns the kind of a filter whose elements can be lines, which the command can hash.
     *
     * @throws IllegalArgumentException if its strategy has other elements
     * @throws IOException as for {@link #kind}
     */
    FileKind kindForLines() throws IOException {
      FileKind kind = kind();
      if (header != null && LineStrategy.known(header).isEmpty()) {
        throw new IllegalArgumentException(
            file
                + " was filled by "
                + LineStrategy.described(header)
                + ", which bloom does not have: "
                + LineStrategy.otherReaders(header));
      }
      return kind;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /**
   * Checks that a file ends where its filter ends.
   *
   * @param file the file
   * @param in the rest of the file
   * @throws FilterFormatException if more bytes follow
   */
  private static void requireEnd(Path file, InputStream in) throws IOException {
    long left = in.transferTo(OutputStream.nullOutputStream());
    if (left > 0) {
      throw new FilterFormatException(
          Files.size(file) - left,
          "the filter ends here, but "
              + left
              + (left == 1 ? " more byte follows" : " more bytes follow"));
    }
  }

  /**
   * Reads the contents of a filter's file, of any kind and strategy, and verifies its checksums.
   *
   * @throws java.io.UncheckedIOException if the file cannot be read, is invalid, is a delta, or is
   *     in another format
   */
  static StoredFilter contents(Path file) {
    return read(file, Opened::contents);
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
    if (Files.isDirectory(file)) {
      requireEmpty(file);
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

  private static void requireEmpty(Path folder) {
    try {
      if (DurableFilter.canCreate(folder)) {
        return;
      }
    } catch (IOException e) {
      throw FileFailure.writing(folder, e);
    }
    throw new IllegalArgumentException(
        folder
            + (DurableContents.isIn(folder)
                ? " has a durable filter already"
                : " is a folder with other files")
            + "; name an empty folder, in which the filter becomes durable, or a file");
  }

  /**
   * Checks before a long run that a file can be replaced. A missing file is detected later, when it
   * is read.
   *
   * @throws IllegalArgumentException if the directory of the file is not writable
   */
  static void requireReplaceable(Path file) {
    if (DurableContents.isIn(file)) {
      throw new IllegalArgumentException(
          file
              + " is the folder of a durable filter, which programs update in Java; give --output"
              + " to write the changed filter to a file");
    }
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
