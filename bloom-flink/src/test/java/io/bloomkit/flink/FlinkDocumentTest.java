package io.bloomkit.flink;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles what docs/flink.md shows, as it stands there. */
class FlinkDocumentTest {

  private static final Pattern IMPORTS = Pattern.compile("(?m)^import \\S+;\n+");

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/flink.md"));
  }

  private static List<String> blocks() throws IOException {
    return Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
        .matcher(page())
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private static String imports(String page) {
    return IMPORTS.matcher(page).results().map(MatchResult::group).collect(joining());
  }

  private static String code(String block) {
    return IMPORTS.matcher(block).replaceAll("");
  }

  @Test
  void theCodeOfThePageCompiles(@TempDir Path folder) throws Exception {
    List<String> blocks = blocks();
    assertEquals(2, blocks.size());
    assertTrue(code(blocks.get(0)).lines().count() <= 10, "more than ten lines");
    Path source = folder.resolve("Sample.java");
    Files.writeString(
        source,
        """
        %s
        import org.apache.flink.util.OutputTag;

        public class Sample {
          public record Click(String id) {}

          public static void run(DataStream<Click> clicks, OutputTag<Click> repeats) {
        %s
          }

        %s
        }
        """
            .formatted(imports(page()), code(blocks.get(0)), code(blocks.get(1))));
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString()));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      assertEquals("Sample", loader.loadClass("Sample").getName());
    }
  }

  @Test
  void thePageNamesTheVersionsOfFlink() throws IOException {
    String version = EnvironmentInformation.getVersion();
    assertTrue(page().contains("Flink " + version), version);
  }

  @Test
  void thePageHasThePlanOfTheDay() throws IOException {
    long keys = KeyGroupSize.of(864_000_000, 1_024);
    assertTrue(page().contains(String.format(Locale.ROOT, "%,d", keys)), "" + keys);
  }
}
