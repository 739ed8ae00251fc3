package io.bloomkit.cli.io;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
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
              + " Several fields are joined by the separator in the order of the list. Quotes"
              + " have no meaning. A carriage return at the end of the line belongs to no"
              + " field.")
  private @Nullable FieldList fields;

  @Option(
      names = {"-t", "--separator"},
      paramLabel = "S",
      defaultValue = "\t",
      showDefaultValue = Visibility.NEVER,
      description = "The text between fields, one character or more (default: a tab, also \\t).")
  private String separator = "\t";

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
    if (separator.isEmpty() || separator.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "--separator must have at least one character and no line feed, got '" + separator + "'");
    }
  }

  /** Returns a finder of the elements of lines. */
  public Fields fields() {
    return new Fields(separator(), fields == null ? List.of() : fields.numbers());
  }

  /** Returns the text between fields. */
  public String separator() {
    return separator.replace("\\t", "\t");
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
