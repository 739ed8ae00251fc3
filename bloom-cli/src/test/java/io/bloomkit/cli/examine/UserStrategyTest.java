package io.bloomkit.cli.examine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.ExamineRun;
import io.bloomkit.cli.Sources;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strategies that were compiled outside the project, as users have them. */
class UserStrategyTest {

  @TempDir Path folder;

  private static String strategy(String name, String type, String body) {
    return """
        package shop;
        import io.bloomkit.hash.HashStrategies;
        import io.bloomkit.hash.HashStrategy;
        %s implements HashStrategy<%s> {
          %s
          public String id() { return "mine"; }
        }
        """
        .formatted(name, type, body);
  }

  private static final String HASH_OF_TEXT =
      "public long hash(String s) { return HashStrategies.utf8().hash(s); }";

  private void compile(String name, String type, String body) throws IOException {
    new Sources(folder).compile(name, strategy("public class " + name, type, body));
  }

  private Subject<?> load(String name) {
    return load(folder.toString(), name);
  }

  @SuppressWarnings("resource") // classes are loaded from it as long as they are used
  private static Subject<?> load(String classPath, String name) {
    return LoadedStrategy.of(name, UserClasses.of(classPath));
  }

  private String refusal(String name) {
    return refusal(folder.toString(), name);
  }

