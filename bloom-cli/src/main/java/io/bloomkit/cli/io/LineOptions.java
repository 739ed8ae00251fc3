package io.bloomkit.cli.io;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Which lines a command reads and what of each it takes as an element: the last argument, {@code
 * --fields} and more.
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
          "Takes these fields of each line as the element, not the whole line: 2, or 1,3."
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
          "What to do with a line that lacks a field of --fields or of --time-field."
              + " pass: treat the line as absent from the filter, and do not add it. stop: end"
              + " the run there with exit code 2 (default: ${DEFAULT-VALUE}).")
  private Missing missing = Missing.STOP;

  @Option(
      names = "--gzip",
      negatable = true,
      description =
          "Whether the input is packed by gzip. Without this option the first three bytes"
              + " of the input decide.")
  private @Nullable Boolean gzip;

  /**
   * Checks the values of the options.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public void check() {
    if (separator.isEmpty() || separator.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "--separator must have a character and no line feed, got '" + separator + "'");
    }
  }

  /** Returns what finds the element of a line. */
  public Fields fields() {
    return new Fields(separator(), fields == null ? List.of() : fields.numbers());
  }

  /** Returns the text between fields. */
  public String separator() {
    return separator.replace("\\t", "\t");
  }

  /** Returns whether the run goes on at a line without the field. */
  public boolean passesMissing() {
    return missing == Missing.PASS;
  }

  /** Returns the file to read, or null if that is standard input. */
  public @Nullable Path file() {
    return input == null || input.toString().equals("-") ? null : input;
  }

  /**
   * Opens the input and unpacks it if it is packed.
   *
   * @param standardInput opened if no file is given
   * @throws java.io.UncheckedIOException if reading fails, or {@code --gzip} was given and the
   *     input is not packed
   */
  public InputSource open(Supplier<InputSource> standardInput) {
    return InputSource.of(file(), standardInput).unpacked(gzip);
  }

  /**
   * Opens the input and returns its elements.
   *
   * @param standardInput opened if no file is given
   * @throws java.io.UncheckedIOException as {@link #open} does
   */
  public LineElements elements(Supplier<InputSource> standardInput) {
    return new LineElements(open(standardInput), fields(), passesMissing());
  }
}
