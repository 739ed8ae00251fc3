package io.bloomkit.cli;

import io.bloomkit.MembershipFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The public types of the modules of filters, found on the class path. */
final class PublicApi {

  /** A class of each module. */
  private static final List<Class<?>> MODULES =
      List.of(
          MembershipFilter.class,
          ClassicBloomFilter.class,
          CountingBloomFilter.class,
          GuavaBloomFilter.class,
          ScalableBloomFilter.class);

  private static final Pattern HIDDEN = Pattern.compile(".*\\.internal\\..*");

  private PublicApi() {}

  static List<Class<?>> types() {
    List<Class<?>> types = new ArrayList<>();
    for (Class<?> module : MODULES) {
      try {
        Path place = Path.of(module.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
          addTypes(place, types);
        } else {
          try (FileSystem jar =
              FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
            addTypes(jar.getPath("/"), types);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (ReflectiveOperationException | URISyntaxException e) {
        throw new AssertionError(e);
      }
    }
    return types;
  }

  private static void addTypes(Path root, List<Class<?>> types)
      throws IOException, ReflectiveOperationException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted().toList()) {
        String name = root.relativize(file).toString().replace('/', '.').replace('\\', '.');
        if (name.startsWith("io.bloomkit.")
            && name.endsWith(".class")
            && !name.endsWith("package-info.class")
            && !HIDDEN.matcher(name).matches()) {
          Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
          if (isPublic(type)) {
            types.add(type);
          }
        }
      }
    }
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
  }

  /** The public constructors and methods, with those that the type inherits from this library. */
  static List<Executable> executablesOf(Class<?> type) {
    List<Executable> executables = new ArrayList<>();
    if (!Modifier.isAbstract(type.getModifiers()) && !type.isEnum()) {
      executables.addAll(List.of(type.getConstructors()));
    }
    for (Method method : type.getMethods()) {
      boolean isOfEnum = type.isEnum() && method.getName().equals("valueOf");
      if (method.getDeclaringClass().getName().startsWith("io.bloomkit.")
          && !method.isBridge()
          && !method.isSynthetic()
          && !method.getName().equals("equals")
          && !isOfEnum
          && !isOfUser(method)
          && !isInternal(method)) {
        executables.add(method);
      }
    }
    return executables;
  }

  /** Whether a method takes a type that users do not see. */
  private static boolean isInternal(Method method) {
    return Stream.of(method.getParameterTypes())
        .anyMatch(type -> HIDDEN.matcher(type.getName()).matches());
  }

  /** Whether only users implement a method: that of a callback. */
  private static boolean isOfUser(Method method) {
    return Modifier.isAbstract(method.getModifiers())
        && List.of("Body", "Reader").contains(method.getDeclaringClass().getSimpleName());
  }

  /** Whether a parameter may not be null, as is the rule where nothing else is said. */
  static boolean refusesNull(Executable executable, int parameter) {
    AnnotatedType type = executable.getAnnotatedParameterTypes()[parameter];
    return !executable.getParameterTypes()[parameter].isPrimitive()
        && !type.isAnnotationPresent(Nullable.class);
  }

  static void call(Class<?> type, Executable executable, ApiSamples samples, Object[] arguments)
      throws ReflectiveOperationException {
    if (executable instanceof Constructor<?> constructor) {
      constructor.newInstance(arguments);
    } else {
      Method method = (Method) executable;
      method.setAccessible(true); // of a class that is not public
      method.invoke(Modifier.isStatic(method.getModifiers()) ? null : samples.of(type), arguments);
    }
  }
}
