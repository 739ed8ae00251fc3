package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.testkit.DeletableFilterContract;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the Java code that README shows, as it stands there. */
class ReadmeTest {

  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void theFirstTenLinesDoWhatTheirCommentsSay(@TempDir Path folder) throws Exception {
    String code = block(0);
    assertTrue(code.lines().count() <= 10, "more than ten lines");
    Map<?, ?> answers =
        (Map<?, ?>)
            compiled(
                    folder,
                    "Readme",
                    """
                    import io.bloomkit.HashStrategies;
                    import io.bloomkit.classic.ClassicBloomFilter;
                    import io.bloomkit.counting.CountingBloomFilter;
                    import java.util.Map;

                    public class Readme {
                      public static Map<String, Boolean> run() {
                    %s
                        return Map.of(
                            "isNew", isNew, "there", there, "gone", gone, "still", still, "bob", bob);
                      }
                    }
                    """
                        .formatted(code))
                .getMethod("run")
                .invoke(null);
    assertEquals(
        Map.of("isNew", true, "there", true, "gone", true, "still", false, "bob", true), answers);
  }

  @Test
  void bothWaysToForgetByAgeDoWhatTheirCommentsSay(@TempDir Path folder) throws Exception {
    Map<?, ?> answers =
        (Map<?, ?>)
            compiled(
                    folder,
                    "Ages",
                    """
                    import io.bloomkit.HashStrategies;
                    import io.bloomkit.counting.CountingBloomFilter;
                    import io.bloomkit.scalable.AgingBloomFilter;
                    import java.time.Duration;
                    import java.util.ArrayDeque;
                    import java.util.List;
                    import java.util.Map;
                    import java.util.Queue;

                    public class Ages {
                      public static Map<String, Boolean> run() {
                    %s
                        return Map.of(
                            "isFirst", isFirst, "isRepeat", isRepeat, "oldest", oldest, "older", older);
                      }
                    }
                    """
                        .formatted(block(1)))
                .getMethod("run")
                .invoke(null);
    assertEquals(
        Map.of("isFirst", true, "isRepeat", true, "oldest", true, "older", false), answers);
  }

  @Test
  void theContractTestCompilesAndMakesAFilter(@TempDir Path folder) throws Exception {
    Class<?> contractTest =
        compiled(
            folder,
            "MyFilterContractTest",
            """
            import io.bloomkit.DeletableFilter;
            import io.bloomkit.HashStrategies;
            import io.bloomkit.counting.CountingBloomFilter;
            import io.bloomkit.testkit.DeletableFilterContract;

            %s
            """
                .formatted(block(2)));
    Constructor<?> constructor = contractTest.getDeclaredConstructor();
    constructor.setAccessible(true);
    DeletableFilterContract<?> contract = (DeletableFilterContract<?>) constructor.newInstance();
    assertEquals("element 7", contract.element(7));
    contract.whatWasAddedIsNotDeniedAtTenTimesTheDesignLoad();
  }

  private static String block(int index) throws IOException {
    return JAVA_BLOCK
        .matcher(Files.readString(Path.of("../README.md")))
        .results()
        .skip(index)
        .findFirst()
        .orElseThrow()
        .group(1);
  }

  private static Class<?> compiled(Path folder, String name, String source) throws Exception {
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiles =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  List.of(
                      "-d",
                      folder.toString(),
                      "-proc:none",
                      "-classpath",
                      System.getProperty("java.class.path")),
                  null,
                  files.getJavaFileObjects(file))
              .call();
      assertTrue(compiles, messages::toString);
    }
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, ReadmeTest.class.getClassLoader())
        .loadClass(name);
  }
}
