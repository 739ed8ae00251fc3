package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Arguments;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** What of its input a command takes for elements. */
public final class LineOptions {

  @Option(
      names = "--field",
      paramLabel = "K",
      converter = Arguments.WholeNumber.class,
      description =
          "Takes field K of each line, counted from 1, and not the whole line. It is taken as it"
              + " is, quotes have no meaning; a carriage return at the end of the line belongs to"
              + " no field.")
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
          "What happens at a line without the field: it is passed over, as none that is in the"
              + " set, or the run stops there with code 2 (default: ${DEFAULT-VALUE}).")
  private Missing missing = Missing.STOP;

  @Option(
      names = "--gzip",
      negatable = true,
      description =
          "The input is packed by gzip, or is not. Without it the first three bytes tell.")
  private @Nullable Boolean gzip;

  /**
   * Refuses what cannot be.
   *
   * @throws IllegalArgumentException if an option has such a value
   */
  public void check() {
    if (field != null) {
      Arguments.checkRange("--field", field, 1, Integer.MAX_VALUE);
    }
    if (separator.isEmpty() || separator.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "--separator must have a character and no line feed but is '" + separator + "'");
    }
  }

  /** Returns the elements of an input. */
  public LineElements of(DedupInput input) {
    return new LineElements(
        input.unpacked(gzip),
        field == null ? 0 : Math.toIntExact(field),
        separator.replace("\\t", "\t"),
        missing == Missing.PASS);
  }
}
