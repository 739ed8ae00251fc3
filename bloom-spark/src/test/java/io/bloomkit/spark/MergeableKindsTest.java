package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MergeableKindsTest {

  private static final String LABELS =
      "'classic', 'blocked', 'counting', 'blocked-counting', 'dynamic-cuckoo'";

  @Test
  void kindsAreThoseThatMergeInTheOrderOfTheirCodes() {
    assertEquals(LABELS, MergeableKinds.labels());
  }

  /** Threads of an executor may have a context class loader that sees no filter. */
  @Test
  void contextClassLoaderOfTheFirstThreadDoesNotMatter() throws Exception {
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    try (URLClassLoader fresh = new URLClassLoader(classPath(), platform)) {
      thread.setContextClassLoader(platform);
      Method labels = fresh.loadClass(MergeableKinds.class.getName()).getDeclaredMethod("labels");
      labels.setAccessible(true);
      assertEquals(LABELS, labels.invoke(null));
      assertEquals(platform, thread.getContextClassLoader());
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(MergeableKindsTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(String file) {
    try {
      return new File(file).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
