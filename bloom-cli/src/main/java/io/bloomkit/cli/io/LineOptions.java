package io.bloomkit.cli.io;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Options for the input of a command: the file, the fields that are the element of a line, and
 * compression.
 */
public final class LineOptions {

  @Parameters(
      index = "+", // after the arguments of the command itself
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file to read; standard input if it is - or left out.")
  private @Nullable Path input;

  @Option(
      names = {"-f", "--fields"},
      paramLabel = "LIST",
      converter = FieldList.Converter.class,
      description =
          "Uses these fields of each line as the element instead of the whole line: 2, or 1,3."
              + " Several fields are joined by the separator in the order of the list, by a space"
              + " if blanks or a regular expression separate them. Quotes have no meaning. A"
              + " carriage return at the end of the line belongs to no field.")
  private @Nullable FieldList fields;

  @Option(
      names = {"-t", "--separator"},
      paramLabel = "S",
      description =
          "The text between fields, such as ',', ' ' or \\t for a tab, or a regular expression"
              + " between slashes, such as '/[,;] */'. By default, tabs separate fields if the"
              + " first line contains one; otherwise blanks do, one or more, and those at the"
              + " beginning and end of a line belong to no field.")
  private @Nullable String separator;

  private @Nullable FieldSeparator made;

  @Option(
      names = "--missing",
      paramLabel = "pass|stop",
      defaultValue = "stop",
      description =
          "The handling of a line that lacks a field of --fields or --time-field. pass: treats"
              + " the line as absent from the filter, and does not add it. stop: ends the run"
              + " at that line with exit code 2 (default: ${DEFAULT-VALUE}).")
  private Missing missing = Missing.STOP;

  @Option(
      names = "--gzip",
      negatable = true,
      description =
          "Whether the input is compressed by gzip. Without this option, it is detected by the"
              + " first three bytes of the input.")
  private @Nullable Boolean gzip;

  /**
   * Checks the values of the options.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public void check() {
    made = separator == null ? FieldSeparator.ofFirstLine() : FieldSeparator.of(separator);
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
    return new Fields(Objects.requireNonNull(made, "check comes first"), numbers);
  }

  /** Returns whether the run continues at a line that lacks a field. */
  public boolean passesMissing() {
    return missing == Missing.PASS;
  }

  /** Returns the file to read, or null for standard input. */
  public @Nullable Path file() {
    return input == null || input.toString().equals("-") ? null : input;
  }

  /**
   * Opens the input and decompresses it if it is compressed.
   *
   * @param standardInput the input to use if no file is given
   * @throws java.io.UncheckedIOException if reading fails, or if {@code --gzip} was given and the
   *     input is not compressed
   */
  public InputSource open(Supplier<InputSource> standardInput) {
    return InputSource.of(file(), standardInput).unpacked(gzip);
  }

  /**
   * Opens the input and returns its elements.
   *
   * @param standardInput the input to use if no file is given
   * @throws java.io.UncheckedIOException as {@link #open} does
   */
  public LineElements elements(Supplier<InputSource> standardInput) {
    return new LineElements(open(standardInput), fields(), passesMissing());
  }
}
