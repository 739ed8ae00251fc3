package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import java.io.File;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Loads separate copies of all classes except Java's. The compiler's profile of a method then
 * belongs to one filter, although another filter is measured in the same virtual machine. The
 * compiler therefore optimizes as if the filter were alone.
 */
final class OwnClasses extends URLClassLoader {

  /** The classes that both class loaders share. */
  private static final Set<String> SHARED =
      Set.of(Workload.class.getName(), Operation.class.getName());

  OwnClasses() {
    super(classPath(), OwnClasses.class.getClassLoader());
  }

  private static URL[] classPath() {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(System.getProperty("java.class.path"))
        .map(File::new)
        .map(
            file -> {
              try {
                return file.toURI().toURL();
              } catch (MalformedURLException e) {
                throw new UncheckedIOException(e);
              }
            })
        .toArray(URL[]::new);
  }

  /**
   * Creates an empty filter and its keys.
   *
   * @param queries the number of absent keys
   */
  Workload workload(Keys keys, Subject subject, int elements, double fpp, int queries) {
    try {
      Class<?> factory = loadClass(WorkloadFactory.class.getName());
      if (factory.getClassLoader() != this) {
        throw new LinkageError("the class path has no " + factory);
      }
      return (Workload)
          factory
              .getMethod("create", String.class, String.class, int.class, double.class, int.class)
              .invoke(null, subject.name(), keys.name(), elements, fpp, queries);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(subject + " cannot be created", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the class path has no " + WorkloadFactory.class, e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (SHARED.contains(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return findClass(name);
      } catch (ClassNotFoundException e) { // a class of Java
        return super.loadClass(name, resolve);
      }
    }
  }
}
