package io.bloomkit.format;

import io.bloomkit.internal.format.Variant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the descriptor of a kind: the constant {@code KIND} of the class of its filters. */
final class InstalledKind {

  private InstalledKind() {}

  /** Returns the kind, or empty if its module is missing or the variant is no kind of filter. */
  static Optional<FilterKind> of(Variant variant) {
    for (ClassLoader loader : loaders()) {
      try {
        Class<?> filterClass = Class.forName(variant.className(), true, loader);
        if (filterClass.getField("KIND").get(null) instanceof FilterKind kind) {
          return Optional.of(kind);
        } // another copy of the library has other classes
      } catch (ClassNotFoundException | NoSuchFieldException e) {
        // the next class loader may have it
      } catch (IllegalAccessException e) {
        throw new AssertionError("the class and its constant are public", e);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the context class loader of the thread, which may see more modules, and the class
   * loader of this library. Without a context class loader, the class path may have another copy of
   * the library, whose kinds are of other classes.
   */
  private static Set<@Nullable ClassLoader> loaders() {
    Set<@Nullable ClassLoader> loaders = new LinkedHashSet<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      loaders.add(context);
    }
    loaders.add(InstalledKind.class.getClassLoader());
    return loaders;
  }
}
