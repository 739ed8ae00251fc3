package io.bloomkit.cli.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code dedup -u} is exact, at any false-positive rate. */
class UniqueLinesTest {

  @TempDir private Path folder;

  /** The highest rate makes the filter hold many lines that occur once. */
  @ParameterizedTest
  @ValueSource(strings = {"0.9", "0.3", "0.0001"})
  void linesAreThoseThatAnExactCountFinds(String fpp) throws Exception {
    Random random = new Random(7);
    List<String> lines = new ArrayList<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String line = Integer.toString(random.nextInt(20_000));
      lines.add(line);
      counts.merge(line, 1, Integer::sum);
    }
    counts.values().removeIf(count -> count > 1);
    Path file = Files.writeString(folder.resolve("lines"), String.join("\n", lines) + "\n");
    CommandRun run = CommandRun.succeed("", "dedup", "-u", "--fpp", fpp, "--items=9000", file);
    assertEquals(String.join("\n", counts.keySet()) + "\n", run.text());
    assertTrue(
        run.err()
            .startsWith(
                String.format(
                    "20,000 lines, %,d unique printed, %,d repeated not printed, about ",
                    counts.size(), 20_000 - counts.size())),
        run.err());
    CommandRun counted = CommandRun.succeed("", "dedup", "-uc", "--fpp", fpp, file);
    assertEquals(counts.size() + "\n", counted.text());
    assertTrue(counted.err().contains(" repeated not counted, about "), counted.err());
  }

  @Test
  void fieldsFilesAndLinesWithoutAField() throws Exception {
    Path x = Files.writeString(folder.resolve("x"), "1 a\n2 b\n3");
    Path y = Files.writeString(folder.resolve("y"), "4 a\n5 c");
    CommandRun run = CommandRun.succeed("", "dedup", "-uf2", "--missing=pass", x, y);
    assertEquals("2 b\n3\n5 c", run.text());
    assertTrue(run.err().endsWith(" bytes of memory; blanks separate fields, see -t\n"), run.err());
    assertEquals(
        "bloom: line 3 of "
            + x
            + " has no field 2 (blanks separate fields, see -t; --missing pass continues)",
        CommandRun.fail("", "dedup", "-uf2", x));
    Path gone = Files.writeString(folder.resolve("z"), "a\0b\0a\0");
    assertEquals("b\0", CommandRun.succeed("", "dedup", "-uz", gone).text());
  }
}
