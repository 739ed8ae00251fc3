package io.bloomkit.cli.io;

import io.bloomkit.durable.DurableContents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Options for the input of a command: the files, the fields that are the element of a line, and
 * compression.
 */
public final class LineOptions {

  @Parameters(
      index = "+", // after the arguments of the command itself
      arity = "0..*",
      paramLabel = "FILE",
      description = "The files to read, one after another; standard input for - or if left out.")
  private List<Path> inputs = List.of();

  @Option(
      names = {"-z", "--zero-terminated"},
      description =
          "Lines end with a NUL byte instead of a line feed, as find -print0 writes them. A"
              + " carriage return then belongs to the last field.")
  private boolean isZeroTerminated;

  @Option(
      names = {"-f", "--fields"},
      paramLabel = "LIST",
      converter = FieldList.Converter.class,
      description =
          "Uses these fields of each line as the element instead of the whole line: 2, or 1,3, or"
              + " 1-3."
              + " Several fields are joined in the order of the list: by the separator, by a"
              + " space if blanks separate them, or by the byte that ends a line if a regular"
              + " expression does or the separator overlaps itself, as :: does. Quotes have no"
              + " meaning. A carriage return at the end of the line belongs to no field.")
  private @Nullable FieldList fields;

  @Option(
      names = {"-t", "--separator"},
      paramLabel = "S",
      description =
          "The text between fields, such as ',', ' ' or \\t for a tab, or a regular expression"
              + " between slashes, such as '/[,;] */'. By default, tabs separate fields if the"
              + " first line that is not empty contains one; otherwise blanks do, one or more,"
              + " those at the beginning and end of a line belong to no field, and a later line"
              + " with a tab ends the run.")
  private @Nullable String separator;

  private @Nullable FieldSeparator fieldSeparator;

  private enum Missing {
    PASS,
    STOP;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--missing",
      paramLabel = "pass|stop",
      description =
          "The handling of a line that lacks a field of --fields or --time-field. pass: treats"
              + " the line as absent from the filter, and does not add it. stop: ends the run"
              + " at that line with exit code 2 (default: stop).")
  private @Nullable Missing missing;

  @Option(
      names = "--gzip",
      negatable = true,
      description =
          "Whether the input is compressed by gzip. Without this option, it is detected by the"
              + " first three bytes of the input.")
  private @Nullable Boolean gzip;

  /** Equivalent to {@link #check(boolean)} of a command without other fields. */
  public void check() {
    check(false);
  }

  /**
   * Checks the values of the options.
   *
   * @param hasOtherFields whether another option has a field
   * @throws IllegalArgumentException if a value is invalid, or an option has no effect
   */
  public void check(boolean hasOtherFields) {
    if (separator != null && !isZeroTerminated && separator.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "--separator must have no line feed, which ends a line without -z, got '"
              + separator
              + "'");
    }
    long standardInputs = inputs.stream().filter(LineOptions::isStandardInput).count();
    if (standardInputs > 1) {
      throw new IllegalArgumentException(
          "standard input can be read only once, but - is given " + standardInputs + " times");
    }
    fieldSeparator =
        separator == null
            ? FieldSeparator.ofFirstLine()
            : FieldSeparator.of(separator, terminator());
    if (fields == null && !hasOtherFields && (separator != null || missing != null)) {
      throw new IllegalArgumentException(
          (separator != null ? "--separator" : "--missing")
              + " requires --fields; without it, the whole line is the element");
    }
  }

  /** Returns a finder of the elements of lines. */
  public Fields fields() {
    return fields(fields == null ? List.of() : fields.numbers());
  }

  /**
   * Returns a finder of fields of lines. All finders of a run share what the first line decides.
   *
   * @param numbers the field numbers from 1, without duplicates; empty for the whole line
   */
  public Fields fields(List<Integer> numbers) {
    return new Fields(
        Objects.requireNonNull(fieldSeparator, "check comes first"), numbers, !isZeroTerminated);
  }

  /** Returns whether the run continues at a line that lacks a field. */
  public boolean passesMissing() {
    return missing == Missing.PASS;
  }

  /** Returns the byte that ends a line. */
  public byte terminator() {
    return (byte) (isZeroTerminated ? 0 : '\n');
  }

  /** Returns the files to read, in their order; {@code -} is standard input. */
  public List<Path> files() {
    return inputs.isEmpty() ? List.of(Path.of("-")) : inputs;
  }

  /** Returns whether all inputs are regular files, which can be read again. */
  public boolean isReadableAgain(StandardStreams streams) {
    return files().stream()
        .allMatch(
            file -> isStandardInput(file) ? streams.isReadableAgain() : Files.isRegularFile(file));
  }

  /**
   * Checks before a run that all inputs exist and are no folders, except those of durable filters.
   *
   * @throws java.io.UncheckedIOException if one does not or is
   */
  public void requireExisting() {
    files().stream()
        .filter(file -> !isStandardInput(file))
        .filter(
            file -> Files.isDirectory(file) ? !DurableContents.isIn(file) : Files.notExists(file))
        .forEach(InputSource::of); // fails with the message of reading
  }

  private static boolean isStandardInput(Path file) {
    return file.toString().equals("-");
  }

  /**
   * Opens the inputs as one and decompresses those that are compressed.
   *
   * @param standardInput the input to use for standard input
   * @throws java.io.UncheckedIOException if reading fails, or if {@code --gzip} was given and an
   *     input is not compressed
   */
  public InputSource open(Supplier<InputSource> standardInput) {
    List<Path> files = files();
    return files.size() == 1
        ? open(files.get(0), standardInput)
        : InputSource.joined(files, file -> open(file, standardInput), terminator());
  }

  private InputSource open(Path file, Supplier<InputSource> standardInput) {
    return InputSource.of(file, standardInput).decompressed(gzip);
  }

  /**
   * Opens the inputs as one and returns its elements.
   *
   * @param standardInput the input to use for standard input
   * @throws java.io.UncheckedIOException as {@link #open} does
   */
  public LineElements elements(Supplier<InputSource> standardInput) {
    return elementsOf(open(standardInput));
  }

  /**
   * Opens one of the inputs and returns its elements.
   *
   * @throws java.io.UncheckedIOException as {@link #open} does
   */
  public LineElements elements(Path file, Supplier<InputSource> standardInput) {
    return elementsOf(open(file, standardInput));
  }

  private LineElements elementsOf(InputSource input) {
    return new LineElements(input, fields(), passesMissing(), terminator());
  }
}
