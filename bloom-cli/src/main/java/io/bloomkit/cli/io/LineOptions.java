package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Arguments;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/**
 * The options that say what of each line a command takes as an element: {@code --field} and more.
 */
public final class LineOptions {

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

  /**
   * Returns what an input unpacks to, or the input itself if it is not packed.
   *
   * @throws java.io.UncheckedIOException if reading fails, or {@code --gzip} was given and the
   *     input is not packed
   */
  public InputSource unpack(InputSource input) {
    return input.unpacked(gzip);
  }

  /** Returns the elements of an input. */
  public LineElements of(InputSource input) {
    return new LineElements(unpack(input), field(), separator(), passesMissing());
  }
}
