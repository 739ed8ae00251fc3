package io.bloomkit.cli.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.cli.Bloom;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@code bloom}, in a process of its own, ends when its output cannot be written. */
class StandardOutputTest {

  private static final int KILLED_BY_SIGPIPE = 141;

  @TempDir private Path folder;

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aReaderThatHasGoneEndsTheCommandSilently() throws Exception {
    assertEndsSilently("check FILTER LINES");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dedup LINES", "inspect FILTER", "dedup --help"})
  @Tag("deep")
  @DisabledOnOs(OS.WINDOWS)
  void aReaderThatHasGoneEndsAnyCommandSilently(String arguments) throws Exception {
    assertEndsSilently(arguments);
  }

  private void assertEndsSilently(String arguments) throws Exception {
    Process process = bloom(arguments).start();
    process.getInputStream().close();
    assertEquals("", err(process));
    assertEquals(KILLED_BY_SIGPIPE, process.waitFor());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsReported() throws Exception {
    assertReportsAFullDisk("check FILTER LINES");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dedup LINES", "inspect FILTER", "dedup --help"})
  @Tag("deep")
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsReportedByAnyCommand(String arguments) throws Exception {
    assertReportsAFullDisk(arguments);
  }

  private void assertReportsAFullDisk(String arguments) throws Exception {
    Process process = bloom(arguments).redirectOutput(new File("/dev/full")).start();
    assertEquals("bloom: cannot write to standard output: No space left on device\n", err(process));
    assertEquals(ExitCode.FAILURE, process.waitFor());
  }

  private static String err(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private ProcessBuilder bloom(String arguments) throws IOException {
    String lines = IntStream.range(0, 100).mapToObj(i -> i + "\n").collect(Collectors.joining());
    Path filter = CommandRun.build(folder, "classic", lines);
    Path input = Files.writeString(folder.resolve("lines"), lines);
    Object[] words =
        Stream.of(arguments.split(" "))
            .map(word -> word.equals("FILTER") ? filter : word.equals("LINES") ? input : word)
            .toArray();
    return JavaProcess.of(List.of(), Bloom.class, words);
  }
}
