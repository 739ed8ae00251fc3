package io.bloomkit.stress;

import java.util.Arrays;
import java.util.List;
import org.openjdk.jcstress.Options;

/**
 * Runs the races by jcstress and reports whether they had the required outcomes.
 *
 * <p>The command of jcstress does not suffice. It runs a race on one filter only, skips races that
 * it cannot run because of too few processors or a mistake in them, and does not support filters
 * that must fail.
 */
public final class Stress {

  private static final String OURS = "ours";
  private static final String BROKEN = "broken";

  /** The options for one second per race, in one virtual machine with default compilation. */
  private static final List<String> QUICK_OPTIONS =
      List.of("-m", "quick", "-sc", "false", "-pth", "false");

  private Stress() {}

  /**
   * Runs races. The exit code is 0 if all races had the required outcome: no forbidden result for
   * Bloomkit's filters, at least one for each broken filter. The exit code is 1 if a race had
   * another outcome or if none was run, and 2 if the arguments are invalid.
   *
   * @param arguments "ours" or "broken", followed by options of jcstress; without options, each
   *     race takes a second
   */
  public static void main(String[] arguments) throws Exception {
    String which = arguments.length == 0 ? OURS : arguments[0];
    if (!which.equals(OURS) && !which.equals(BROKEN)) {
      System.err.println("the first argument must be " + OURS + " or " + BROKEN + ", got " + which);
      System.exit(2);
    }
    List<String> given =
        arguments.length < 2
            ? QUICK_OPTIONS
            : Arrays.asList(arguments).subList(1, arguments.length);
    Options options = new Options(given.toArray(String[]::new));
    if (!options.parse()) {
      System.exit(2);
    }
    RaceRunner runner = new RaceRunner(options);
    int races = 0;
    int faults = 0;
    for (Subject subject : Subject.values()) {
      if ((subject.role == Subject.Role.OURS) == which.equals(OURS)) {
        Results results = runner.run(subject);
        races += results.races();
        faults += results.print();
      }
    }
    System.out.println(faults + " of " + races + " races did not have the required outcome");
    System.exit(faults == 0 && races > 0 ? 0 : 1);
  }
}
