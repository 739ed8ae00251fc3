package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.internal.format.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run leaves beside its file when it is killed, and what the next run makes of it. */
class KilledRunTest {
  @TempDir private Path folder;

  /** Writes a file until it is killed. */
  static final class EndlessWriter {
    private EndlessWriter() {}

    public static void main(String[] arguments) throws IOException {
      AtomicFile.write(
          Path.of(arguments[0]),
          out -> {
            out.write(new byte[100]);
            System.out.write('\n'); // now the temporary file is there
            System.out.flush();
            System.in.read();
          });
    }
  }

  @Test
  void theNextRunDeletesTheFileOfAKilledOneOnly() throws Exception {
    Process writer =
        JavaProcess.of(List.of(), EndlessWriter.class, folder.resolve("b.bloom")).start();
    try {
      assertEquals('\n', writer.getInputStream().read());
      CommandRun.succeed("x\n", "build", "--items", 10, "-o", folder.resolve("a.bloom"));
      assertEquals(2, names().size(), () -> names().toString());
    } finally {
      writer.destroyForcibly().waitFor();
    }
    assertTrue(names().get(0).matches("\\.bloom-[0-9a-f]{16}\\.tmp"), () -> names().toString());
    CommandRun.succeed("y\n", "add", folder.resolve("a.bloom"));
    assertEquals(List.of(".bloom-a.bloom.lock", "a.bloom"), names());
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
