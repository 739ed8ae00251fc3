package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.experiment.clicks.ClickPlan;
import io.bloomkit.cli.experiment.fill.IdsCommand;
import io.bloomkit.cli.io.InputSource;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.text.FlatJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * A run of {@code bloom} in this process.
 *
 * @param text lines that were printed, each byte as a character
 * @param out what else went to standard output: figures
 */
public record CommandRun(int exitCode, String text, String out, String err) {

  /** Each character of the input is a byte; of the arguments, texts stand for themselves. */
  public static CommandRun of(String input, Object... arguments) {
    return of(streams(input, new ByteArrayOutputStream()), arguments);
  }

  /** Returns streams of an input, each character a byte, and an output. */
  static StandardStreams streams(String input, OutputStream out) {
    return streams(new ByteArrayInputStream(input.getBytes(StandardCharsets.ISO_8859_1)), out);
  }

  /** Returns streams of an input and an output. */
  public static StandardStreams streams(InputStream input, OutputStream out) {
    return new StandardStreams(
        () -> new InputSource(input, "standard input", InputSource.UNKNOWN), out);
  }

  /** Runs a command with other streams. */
  public static CommandRun of(StandardStreams streams, Object... arguments) {
    return of(Bloom.Environment.of(streams), arguments);
  }

  /** Runs a command with another experiment with ids than the usual one. */
  static CommandRun ofIds(IdsCommand.CandidateFactory ids, Object... arguments) {
    Bloom.Environment usual = Bloom.Environment.of(streams("", new ByteArrayOutputStream()));
    return of(
        new Bloom.Environment(
            usual.streams(), usual.clock(), usual.variables(), ids, usual.clicks()),
        arguments);
  }

  /** Runs a command with another experiment with clicks than the usual one. */
  public static CommandRun ofClicks(ClickPlan.Factory clicks, Object... arguments) {
    Bloom.Environment usual = Bloom.Environment.of(streams("", new ByteArrayOutputStream()));
    return of(
        new Bloom.Environment(
            usual.streams(), usual.clock(), usual.variables(), usual.candidates(), clicks),
        arguments);
  }

  static CommandRun of(Bloom.Environment environment, Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] words = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
    CommandLine commandLine =
        Bloom.commandLine(environment, words)
            .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    int exitCode = Bloom.run(commandLine, words);
    String lines =
        environment.streams().out() instanceof ByteArrayOutputStream bytes
            ? bytes.toString(StandardCharsets.ISO_8859_1)
            : "";
    return new CommandRun(exitCode, lines, withLineFeeds(out), withLineFeeds(err));
  }

  /** Returns what was printed, with the line ends that all systems but Windows have. */
  private static String withLineFeeds(StringWriter printed) {
    return printed.toString().replace(System.lineSeparator(), "\n");
  }

  /** Runs a command that must succeed. */
  public static CommandRun succeed(String input, Object... arguments) {
    return of(input, arguments).isDone();
  }

  /** Fails unless this run succeeded. */
  public CommandRun isDone() {
    assertEquals(0, exitCode, err);
    return this;
  }

  /** Fails unless this run printed nothing but one line of error that has a part. */
  public void isRefused(String part) {
    assertEquals(2, exitCode);
    assertEquals("", out);
    assertTrue(err.startsWith("bloom: "), err);
    assertTrue(err.replace(File.separatorChar, '/').contains(part), err);
    assertEquals(1, err.lines().count(), err);
  }

  /** Runs a command that must fail with a line that says why. */
  public static String fail(String input, Object... arguments) {
    CommandRun run = of(input, arguments);
    assertEquals(2, run.exitCode, run.err);
    assertEquals("", run.text);
    assertEquals(1, run.err.lines().filter(line -> line.startsWith("bloom: ")).count(), run.err);
    assertEquals(1, run.err.lines().count(), run.err);
    return run.err.strip();
  }

  /** Returns the figures of the filter in a file, as {@code inspect --json} prints them. */
  public static Map<String, String> inspect(Path file) {
    return FlatJson.object(succeed("", "inspect", "--json", file).out());
  }

  /** Returns a line for each number from one to another, which is not among them. */
  public static String numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  /** Returns a file in which there is a filter of some lines. */
  public static Path build(Path folder, String variant, String lines, Object... more) {
    Path file = folder.resolve(variant + ".bloom");
    Object[] arguments = {
      "build", "--kind", variant, "--items", 1000, "--fpp", 0.0001, "--force", "-o", file
    };
    Stream<Object> window =
        variant.equals("expiring-cuckoo") ? Stream.of("--window", "1h") : Stream.empty();
    succeed(
        lines, Stream.of(Stream.of(arguments), window, Stream.of(more)).flatMap(s -> s).toArray());
    return file;
  }
}
