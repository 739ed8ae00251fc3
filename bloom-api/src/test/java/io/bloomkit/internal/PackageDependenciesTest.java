package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of this module depend on each other as docs/architecture.md says. */
class PackageDependenciesTest {

  private static final Path SOURCES = Path.of("src", "main", "java");

  /** Each package imports those before it only. */
  private static final List<String> ORDER =
      List.of(
          "io.bloomkit.internal",
          "io.bloomkit.hash",
          "io.bloomkit",
          "io.bloomkit.internal.format",
          "io.bloomkit.format",
          "io.bloomkit.internal.filter");

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(io\\.bloomkit[a-z.]*)\\.[A-Z]", Pattern.MULTILINE);

  @Test
  void noPackageImportsALaterOne() throws IOException {
    List<String> upward = new ArrayList<>();
    int imports = 0;
    for (String name : ORDER) {
      try (Stream<Path> files = Files.list(SOURCES.resolve(name.replace('.', '/')))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Matcher imported = IMPORT.matcher(Files.readString(file));
          for (; imported.find(); imports++) {
            int place = ORDER.indexOf(imported.group(1));
            if (place < 0 || place > ORDER.indexOf(name)) {
              upward.add(file + " imports " + imported.group(1));
            }
          }
        }
      }
    }
    assertEquals(List.of(), upward);
    assertFalse(imports == 0, "no import was found");
  }

  /** Tools use what a user of the library can use. */
  @Test
  void toolsImportNoInternalPackage() throws IOException {
    List<String> found = new ArrayList<>();
    int count = 0;
    for (String module : List.of("cli", "examples", "flink", "micrometer", "spark", "testkit")) {
      try (Stream<Path> files = Files.walk(Path.of("..", "bloom-" + module).resolve(SOURCES))) {
        for (Path file : files.filter(name -> name.toString().endsWith(".java")).toList()) {
          count++;
          if (Files.readString(file).contains("import io.bloomkit.internal.")) {
            found.add(file.toString());
          }
        }
      }
    }
    assertEquals(List.of(), found);
    assertFalse(count < 100, count + " files were read");
  }
}
