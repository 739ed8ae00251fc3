package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the code that docs/in-java.md shows, as it stands there. */
class JavaDocumentTest {

  private static final String IMPORTS =
      """
      import java.io.IOException;
      import java.nio.ByteBuffer;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.List;
      import java.util.Map;
      import java.util.concurrent.ConcurrentHashMap;
      import java.util.stream.Stream;
      """;

  @TempDir private Path folder;

  /** Compiles the class Page of some members, among which {@code %s} stands for a block each. */
  private Class<?> compiled(String members, Integer... blocks) throws Exception {
    Markdown page = new Markdown("docs/in-java.md");
    Object[] code = Arrays.stream(blocks).map(page.blocks("java")::get).toArray();
    String source = "public class Page {\n" + members.formatted(code) + "\n}\n";
    // MetricsDocumentTest runs the example of bloom-micrometer, which this module does not have.
    String imports = page.imports().replaceAll("import io\\.bloomkit\\.micrometer.*\n", "");
    return new Sources(folder).compile("Page", imports + IMPORTS + source).load("Page");
  }

  /** Calls the static method {@code run} of some members with a block. */
  private @Nullable Object run(int block, String members, Object... arguments) throws Exception {
    return call(compiled(members, block), "run", arguments);
  }

  private static @Nullable Object call(Class<?> type, String name, Object... arguments)
      throws Exception {
    Method method =
        Arrays.stream(type.getDeclaredMethods())
            .filter(candidate -> candidate.getName().equals(name))
            .findFirst()
            .orElseThrow();
    method.setAccessible(true);
    return method.invoke(null, arguments);
  }

  @Test
  void streamsFillAndAreFiltered() throws Exception {
    assertEquals(
        Map.of("known", List.of("b"), "unknown", List.of("c", "c"), "distinct", List.of("c")),
        run(
            0,
            """
            public static Map<String, List<String>> run(Stream<String> urls, List<String> others) {
            %s
              return Map.of("known", known, "unknown", unknown, "distinct", distinct);
            }
            """,
            Stream.of("a", "b"),
            List.of("b", "c", "c")));
  }

  @Test
  void aParallelStreamFillsOneFilter() throws Exception {
    ClassicBloomFilter<?> shared =
        (ClassicBloomFilter<?>)
            Objects.requireNonNull(
                run(
                    1,
                    """
                    public static ClassicBloomFilter<String> run(Stream<String> urls) {
                    %s
                      return shared;
                    }
                    """,
                    Stream.of("a", "b", "c")));
    assertEquals(3, shared.elementCount().orElseThrow());
    assertEquals(true, shared.isConcurrent());
  }

  @Test
  void aBatchReturnsWhatIsNew() throws Exception {
    assertEquals(
        List.of(List.of("/a", "/b"), 0L, false),
        run(
            7,
            """
            public static List<Object> run() {
            %s
              return List.of(fresh, added, wasNew[0]);
            }
            """));
  }

  @Test
  void copiesAreAddedAndRemovedAtOnce() throws Exception {
    assertEquals(
        List.of(true, true, false, 1L),
        run(
            8,
            """
            public static List<Object> run() {
            %s
              return List.of(isFirst, areRemoved, areTwo, views.count("/a"));
            }
            """));
  }

  @Test
  void usersAreHashedByTheirEmail() throws Exception {
    assertEquals(
        true,
        run(
            2,
            """
            record User(String name, String email) {}

            public static boolean run() {
              User bob = new User("Bob", "bob@example.org");
            %s
              return there;
            }
            """));
  }

  @Test
  void filterKnowsWhatItWasMadeFor() throws Exception {
    assertEquals(
        List.of(1_000_000L, false, 0.0, 0.0),
        run(
            4,
            """
            public static List<?> run() {
            %s
              return List.of(planned, overfull, ratio, atMost);
            }
            """));
  }

  @Test
  void longsAreTakenUnboxed() throws Exception {
    assertEquals(
        List.of(true, 1L, 0L),
        run(
            3,
            """
            public static List<Object> run() {
            %s
              return List.of(held, copies, ids.distinctFingerprints());
            }
            """));
  }

  @Test
  void rangesAndBuffersAreElements() throws Exception {
    byte[] array = {1, 2, 3, 4, 5, 6};
    assertEquals(
        List.of(true, true),
        run(
            5,
            """
            public static List<Boolean> run(byte[] array, ByteBuffer buffer) {
            %s
              return List.of(range, buffers.mightContain(buffer));
            }
            """,
            array,
            ByteBuffer.allocateDirect(3).put(array, 2, 3).flip()));
  }

  private static ClassicBloomFilter<String> filterWithA() {
    ClassicBloomFilter<String> seen = ClassicBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    seen.add("a");
    return seen;
  }

  @Test
  void aFilterThatIsReadEqualsTheWrittenOne() throws Exception {
    ClassicBloomFilter<String> seen = filterWithA();
    Path file = folder.resolve("seen.bloom");
    seen.writeTo(file);
    String members =
        """
        public static List<Boolean> run(Path file, ClassicBloomFilter<String> seen)
            throws java.io.IOException {
        %s
          return List.of(equal, sameHash);
        }
        """;
    assertEquals(List.of(true, true), call(compiled(members, 6), "run", file, seen));
  }

  @Test
  void aDoorkeeperAdmitsAtTheSecondRequest() throws Exception {
    assertEquals(
        List.of(false, true, 2),
        run(
            9,
            """
            private int loads;

            private String load(String key) {
              loads++;
              return key + "!";
            }

            %s
            public static List<Object> run() {
              Page one = new Page();
              one.get("a");
              boolean first = one.cache.containsKey("a");
              one.get("a");
              one.get("a");
              return List.of(first, one.cache.containsKey("a"), one.loads);
            }
            """));
  }

  /** The annotations stand for Spring's, which is no dependency. */
  @Test
  void aBeanIsReadFromItsFile() throws Exception {
    assertEquals(
        List.of(false, true),
        run(
            10,
            """
            @interface Configuration {}

            @interface Bean {}

            @interface Value {
              String value();
            }

            %s
            public static List<Boolean> run(Path file) throws IOException {
              FilterConfiguration configuration = new Page().new FilterConfiguration();
              DynamicCuckooFilter<String> made = configuration.sessions(file);
              boolean before = made.mightContain("a");
              made.add("a");
              made.writeTo(file);
              return List.of(before, configuration.sessions(file).mightContain("a"));
            }
            """,
            folder.resolve("sessions.bloom")));
  }

  @Test
  void everyTenantHasItsOwnFilter() throws Exception {
    assertEquals(
        List.of(true, false, true),
        run(
            11,
            """
            %s
            public static List<Boolean> run() {
              Page one = new Page();
              return List.of(one.isNew("x", "a"), one.isNew("x", "a"), one.isNew("y", "a"));
            }
            """));
    assertEquals(13, new Markdown("docs/in-java.md").blocks("java").size());
  }
}
