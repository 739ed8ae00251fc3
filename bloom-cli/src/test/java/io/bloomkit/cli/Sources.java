package io.bloomkit.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Java sources that are compiled while a test runs. */
public final class Sources {

  static final String IMPORTS =
      """
      import java.io.*;
      import java.nio.file.Path;
      import java.util.*;
      """;

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all, since opening the jars of the class path takes most of the time. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, UTF_8);

  private final Path folder;

  /**
   * Sources whose classes go into a folder.
   *
   * @param folder is on the class path of the sources, with that of the test
   */
  public Sources(Path folder) {
    this.folder = folder;
  }

  /** Compiles the source of a class; the folder then holds both. */
  public Sources compile(String name, String source) throws IOException {
    Matcher declared = PACKAGE.matcher(source);
    Path parent = declared.find() ? folder.resolve(declared.group(1).replace('.', '/')) : folder;
    Path file = Files.writeString(Files.createDirectories(parent).resolve(name + ".java"), source);
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-d",
            folder.toString(),
            "-proc:none",
            "-classpath",
            folder + File.pathSeparator + System.getProperty("java.class.path"));
    boolean compiles =
        COMPILER
            .getTask(messages, FILES, null, options, null, FILES.getJavaFileObjects(file))
            .call();
    assertTrue(compiles, messages::toString);
    return this;
  }

  /**
   * Runs lines of code and returns the values of some of its variables, by name.
   *
   * @param code the lines
   * @param variables their names
   * @param given what the code uses without declaring it
   */
  Map<?, ?> run(String code, List<String> variables, Map<String, Object> given) throws Exception {
    StringBuilder parameters = new StringBuilder();
    given.forEach(
        (name, value) ->
            parameters.append(
                "%1$s %2$s = (%1$s) given.get(\"%2$s\");%n".formatted(typeOf(value), name)));
    StringBuilder results = new StringBuilder();
    for (String variable : variables) {
      results.append("results.put(\"%1$s\", %1$s);%n".formatted(variable));
    }
    String imports =
        code.lines().filter(line -> line.startsWith("import ")).collect(joining("\n", "", "\n"));
    String lines = code.replaceAll("(?m)^import .*\n", "");
    String source =
        """
        public class Example {
          @SuppressWarnings("unchecked")
          public static Map<String, Object> run(Map<String, Object> given) throws Exception {
            Map<String, Object> results = new HashMap<>();
            %s
            %s
            %s
            return results;
          }
        }
        """
            .formatted(parameters, lines, results);
    return (Map<?, ?>)
        Objects.requireNonNull(
            compile("Example", IMPORTS + imports + source)
                .load("Example")
                .getMethod("run", Map.class)
                .invoke(null, given));
  }

  private static String typeOf(Object value) {
    return value instanceof Path ? "Path" : value.getClass().getCanonicalName();
  }

  /** Loads a class of the folder. */
  @SuppressWarnings("resource") // classes are loaded from it as long as they are used
  public Class<?> load(String name) throws IOException, ClassNotFoundException {
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, Sources.class.getClassLoader())
        .loadClass(name);
  }
}
