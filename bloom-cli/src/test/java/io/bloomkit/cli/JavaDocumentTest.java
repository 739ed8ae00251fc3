package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
      import java.sql.Connection;
      import java.sql.PreparedStatement;
      import java.sql.ResultSet;
      import java.sql.SQLException;
      import java.time.Duration;
      import java.util.Base64;
      import java.util.List;
      import java.util.Map;
      import java.util.concurrent.ConcurrentHashMap;
      import java.util.stream.Stream;
      """;

  private static String block(int index) throws Exception {
    return new Markdown("docs/in-java.md").blocks("java").get(index);
  }

  private static Class<?> compiled(Path folder, String name, String members) throws Exception {
    String source =
        new Markdown("docs/in-java.md").imports()
            + IMPORTS
            + "public class "
            + name
            + " {\n"
            + members
            + "\n}\n";
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

  @Test
  void aDoorkeeperAdmitsAtTheSecondRequest(@TempDir Path folder) throws Exception {
    assertEquals(
        List.of(false, true, 2),
        compiled(
                folder,
                "Doorkeeper",
                """
                private int loads;

                private String load(String key) {
                  loads++;
                  return key + "!";
                }

                %s
                public static List<Object> run() {
                  Doorkeeper one = new Doorkeeper();
                  one.get("a");
                  boolean first = one.cache.containsKey("a");
                  one.get("a");
                  one.get("a");
                  return List.of(first, one.cache.containsKey("a"), one.loads);
                }
                """
                    .formatted(block(8)))
            .getMethod("run")
            .invoke(null));
  }

  /** The annotations stand for Spring's, which is no dependency. */
  @Test
  void aBeanIsReadFromItsFile(@TempDir Path folder) throws Exception {
    assertEquals(
        List.of(false, true),
        compiled(
                folder,
                "Beans",
                """
                @interface Configuration {}

                @interface Bean {}

                @interface Value {
                  String value();
                }

                %s
                public static List<Boolean> run(Path file) throws IOException {
                  FilterConfiguration configuration = new Beans().new FilterConfiguration();
                  DynamicCuckooFilter<String> made = configuration.sessions(file);
                  boolean before = made.mightContain("a");
                  made.add("a");
                  made.writeTo(file);
                  return List.of(before, configuration.sessions(file).mightContain("a"));
                }
                """
                    .formatted(block(9)))
            .getMethod("run", Path.class)
            .invoke(null, folder.resolve("sessions.bloom")));
  }

  @Test
  void aColumnHasTheBytesOfAFilter(@TempDir Path folder) throws Exception {
    Class<?> columns = compiled(folder, "Columns", block(10).replace("static ", "public static "));
    Map<Object, Object> row = new HashMap<>();
    PreparedStatement update =
        fake(
            PreparedStatement.class,
            (method, arguments) -> {
              if (method.startsWith("set")) {
                row.put(arguments[0], arguments[1]);
              }
              return method.equals("executeUpdate") ? 1 : null;
            });
    Connection database = fake(Connection.class, (method, arguments) -> update);
    ClassicBloomFilter<String> seen = ClassicBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    seen.add("a");
    columns
        .getMethod("save", Connection.class, String.class, StorableFilter.class)
        .invoke(null, database, "seen", seen);
    assertEquals("seen", row.get(2));
    ResultSet result = fake(ResultSet.class, (method, arguments) -> row.get(1));
    assertEquals(seen, columns.getMethod("read", ResultSet.class).invoke(null, result));
  }

  private interface Answer {
    @Nullable Object to(String method, Object[] arguments);
  }

  private static <T> T fake(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
  }

  @Test
  void jsonHasTheFilterInBase64(@TempDir Path folder) throws Exception {
    ClassicBloomFilter<String> seen = ClassicBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    seen.add("a");
    assertEquals(
        seen,
        compiled(
                folder,
                "Json",
                """
                %s
                public static Object run(ClassicBloomFilter<String> seen) throws Exception {
                  return Seen.of("seen", seen).decoded();
                }
                """
                    .formatted(block(11)))
            .getMethod("run", ClassicBloomFilter.class)
            .invoke(null, seen));
  }

  @Test
  void everyTenantHasItsOwnFilter(@TempDir Path folder) throws Exception {
    assertEquals(
        List.of(true, false, true),
        compiled(
                folder,
                "Tenants",
                """
                %s
                public static List<Boolean> run() {
                  Tenants one = new Tenants();
                  return List.of(one.isNew("x", "a"), one.isNew("x", "a"), one.isNew("y", "a"));
                }
                """
                    .formatted(block(12)))
            .getMethod("run")
            .invoke(null));
    assertEquals(13, new Markdown("docs/in-java.md").blocks("java").size());
  }
}
