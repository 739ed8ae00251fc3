package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.cli.text.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A run of {@code bloom examine} in this process. */
public record ExamineRun(int exitCode, String out, String err) {

  public static ExamineRun of(String... arguments) {
    return of("", Map.of(), arguments);
  }

  /**
   * Runs the command.
   *
   * @param input what standard input holds
   * @param environment the variables there are
   */
  public static ExamineRun of(String input, Map<String, String> environment, String... arguments) {
    return of(input.getBytes(StandardCharsets.UTF_8), environment, arguments);
  }

  public static ExamineRun of(byte[] input, Map<String, String> environment, String... arguments) {
    Bloom.Environment usual =
        Bloom.Environment.of(
            CommandRun.streams(new ByteArrayInputStream(input), OutputStream.nullOutputStream()));
    CommandRun run =
        CommandRun.of(
            new Bloom.Environment(
                usual.streams(),
                usual.clock(),
                environment::get,
                usual.candidates(),
                usual.clicks()),
            Stream.concat(Stream.of("examine"), Stream.of(arguments)).toArray());
    return new ExamineRun(run.exitCode(), run.out(), run.err());
  }

  /** Returns what the output says as JSON. */
  public Map<String, @Nullable Object> json() {
    assertEquals("", err);
    return JsonReader.object(out);
  }

  /** Returns a member of the JSON that is not null. */
  public Object member(String name) {
    return Objects.requireNonNull(json().get(name), name);
  }

  /** Returns the verdict in JSON. */
  public String verdict() {
    return (String) member("verdict");
  }

  /** Returns the tests in JSON, by their names. */
  public Map<String, Map<?, ?>> tests() {
    Map<String, Map<?, ?>> byName = new LinkedHashMap<>();
    for (Object test : (List<?>) member("tests")) {
      Map<?, ?> members = (Map<?, ?>) test;
      byName.put((String) Objects.requireNonNull(members.get("name")), members);
    }
    return byName;
  }

  /** Returns a figure of a test in JSON. */
  public static double figure(Map<?, ?> test, String name) {
    return (double) Objects.requireNonNull(test.get(name), name);
  }

  /** Returns a test in JSON. */
  public Map<?, ?> test(String name) {
    return Objects.requireNonNull(tests().get(name), name);
  }
}
