package io.bloomkit.internal.format;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the variants of all modules through {@link ServiceLoader}. */
public final class FilterProviders {

  private FilterProviders() {}

  /**
   * Returns the variants of all providers. A provider that both class loaders see is there twice.
   * Each call searches again.
   *
   * @throws ServiceConfigurationError if a provider cannot be loaded
   */
  public static List<FilterVariant> variants() {
    List<FilterVariant> variants = new ArrayList<>();
    for (ClassLoader loader : loaders()) {
      for (FilterProvider provider : ServiceLoader.load(FilterProvider.class, loader)) {
        variants.addAll(provider.variants());
      }
    }
    return variants;
  }

  /** Returns the variants for error messages. A provider that cannot be loaded is left out. */
  static List<FilterVariant> known() {
    return Known.VARIANTS;
  }

  /**
   * Looked up only once, because reading hostile bytes must not allocate this list for each
   * message.
   */
  private static final class Known {

    static final List<FilterVariant> VARIANTS = find();

    private static List<FilterVariant> find() {
      List<FilterVariant> variants = new ArrayList<>();
      for (ClassLoader loader : loaders()) {
        Iterator<FilterProvider> providers =
            ServiceLoader.load(FilterProvider.class, loader).iterator();
        boolean hasNext = true;
        while (hasNext) {
          try {
            hasNext = providers.hasNext();
            if (hasNext) {
              variants.addAll(providers.next().variants());
            }
          } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            hasNext = true; // the next provider may work
          }
        }
      }
      return List.copyOf(variants);
    }
  }

  /**
   * Returns the context class loader of the thread, which may see plug-ins, and the class loader of
   * this library. Without a context class loader, another copy of the library may be on the class
   * path, whose providers are of other classes.
   */
  private static Set<@Nullable ClassLoader> loaders() {
    Set<@Nullable ClassLoader> loaders = new LinkedHashSet<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      loaders.add(context);
    }
    loaders.add(FilterProviders.class.getClassLoader());
    return loaders;
  }
}
