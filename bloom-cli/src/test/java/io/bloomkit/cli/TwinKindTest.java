package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.internal.format.FilterProvider;
import io.bloomkit.internal.format.FilterVariant;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two kinds of filters with one code, as a jar that contains a renamed copy may bring. */
class TwinKindTest {

  /** A provider of another kind with the code of the classic filter. */
  public static final class Twin implements FilterProvider {

    @Override
    public List<FilterVariant> variants() {
      Object kind =
          Proxy.newProxyInstance(
              Twin.class.getClassLoader(),
              new Class<?>[] {FilterKind.class, FilterVariant.class},
              (proxy, method, arguments) ->
                  method.getName().equals("code") ? ClassicBloomFilter.KIND.code() : Twin.class);
      return List.of((FilterVariant) kind);
    }
  }

  @Test
  void theyAreRefused(@TempDir Path directory) throws IOException {
    Path services = Files.writeString(directory.resolve("services"), Twin.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    thread.setContextClassLoader(
        new ClassLoader(usual) {
          @Override
          protected Enumeration<URL> findResources(String name) throws IOException {
            return name.equals("META-INF/services/" + FilterProvider.class.getName())
                ? Collections.enumeration(List.of(services.toUri().toURL()))
                : Collections.emptyEnumeration();
          }
        });
    try {
      ServiceConfigurationError refusal =
          assertThrows(ServiceConfigurationError.class, FilterKind::installed);
      int code = ClassicBloomFilter.KIND.code();
      assertEquals(
          ClassicBloomFilter.class + " and " + Twin.class + " both have code " + code,
          refusal.getMessage());
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  /** The library in a class loader of its own, as in a container, and another copy beside it. */
  @Test
  void withoutAContextClassLoaderTheKindsAreThoseOfTheLibrary() throws Exception {
    int kinds = FilterKind.installed().size();
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    try (URLClassLoader own =
        new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(null);
      Object found = own.loadClass(FilterKind.class.getName()).getMethod("installed").invoke(null);
      assertEquals(kinds, ((List<?>) found).size());
    } finally {
      thread.setContextClassLoader(usual);
    }
  }
}
