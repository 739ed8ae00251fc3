package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.classic.MappedFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.JdkInternals;
import io.bloomkit.internal.LongSegment;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * What a phone does with filters, on a Java without the classes that Android API level 33 lacks.
 * The build checks the methods; no Android runtime is at hand.
 */
class AndroidTest {

  /** Classes that the modules of a phone name and Android API level 33 lacks. */
  private static final Set<String> ABSENT =
      Set.of("java.lang.Runtime$Version", "java.time.InstantSource", "java.util.zip.CRC32C");

  /** Loads everything but the JDK anew, and finds no absent class. */
  static URLClassLoader phone() throws IOException {
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader jdk =
        new ClassLoader(ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (ABSENT.contains(name)) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    return new URLClassLoader(path.toArray(new URL[0]), jdk);
  }

  @Test
  void readsQueriesUpdatesAndWritesTheSameBytes() throws Exception {
    byte[] expected = App.run();
    String version = System.setProperty("java.specification.version", "0.9"); // as on Android
    try (URLClassLoader loader = phone()) {
      Class<?> app = loader.loadClass(App.class.getName());
      assertSame(loader, app.getClassLoader());
      assertArrayEquals(expected, (byte[]) app.getMethod("run").invoke(null));
      assertNoDoors(loader);
    } finally {
      System.setProperty("java.specification.version", version);
    }
  }

  /** Checks that internals of the JDK are not looked up. */
  static void assertNoDoors(ClassLoader loader) throws Exception {
    for (Class<?> one : List.of(JdkInternals.class, LongSegment.class)) {
      for (Field field : loader.loadClass(one.getName()).getDeclaredFields()) {
        if (field.getType() == MethodHandle.class) {
          field.setAccessible(true);
          assertNull(field.get(null), field.toString());
        }
      }
    }
  }

  @Test
  void theClassesAreAbsent() throws Exception {
    try (URLClassLoader loader = phone()) {
      InvocationTargetException thrown =
          assertThrows(
              InvocationTargetException.class,
              () -> loader.loadClass(App.class.getName()).getMethod("useAbsent").invoke(null));
      assertInstanceOf(NoClassDefFoundError.class, thrown.getCause());
    }
  }

  /** An application of a phone. */
  public static final class App {

    private App() {}

    /** Returns the bytes of all files and deltas. */
    public static byte[] run() throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      use(
          all,
          HashStrategies.utf8(),
          i -> "key " + i + " \u00e4\u20ac".substring(0, (int) (i % 4)));
      use(all, HashStrategies.longs(), i -> i);
      use(all, HashStrategies.uuids(), i -> new UUID(i, ~i));
      use(all, HashStrategies.bytes(), i -> ("b" + i).getBytes(StandardCharsets.UTF_8));
      BytesHashStrategy sipHash = HashStrategies.sipHash24(new byte[16]);
      ByteBuffer direct = ByteBuffer.allocateDirect(9).put((byte) 1).put((byte) 2);
      all.write(Long.toHexString(sipHash.hashBytes(direct)).getBytes(StandardCharsets.UTF_8));
      map();
      return all.toByteArray();
    }

    /** Returns a checksum of a class that is absent. */
    public static long useAbsent() {
      return new java.util.zip.CRC32C().getValue();
    }

    private static <T> void use(
        ByteArrayOutputStream all, HashStrategy<T> strategy, LongFunction<T> element)
        throws IOException {
      use(
          all,
          ClassicBloomFilter.create(strategy, 1000, 0.01),
          bytes -> ClassicBloomFilter.fromBytes(bytes, strategy),
          element);
      use(
          all,
          BlockedBloomFilter.create(strategy, 1000, 0.01),
          bytes -> BlockedBloomFilter.fromBytes(bytes, strategy),
          element);
      use(
          all,
          DynamicCuckooFilter.create(strategy, 1000, 0.01),
          bytes -> DynamicCuckooFilter.fromBytes(bytes, strategy),
          element);
    }

    private static <T, F extends InsertableFilter<T> & StorableFilter<T>> void use(
        ByteArrayOutputStream all, F served, Delta.Reader<F> reader, LongFunction<T> element)
        throws IOException {
      addRange(served, 0, 900, element);
      byte[] base = served.toBytes();
      F onPhone = reader.fromBytes(base);
      addRange(served, 900, 1000, element);
      byte[] change = Delta.between(onPhone, served).toBytes();
      F next = Delta.fromBytes(change).apply(onPhone, reader);
      for (int i = 0; i < 1000; i++) {
        assertTrue(next.mightContain(element.apply(i)));
      }
      all.write(base);
      all.write(change);
      next.writeTo(all);
    }

    private static <T> void addRange(
        InsertableFilter<T> filter, int from, int to, LongFunction<T> element) {
      for (int i = from; i < to; i++) {
        filter.add(element.apply(i));
      }
    }

    private static void deleteUnlessMapped(Path file) throws IOException {
      try {
        Files.delete(file);
      } catch (AccessDeniedException e) {
        // Windows deletes no file that is mapped, as this one is until its buffer is collected.
      }
    }

    private static void map() throws IOException {
      Path file = Files.createTempFile("classic", ".bloom");
      try {
        ClassicBloomFilter<Long> filter =
            ClassicBloomFilter.create(HashStrategies.longs(), 1000, 0.01);
        filter.add(44L);
        filter.writeMappableTo(file);
        MappedFilter<Long> mapped = ClassicBloomFilter.openMapped(file, HashStrategies.longs());
        mapped.verify();
        assertTrue(mapped.mightContain(44L));
      } finally {
        deleteUnlessMapped(file);
      }
    }
  }
}
