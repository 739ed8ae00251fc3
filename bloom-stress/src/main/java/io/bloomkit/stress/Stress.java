package io.bloomkit.stress;

import java.util.Arrays;
import java.util.List;
import org.openjdk.jcstress.Options;

/**
 * Runs the races by jcstress and says whether they ended as they must.
 *
 * <p>The command of jcstress would not do: it runs a race on one filter only, passes over races
 * that it cannot run, for want of processors or by a mistake in them, and has no notion of a filter
 * that must fail.
 */
public final class Stress {

  private static final String OURS = "ours";
  private static final String BROKEN = "broken";

  /** A second for each race, in one virtual machine that compiles as it likes. */
  private static final List<String> QUICKLY =
      List.of("-m", "quick", "-sc", "false", "-pth", "false");

  private Stress() {}

  /**
   * Runs races. Exits with 0 if all ended as they must: those of our filters without a forbidden
   * result, those of the broken ones with; with 1 if not or none was run, with 2 if the arguments
   * are wrong.
   *
   * @param arguments "ours" or "broken", then options of jcstress; without any, a second for each
   *     race
   */
  public static void main(String[] arguments) throws Exception {
    String which = arguments.length == 0 ? OURS : arguments[0];
    if (!which.equals(OURS) && !which.equals(BROKEN)) {
      System.err.println("the first argument must be " + OURS + " or " + BROKEN + ", got " + which);
      System.exit(2);
    }
    List<String> given =
        arguments.length < 2 ? QUICKLY : Arrays.asList(arguments).subList(1, arguments.length);
    Options options = new Options(given.toArray(String[]::new));
    if (!options.parse()) {
      System.exit(2);
    }
    RaceCourse course = new RaceCourse(options);
    int races = 0;
    int faults = 0;
    for (Subject subject : Subject.values()) {
      if ((subject.role == Subject.Role.OURS) == which.equals(OURS)) {
        Results results = course.run(subject);
        races += results.races();
        faults += results.print();
      }
    }
    System.out.println(faults + " of " + races + " races did not end as they must");
    System.exit(faults == 0 && races > 0 ? 0 : 1);
  }
}
