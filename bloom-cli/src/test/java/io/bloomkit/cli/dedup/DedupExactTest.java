package io.bloomkit.cli.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.DedupRun;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code bloom dedup} against the exact answer, on two million lines.
 *
 * <p>Certain: no repeat is printed, and what is printed comes in order. By chance: of the new lines
 * the number of dropped ones is as the rate predicts. Given the filter, each is dropped by chance
 * of its own, so their number is close to a Poisson variable; that it lies within six deviations of
 * the expectation, which the run itself gives, plus 3 % for what that neglects, fails by chance
 * with α below 10⁻⁸. With an expectation of 600, the least there is, it finds a rate that is wrong
 * by half with a power above 0.999. The seed is fixed.
 */
class DedupExactTest {

  private static final int LINES = 2_000_000;
  private static final int WINDOW = 100_000;

  /** Sixteen fifteenths of the window, rounded up to epochs: from here on nothing is left. */
  private static final int FORGOTTEN = 16 * 6667;

  private static final double FPP_OF_WINDOWS = 0.001;
  private static final double DEVIATIONS = 6;
  private static final double NEGLECTED = 0.03;

  private static final long[] IDS = new long[LINES];

  /** Whether a line is new, to a memory without end, and to one that forgets. */
  private static final boolean[] FIRST = new boolean[LINES];

  private static final boolean[] FIRST_IN_WINDOW = new boolean[LINES];

  static {
    Random random = new Random(20_240_501);
    Long2IntOpenHashMap last = new Long2IntOpenHashMap();
    for (int i = 0; i < LINES; i++) {
      long id = random.nextLong();
      int kind = random.nextInt(4);
      int lag = kind == 0 ? 1 + random.nextInt(WINDOW) : FORGOTTEN + random.nextInt(10 * WINDOW);
      if (kind < 2 && lag <= i) {
        int age = i - last.get(IDS[i - lag]);
        // Whether a line that fades is dropped, nobody can say.
        id = age > WINDOW && age < FORGOTTEN ? id : IDS[i - lag];
      }
      FIRST[i] = !last.containsKey(id);
      FIRST_IN_WINDOW[i] = FIRST[i] || i - last.get(id) > WINDOW;
      IDS[i] = id;
      last.put(id, i);
    }
  }

  @Test
  void fixedFilterErrsAsItSays() {
    agreesButForTheError(0.01, input(-1), FIRST, "--items=1185141");
  }

  @Test
  void growingFilterErrsAsItSays() {
    agreesButForTheError(0.02, input(-1), FIRST);
  }

  @Tag("deep")
  @Test
  void exactSetDropsNoNewLine() {
    DedupRun run = DedupRun.of(input(-1), "--exact");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(0, wronglyDropped(input(-1), run.out(), FIRST));
    assertTrue(run.err().endsWith("expected lines wrongly dropped: 0.00\n"), run.err());
  }

  @Tag("deep")
  @Test
  void strictFilterIsExact() {
    DedupRun run = DedupRun.of(input(-1), "--fpp", "1e-9", "--items", "1500000");
    assertEquals(0, wronglyDropped(input(-1), run.out(), FIRST));
  }

  @Tag("deep")
  @Test
  void windowOfLinesErrsAsItSays() {
    agreesButForTheError(
        FPP_OF_WINDOWS,
        input(0),
        FIRST_IN_WINDOW,
        "--window",
        "100_000",
        "--fields",
        "2",
        "--separator",
        ",");
  }

  @Tag("deep")
  @Test
  void windowOfTimeErrsAsItSays() {
    // A line a millisecond.
    agreesButForTheError(
        FPP_OF_WINDOWS,
        input(1_700_000_000_000L),
        FIRST_IN_WINDOW,
        "--window=100s",
        "--items=100000",
        "--fields=2",
        "--separator=,",
        "--time-field=1",
        "--time-format=ms");
  }

  private static void agreesButForTheError(
      double fpp, byte[] input, boolean[] first, String... options) {
    String[] arguments = new String[options.length + 2];
    System.arraycopy(options, 0, arguments, 0, options.length);
    arguments[options.length] = "--stats";
    arguments[options.length + 1] = "--fpp=" + fpp;
    DedupRun run = DedupRun.of(input, arguments);
    assertEquals(0, run.exitCode(), run.err());
    int news = 0;
    for (boolean isFirst : first) {
      news += isFirst ? 1 : 0;
    }
    int wrong = wronglyDropped(input, run.out(), first);
    double expected = figure(run.err(), "expected lines wrongly dropped");
    assertEquals(LINES - news + wrong, (int) figure(run.err(), "lines dropped"));
    assertTrue(expected > 600 && expected <= 1.02 * fpp * news, run.err());
    double tolerance = DEVIATIONS * Math.sqrt(expected) + NEGLECTED * expected;
    assertEquals(expected, wrong, tolerance, run.err());
  }

  /** Compares line by line. Anything but a new line that is missing is a failure. */
  private static int wronglyDropped(byte[] input, byte[] output, boolean[] first) {
    int wrong = 0;
    int at = 0;
    int from = 0;
    for (int i = 0; i < LINES; i++) {
      int to = from;
      while (input[to] != '\n') {
        to++;
      }
      to++;
      if (first[i]) {
        boolean isPrinted =
            at + to - from <= output.length
                && Arrays.equals(input, from, to, output, at, at + to - from);
        at += isPrinted ? to - from : 0;
        wrong += isPrinted ? 0 : 1;
      }
      from = to;
    }
    assertEquals(output.length, at, "something else was printed than new lines in their order");
    return wrong;
  }

  /**
   * Lines of ids; with a number before them, counted from {@code firstNumber}, unless that is -1.
   */
  private static byte[] input(long firstNumber) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      if (firstNumber >= 0) {
        text.append(firstNumber + i).append(',');
      }
      text.append(Long.toHexString(IDS[i])).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static double figure(String table, String name) {
    return table
        .lines()
        .filter(line -> line.startsWith(name + "  "))
        .mapToDouble(
            line -> Double.parseDouble(line.substring(name.length()).strip().replace(",", "")))
        .findFirst()
        .orElseThrow();
  }
}
