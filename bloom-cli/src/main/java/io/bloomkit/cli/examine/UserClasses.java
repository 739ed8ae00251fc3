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
 * Loads the classes of a class path. These classes see the classes of Java and Bloomkit, but not
 * the libraries of the command. The class path must contain all other libraries that they need, in
 * the required versions.
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
   * @param classPath jars and folders, separated by the platform's separator; {@code folder/*}
   *     means all jars of a folder
   * @throws IllegalArgumentException if a jar or folder does not exist
   */
  static UserClasses of(String classPath) {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      try {
        for (Path path : paths(entry)) {
          urls.add(path.toUri().toURL());
        }
      } catch (InvalidPathException | MalformedURLException e) {
        throw new IllegalArgumentException("--classpath: not a file name: '" + entry + "'", e);
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

  /** Loads the classes of Java, and those of Bloomkit from the class path of the command. */
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
