package io.bloomkit.cli.examine;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads the classes of a class path. They see the classes of Java and of Bloomkit, and none of the
 * libraries that the command itself is made of: those they need are on their own class path, in the
 * version they need.
 */
final class UserClasses extends URLClassLoader {

  private static final String BLOOMKIT = "io.bloomkit.";

  private static final String ALL_JARS = "*";

  private UserClasses(URL[] urls) {
    super("user", urls, new Bloomkit());
  }

  /**
   * Opens a class path.
   *
   * @param classPath jars and folders with the platform's separator between them; {@code folder/*}
   *     are all jars of a folder
   * @throws IllegalArgumentException if one does not exist
   */
  static UserClasses of(String classPath) {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      try {
        for (Path path : paths(entry)) {
          urls.add(path.toUri().toURL());
        }
      } catch (InvalidPathException | MalformedURLException e) {
        throw new IllegalArgumentException("--classpath: no file name: '" + entry + "'", e);
      }
    }
    return new UserClasses(urls.toArray(URL[]::new));
  }

  private static List<Path> paths(String entry) {
    boolean isAllJars = entry.endsWith("/" + ALL_JARS) || entry.endsWith(File.separator + ALL_JARS);
    Path path = Path.of(isAllJars ? entry.substring(0, entry.length() - 1) : entry);
    if (entry.isEmpty() || Files.notExists(path)) {
      throw new IllegalArgumentException("--classpath: there is no file or folder '" + entry + "'");
    }
    if (!isAllJars) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("--classpath: cannot read " + path + ": " + e, e);
    }
  }

  @Override
  public void close() {
    try {
      super.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the class path: " + e.getMessage(), e);
    }
  }

  /** Java's own classes, and of the command's those of Bloomkit. */
  private static final class Bloomkit extends ClassLoader {

    Bloomkit() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith(BLOOMKIT)) {
        return Class.forName(name, false, Bloomkit.class.getClassLoader());
      }
      throw new ClassNotFoundException(name);
    }
  }
}
