package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import io.bloomkit.classic.guava.GuavaBloomFilters;
import io.bloomkit.classic.guava.GuavaFunnel;
import io.bloomkit.testkit.DeletableFilterContract;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the Java code that README shows, as it stands there. */
class ReadmeTest {

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
                    import io.bloomkit.hash.HashStrategies;
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
                    import io.bloomkit.hash.HashStrategies;
                    import io.bloomkit.counting.CountingBloomFilter;
                    import io.bloomkit.scalable.aging.AgingBloomFilter;
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
            import io.bloomkit.hash.HashStrategies;
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

  @Test
  void theWayFromGuavaIsWhatItsCommentsSay(@TempDir Path folder) throws Exception {
    Funnel<CharSequence> funnel = Funnels.stringFunnel(StandardCharsets.UTF_8);
    BloomFilter<CharSequence> guavas = BloomFilter.create(funnel, 1000, 0.01);
    guavas.put("alice");
    ByteArrayOutputStream before = new ByteArrayOutputStream();
    guavas.writeTo(before);
    ByteArrayOutputStream after = new ByteArrayOutputStream();
    Path file = folder.resolve("seen.bloom");
    Map<?, ?> answers =
        (Map<?, ?>)
            compiled(
                    folder,
                    "FromGuava",
                    """
                    import io.bloomkit.hash.HashStrategies;
                    import io.bloomkit.classic.ClassicBloomFilter;
                    import io.bloomkit.classic.guava.GuavaBloomFilter;
                    import io.bloomkit.classic.guava.GuavaBloomFilters;
                    import io.bloomkit.classic.guava.GuavaFunnel;
                    import java.io.IOException;
                    import java.io.InputStream;
                    import java.io.OutputStream;
                    import java.nio.charset.StandardCharsets;
                    import java.nio.file.Path;
                    import java.util.Map;

                    public class FromGuava {
                      public static Map<String, Boolean> run(
                          InputStream in, OutputStream out, Path file) throws IOException {
                    %s
                        return Map.of("alice", alice, "isBobNew", isBobNew, "carol", carol);
                      }
                    }
                    """
                        .formatted(blockWith("GuavaFunnel")))
                .getMethod("run", InputStream.class, OutputStream.class, Path.class)
                .invoke(null, new ByteArrayInputStream(before.toByteArray()), after, file);
    assertEquals(Map.of("alice", true, "isBobNew", true, "carol", true), answers);
    BloomFilter<CharSequence> again =
        BloomFilter.readFrom(new ByteArrayInputStream(after.toByteArray()), funnel);
    guavas.put("bob");
    assertEquals(guavas, again);
    byte[] stored = Files.readAllBytes(file);
    assertArrayEquals(
        after.toByteArray(),
        GuavaBloomFilters.fromBytes(stored, GuavaFunnel.strings(StandardCharsets.UTF_8)).toBytes());
  }

  private static String block(int index) throws IOException {
    return new Markdown("README.md").blocks("java").get(index);
  }

  private static String blockWith(String text) throws IOException {
    return new Markdown("README.md")
        .blocks("java").stream().filter(block -> block.contains(text)).findFirst().orElseThrow();
  }

  private static Class<?> compiled(Path folder, String name, String source) throws Exception {
    return new Sources(folder).compile(name, source).load(name);
  }
}
