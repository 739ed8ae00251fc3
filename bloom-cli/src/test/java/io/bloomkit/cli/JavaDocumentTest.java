package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the code that docs/in-java.md shows, as it stands there. */
class JavaDocumentTest {

  private static final String IMPORTS =
      """
      import io.bloomkit.FilterCollectors;
      import io.bloomkit.FilterEstimate;
      import io.bloomkit.FilterPlan;
      import io.bloomkit.classic.ClassicBloomFilter;
      import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
      import io.bloomkit.hash.BytesHashStrategy;
      import io.bloomkit.hash.HashStrategies;
      import io.bloomkit.hash.HashStrategy;
      import java.nio.ByteBuffer;
      import java.nio.file.Path;
      import java.util.List;
      import java.util.Map;
      import java.util.stream.Stream;
      """;

  private static String block(int index) throws Exception {
    return new Markdown("docs/in-java.md").blocks("java").get(index);
  }

  private static Class<?> compiled(Path folder, String name, String members) throws Exception {
    String source = IMPORTS + "public class " + name + " {\n" + members + "\n}\n";
    return new Sources(folder).compile(name, source).load(name);
  }

  @Test
  void streamsFillAndAreFiltered(@TempDir Path folder) throws Exception {
    Map<?, ?> lists =
        (Map<?, ?>)
            compiled(
                    folder,
                    "Streams",
                    """
                    public static Map<String, List<String>> run(
                        Stream<String> urls, List<String> others) {
                    %s
                      return Map.of("known", known, "unknown", unknown, "distinct", distinct);
                    }
                    """
                        .formatted(block(0)))
                .getMethod("run", Stream.class, List.class)
                .invoke(null, Stream.of("a", "b"), List.of("b", "c", "c"));
    assertEquals(
        Map.of("known", List.of("b"), "unknown", List.of("c", "c"), "distinct", List.of("c")),
        lists);
  }

  @Test
  void aParallelStreamFillsOneFilter(@TempDir Path folder) throws Exception {
    ClassicBloomFilter<?> shared =
        (ClassicBloomFilter<?>)
            compiled(
                    folder,
                    "Parallel",
                    """
                    public static ClassicBloomFilter<String> run(Stream<String> urls) {
                    %s
                      return shared;
                    }
                    """
                        .formatted(block(1)))
                .getMethod("run", Stream.class)
                .invoke(null, Stream.of("a", "b", "c"));
    assertEquals(3, shared.elementCount().orElseThrow());
    assertEquals(true, shared.isConcurrent());
  }

  @Test
  void usersAreHashedByTheirEmail(@TempDir Path folder) throws Exception {
    assertEquals(
        true,
        compiled(
                folder,
                "Fields",
                """
                record User(String name, String email) {}

                public static boolean run() {
                  User bob = new User("Bob", "bob@example.org");
                %s
                  return there;
                }
                """
                    .formatted(block(2)))
            .getMethod("run")
            .invoke(null));
  }

  @Test
  void filterKnowsWhatItWasMadeFor(@TempDir Path folder) throws Exception {
    assertEquals(
        List.of(1_000_000L, false, 0.0, 0.0),
        compiled(
                folder,
                "Planned",
                """
                public static List<?> run() {
                %s
                  return List.of(planned, overfull, ratio, atMost);
                }
                """
                    .formatted(block(4)))
            .getMethod("run")
            .invoke(null));
  }

  @Test
  void longsAreTakenUnboxed(@TempDir Path folder) throws Exception {
    List<?> results =
        (List<?>)
            compiled(
                    folder,
                    "Longs",
                    """
                    public static List<Object> run() {
                    %s
                      return List.of(held, copies, ids.distinctFingerprints());
                    }
                    """
                        .formatted(block(3)))
                .getMethod("run")
                .invoke(null);
    assertEquals(List.of(true, 1L, 0L), results);
  }

  @Test
  void rangesAndBuffersAreElements(@TempDir Path folder) throws Exception {
    byte[] array = {1, 2, 3, 4, 5, 6};
    assertEquals(
        List.of(true, true),
        compiled(
                folder,
                "Bytes",
                """
                public static List<Boolean> run(byte[] array, ByteBuffer buffer) {
                %s
                  return List.of(range, buffers.mightContain(buffer));
                }
                """
                    .formatted(block(5)))
            .getMethod("run", byte[].class, ByteBuffer.class)
            .invoke(null, array, ByteBuffer.allocateDirect(3).put(array, 2, 3).flip()));
  }

  @Test
  void aFilterIsReadForManyThreadsAndEqualsTheWrittenOne(@TempDir Path folder) throws Exception {
    ClassicBloomFilter<String> seen = ClassicBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    seen.add("a");
    Path file = folder.resolve("seen.bloom");
    seen.writeTo(file);
    assertEquals(
        List.of(true, true, true),
        compiled(
                folder,
                "Reading",
                """
                public static List<Boolean> run(Path file, ClassicBloomFilter<String> seen)
                    throws java.io.IOException {
                %s
                %s
                  return List.of(read.isConcurrent(), equal, sameHash);
                }
                """
                    .formatted(block(6), block(7)))
            .getMethod("run", Path.class, ClassicBloomFilter.class)
            .invoke(null, file, seen));
  }
}
