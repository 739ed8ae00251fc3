package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.dedup.DedupCommand;
import io.bloomkit.cli.experiment.clicks.ClickPlan;
import io.bloomkit.cli.experiment.clicks.ClicksCommand;
import io.bloomkit.cli.experiment.fill.IdsCommand;
import io.bloomkit.cli.io.InputSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import picocli.CommandLine;

/**
 * A run of {@code bloom dedup} in this process.
 *
 * @param text the output, each byte as a character
 */
public record DedupRun(int exitCode, String text, String err) {

  public static DedupRun of(byte[] input, String... arguments) {
    return of(new ByteArrayInputStream(input), InstantSource.system(), arguments);
  }

  /** Each character of the input is a byte. */
  public static DedupRun of(String input, String... arguments) {
    return of(input.getBytes(StandardCharsets.ISO_8859_1), arguments);
  }

  public static DedupRun of(InputStream input, InstantSource time, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DedupRun run = of(input, out, time, arguments);
    return new DedupRun(run.exitCode, out.toString(StandardCharsets.ISO_8859_1), run.err);
  }

  public static DedupRun of(
      InputStream input, OutputStream out, InstantSource time, String... arguments) {
    DedupCommand dedup =
        new DedupCommand(
            () -> new InputSource(input, "standard input", InputSource.UNKNOWN), out, time);
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Bloom.commandLine(
                new IdsCommand(IdsCommand::candidates),
                new ClicksCommand(ClickPlan::ofExperiment),
                dedup)
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err));
    String[] all = new String[arguments.length + 1];
    all[0] = "dedup";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    int exitCode = Bloom.run(commandLine, all);
    return new DedupRun(exitCode, "", err.toString());
  }

  public byte[] out() {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Fails unless this run ended with code 2 and one line of error that begins so. */
  public void isNoSuccess(String message) {
    assertEquals(2, exitCode);
    assertTrue(err.startsWith(message), err);
    assertEquals(1, err.lines().count(), err);
  }
}
