package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterKind;
import io.bloomkit.internal.format.Variant;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which kinds of filters are found with which class loaders. */
class InstalledKindsTest {

  @Test
  void theListOfVariantsNamesTheirClasses() {
    assertEquals(8, FilterKind.installed().size());
    for (FilterKind kind : FilterKind.installed()) {
      Variant variant = Variant.of(kind.code()).orElseThrow();
      assertEquals(kind.filterClass().getName(), variant.className());
    }
    assertEquals(GuavaBloomFilter.class.getName(), Variant.GUAVA.className());
    assertEquals(GuavaBloomFilter.CODE, Variant.GUAVA.code());
    assertEquals(Delta.class.getName(), Variant.DELTA.className());
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
