package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles what docs/flink.md shows, as it stands there. */
class FlinkDocumentTest {

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

  @Test
  void theCodeOfThePageCompiles(@TempDir Path folder) throws Exception {
    List<String> blocks = blocks();
    assertEquals(2, blocks.size());
    assertTrue(blocks.get(0).lines().count() <= 10, "more than ten lines");
    Path source = folder.resolve("Sample.java");
    Files.writeString(
        source,
        """
        import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
        import io.bloomkit.flink.*;
        import io.bloomkit.hash.HashStrategies;
        import java.io.*;
        import java.time.Duration;
        import org.apache.flink.api.common.state.*;
        import org.apache.flink.streaming.api.datastream.*;
        import org.apache.flink.util.OutputTag;

        public class Sample {
          public record Click(String id) {}

          public static void run(DataStream<Click> clicks, OutputTag<Click> repeats) {
        %s
          }

        %s
        }
        """
            .formatted(blocks.get(0), blocks.get(1)));
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
    assertTrue(page().contains("Flink " + version) || page().contains("and " + version), version);
  }

  @Test
  void thePageHasThePlanOfTheDay() throws IOException {
    long keys = KeyGroupSize.of(864_000_000, 1_024);
    assertTrue(page().contains(String.format(Locale.ROOT, "%,d", keys)), "" + keys);
  }
}
