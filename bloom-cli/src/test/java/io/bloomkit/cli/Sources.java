package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Java sources that are compiled while a test runs. */
public final class Sources {

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

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
                      folder
                          + System.getProperty("path.separator")
                          + System.getProperty("java.class.path")),
                  null,
                  files.getJavaFileObjects(file))
              .call();
      assertTrue(compiles, messages::toString);
    }
    return this;
  }

  /** Loads a class of the folder. */
  @SuppressWarnings("resource") // classes are loaded from it as long as they are used
  Class<?> load(String name) throws IOException, ClassNotFoundException {
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, Sources.class.getClassLoader())
        .loadClass(name);
  }
}
