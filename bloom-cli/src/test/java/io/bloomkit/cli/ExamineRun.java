package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.cli.dedup.DedupCommand;
import io.bloomkit.cli.examine.ExamineCommand;
import io.bloomkit.cli.experiment.clicks.ClickPlan;
import io.bloomkit.cli.experiment.clicks.ClicksCommand;
import io.bloomkit.cli.experiment.fill.IdsCommand;
import io.bloomkit.cli.io.InputSource;
import io.bloomkit.cli.text.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

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
    InputSource standardInput =
        new InputSource(new ByteArrayInputStream(input), "standard input", InputSource.UNKNOWN);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Bloom.commandLine(
                new IdsCommand(IdsCommand::candidates),
                new ClicksCommand(ClickPlan::ofExperiment),
                new DedupCommand(
                    InputSource::standard, OutputStream.nullOutputStream(), InstantSource.system()),
                new ExamineCommand(() -> standardInput, environment::get))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of("examine"));
    all.addAll(List.of(arguments));
    int exitCode = Bloom.run(commandLine, all.toArray(String[]::new));
    return new ExamineRun(exitCode, out.toString(), err.toString());
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
