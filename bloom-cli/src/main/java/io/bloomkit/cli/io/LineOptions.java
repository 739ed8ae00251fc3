package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Arguments;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Which lines a command reads and what of each it takes as an element: the last argument, {@code
 * --field} and more.
 */
public final class LineOptions {

  @Parameters(
      index = "+", // after the arguments of the command itself
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file to read; standard input if it is - or left out.")
  private @Nullable Path input;

  @Option(
      names = "--field",
      paramLabel = "K",
      converter = Arguments.WholeNumber.class,
      description =
          "Takes field K of each line, counted from 1, as the element instead of the whole line."
              + " Quotes have no meaning. A carriage return at the end of the line belongs to no"
              + " field.")
  private @Nullable Long field;

  @Option(
      names = "--separator",
      paramLabel = "S",
      defaultValue = "\t",
      showDefaultValue = Visibility.NEVER,
      description = "What stands between fields, one character or more; a tab by default, or \\t.")
  private String separator = "\t";

  @Option(
      names = "--missing",
      paramLabel = "pass|stop",
      defaultValue = "stop",
      description =
          "What happens at a line without the field, or without the time of dedup: pass treats it"
              + " as absent from the filter and does not add it, stop ends the run there with code"
              + " 2 (default: ${DEFAULT-VALUE}).")
  private Missing missing = Missing.STOP;

  @Option(
      names = "--gzip",
      negatable = true,
      description =
          "The input is packed by gzip, or is not. Without it the first three bytes tell.")
  private @Nullable Boolean gzip;

  /**
   * Checks the values of the options.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public void check() {
    checkField("--field", field);
    if (separator.isEmpty() || separator.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "--separator must have a character and no line feed but is '" + separator + "'");
    }
  }

  /**
   * Checks the number of a field.
   *
   * @throws IllegalArgumentException if it is given and no field can have it
   */
  public static void checkField(String option, @Nullable Long number) {
    if (number != null) {
      Arguments.checkRange(option, number, 1, Integer.MAX_VALUE);
    }
  }

  /** Returns the field that is the element, from 1; 0 for the whole line. */
  public int field() {
    return field == null ? 0 : Math.toIntExact(field);
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
    return new LineElements(open(standardInput), field(), separator(), passesMissing());
  }
}
