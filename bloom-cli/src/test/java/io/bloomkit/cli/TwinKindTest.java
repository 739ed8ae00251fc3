package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.internal.format.FilterProvider;
import io.bloomkit.internal.format.FilterVariant;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
