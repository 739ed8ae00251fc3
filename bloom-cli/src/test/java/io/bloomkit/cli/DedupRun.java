package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.stream.Stream;

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
    return of(input, new ByteArrayOutputStream(), time, arguments);
  }

  public static DedupRun of(
      InputStream input, OutputStream out, InstantSource time, String... arguments) {
    Bloom.Environment usual = Bloom.Environment.of(CommandRun.streams(input, out));
    CommandRun run =
        CommandRun.of(
            new Bloom.Environment(
                usual.streams(), time, usual.variables(), usual.candidates(), usual.clicks()),
            Stream.concat(Stream.of("dedup"), Stream.of(arguments)).toArray());
    return new DedupRun(run.exitCode(), run.text(), run.err());
  }

  /** Returns the output of a run that must succeed. */
  public static String dedup(String input, String... arguments) {
    DedupRun run = of(input, arguments);
    assertEquals(0, run.exitCode, run.err);
    return run.text;
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
