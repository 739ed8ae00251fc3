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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check FILTER LINES",
        "check -c FILTER LINES",
        "dedup LINES",
        "inspect FILTER",
        "size --items 10 --fpp 0.01 --json",
        "dedup --help"
      })
  @DisabledOnOs(OS.WINDOWS)
  void aReaderThatHasGoneEndsTheCommandSilently(String arguments) throws Exception {
    Process process = bloom(arguments).start();
    process.getInputStream().close();
    assertEquals("", err(process));
    assertEquals(KILLED_BY_SIGPIPE, process.waitFor());
  }

  @ParameterizedTest
  @ValueSource(strings = {"check FILTER LINES", "dedup LINES", "inspect FILTER", "dedup --help"})
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsReported(String arguments) throws Exception {
    Process process = bloom(arguments).redirectOutput(new File("/dev/full")).start();
    assertEquals("bloom: cannot write to standard output: No space left on device\n", err(process));
    assertEquals(ExitCode.NOT_AS_ASKED, process.waitFor());
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