  private static String refusal(String classPath, String name) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> load(classPath, name)).getMessage());
  }

  @Test
  void aClassOfAFolderIsJudgedByTheCommand() throws IOException {
    compile("Orders", "String", HASH_OF_TEXT);
    ExamineRun run =
        ExamineRun.of(
            "--strategy",
            "shop.Orders",
            "--classpath",
            folder.toString(),
            "--items",
            "1000",
            "--json");
    assertEquals("INCONCLUSIVE", run.verdict());
    assertEquals("mine", run.json().get("strategy"));
  }

  @Test
  void aClassOfAJarIsJudgedByTheCommand() throws IOException {
    compile("Orders", "Integer", "public long hash(Integer n) { return n.hashCode(); }");
    ExamineRun run =
        ExamineRun.of(
            "--strategy", "shop.Orders", "--classpath", jar().toString(), "--items", "20000");
    assertEquals(1, run.exitCode(), run.err());
    assertTrue(run.out().startsWith("mine on 20,000 keys"), run.out());
    assertTrue(run.out().contains("Verdict: UNFIT"), run.out());
  }

  private Path jar() throws IOException {
    Path jar = folder.resolve("orders.jar");
    try (Stream<Path> files = Files.walk(folder);
        OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        entries.putNextEntry(
            new JarEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
        Files.copy(file, entries);
        Files.delete(file);
      }
    }
    return jar;
  }

  @ParameterizedTest
  @CsvSource({
    "String, String",
    "CharSequence, String",
    "Object, String",
    "byte[], byte[]",
    "Long, Long",
    "Number, Long",
    "Integer, Integer",
    "java.util.UUID, UUID"
  })
  @Tag("deep")
  void linesBecomeWhatTheStrategyTakes(String type, String key) throws IOException {
    compile("Orders", type, "public long hash(" + type + " x) { return x.hashCode(); }");
    assertEquals(key, load("shop.Orders").form().type().getSimpleName());
  }

  @Test
  void theTypeIsFoundThroughSuperclassesAndInterfaces() throws IOException {
    Sources sources = new Sources(folder);
    sources.compile(
        "Base",
        """
        package shop;
        abstract class Base<A, T> implements io.bloomkit.hash.HashStrategy<T> {
          public long hash(T x) { return x.hashCode(); }
          public String id() { return "base"; }
        }
        """);
    sources.compile("Middle", "package shop; class Middle<X> extends Base<String, X> {}");
    sources.compile(
        "Orders",
        """
        package shop;
        class Orders extends Middle<Long> {
          static class Plain implements io.bloomkit.hash.LongHashStrategy {
            public long hashLong(long x) { return x; }
            public String id() { return "plain"; }
          }
        }
        """);
    assertSame(KeyForm.LONG, load("shop.Orders").form());
    assertSame(KeyForm.LONG, load("shop.Orders$Plain").form());
    assertTrue(refusal("shop.Base").contains("does not implement"));
    assertTrue(refusal("shop.Middle").contains("does not declare its element type"));
  }

  @Test
  void fieldsConstantsAndMethodsAreNamedByAHash() throws IOException {
    new Sources(folder)
        .compile(
            "Orders",
            """
            package shop;
            import io.bloomkit.hash.HashStrategies;
            import io.bloomkit.hash.HashStrategy;
            enum Orders implements HashStrategy<Long> {
              PLAIN, MIXED;
              public long hash(Long x) { return x; }
              public String id() { return name(); }
              private static final HashStrategy<? super String> TEXTS =
                  HashStrategy.of("texts", String::hashCode, "a");
              static final HashStrategy<?> ANY = HashStrategies.bytes();
              static final HashStrategy<Character> LETTERS =
                  HashStrategy.of("letters", c -> c, 'a');
              static final HashStrategy<?> UNKNOWN = LETTERS;
              static final HashStrategy<String> NOTHING = null;
              static final String WORD = "word";
              final HashStrategy<String> ofInstance = null;
              static HashStrategy<Integer> numbers() { return HashStrategies.ints(); }
              static HashStrategy<Integer> fails() { throw new IllegalStateException("no"); }
              static HashStrategy<Integer> seeded(int seed) { return HashStrategies.ints(); }
            }
            """);
    assertEquals("MIXED", load("shop.Orders#MIXED").strategy().id());
    assertSame(KeyForm.LONG, load("shop.Orders#MIXED").form());
    assertSame(KeyForm.TEXT, load("shop.Orders#TEXTS").form());
    assertSame(KeyForm.BYTES, load("shop.Orders#ANY").form());
    assertSame(KeyForm.INT, load("shop.Orders#numbers").form());
    assertTrue(refusal("shop.Orders").contains("is an enum: name one of its constants"));
    assertTrue(refusal("shop.Orders#LETTERS").contains("hashes java.lang.Character"));
    assertTrue(refusal("shop.Orders#LETTERS").contains("HashStrategyContract"));
    assertTrue(refusal("shop.Orders#UNKNOWN").contains("does not declare its element type"));
    assertTrue(refusal("shop.Orders#NOTHING").contains("NOTHING is null"));
    assertTrue(
        refusal("shop.Orders#WORD").contains("is not of type io.bloomkit.hash.HashStrategy"));
    for (String missing : List.of("ofInstance", "seeded", "none", "")) {
      assertTrue(refusal("shop.Orders#" + missing).contains("has no static field"), missing);
    }
    assertTrue(refusal("shop.Orders#fails").contains("it throws java.lang.IllegalStateException"));
  }

  @Test
  void strategiesThatCannotBeCreatedAreRefused() throws IOException {
    compile("NoConstructor", "String", "NoConstructor(int seed) {}" + HASH_OF_TEXT);
    compile(
        "Throws", "String", "Throws() { throw new IllegalStateException(\"no\"); }" + HASH_OF_TEXT);
    compile("Static", "String", "static int x = 1 / Integer.parseInt(\"0\");" + HASH_OF_TEXT);
    compile("Dates", "java.time.Instant", "public long hash(java.time.Instant t) { return 1; }");
    new Sources(folder)
        .compile(
            "BadId", strategy("class BadId", "String", HASH_OF_TEXT).replace("\"mine\"", "\"\""));
    new Sources(folder)
        .compile(
            "NullId", strategy("class NullId", "String", HASH_OF_TEXT).replace("\"mine\"", "null"));
    assertTrue(refusal("shop.NoConstructor").contains("has no constructor without parameters"));
    assertTrue(
        refusal("shop.Throws")
            .contains("throws java.lang.IllegalStateException: no, at shop.Throws.<init>"));
    assertTrue(refusal("shop.Static").contains("throws java.lang.ArithmeticException"));
    assertTrue(refusal("shop.Dates").contains("hashes java.time.Instant; the supported types are"));
    assertTrue(refusal("shop.BadId").contains("the id or the fingerprint of shop.BadId"));
    assertTrue(refusal("shop.NullId").contains("the id or the fingerprint of shop.NullId"));
    assertTrue(refusal("shop.Nothing").contains("there is no class shop.Nothing"));
    assertTrue(refusal("java.lang.String").contains("does not implement"));
  }

  @Test
  @Tag("deep")
  void classesAreFoundInAllPartsOfTheClassPath() throws IOException {
    Path library = Files.createDirectories(folder.resolve("library"));
    new Sources(library)
        .compile(
            "Mixer", "package lib; public class Mixer { public static long mix() { return 1; } }");
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Files.createDirectories(classes.resolve("lib"));
    Files.copy(library.resolve("lib/Mixer.class"), classes.resolve("lib/Mixer.class"));
    new Sources(classes)
        .compile(
            "Orders",
            strategy("class Orders", "String", "long seed = lib.Mixer.mix();" + HASH_OF_TEXT));
    Files.delete(classes.resolve("lib/Mixer.class"));
    String both = classes + File.pathSeparator + library;
    assertEquals("mine", load(both, "shop.Orders").strategy().id());
    String message = refusal(classes.toString(), "shop.Orders");
    assertTrue(message.contains("java.lang.NoClassDefFoundError: lib/Mixer"), message);
  }

  @Test
  void aStarStandsForAllJarsOfAFolder() throws IOException {
    compile("Orders", "String", HASH_OF_TEXT);
    jar();
    assertEquals("mine", load(folder + File.separator + "*", "shop.Orders").strategy().id());
  }

  /** They are on the class path of this test, and must not get between a user and his libraries. */
  @Test
  @Tag("deep")
  void theCommandsOwnLibrariesAreNotSeen() throws IOException {
    compile(
        "Orders",
        "String",
        "Object o = new it.unimi.dsi.fastutil.longs.LongArrayList();" + HASH_OF_TEXT);
    String message = refusal("shop.Orders");
    assertTrue(message.contains("NoClassDefFoundError: it/unimi/dsi/fastutil"), message);
  }
}
