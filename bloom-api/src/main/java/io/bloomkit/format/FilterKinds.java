package io.bloomkit.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Finds the {@linkplain FilterKind kinds} of filters on the class path or module path. {@link
 * ServiceLoader} looks for implementations of {@link FilterProvider} in two class loaders: the
 * context class loader of the thread and the class loader of this library. A shaded jar must merge
 * the files in {@code META-INF/services} of the jars that it contains.
 *
 * <p>Each call searches again, so keep the result if you read many files.
 */
public final class FilterKinds {

  private FilterKinds() {}

  /**
   * Returns all kinds, in ascending order of the codes of their {@linkplain FilterKind#variant
   * variants}.
   *
   * @throws ServiceConfigurationError if a provider cannot be loaded, or two kinds with different
   *     filter classes have the same code
   */
  public static List<FilterKind> installed() {
    Map<Integer, FilterKind> kinds = new TreeMap<>();
    for (FilterProvider provider : providers()) {
      for (FilterKind kind : provider.kinds()) {
        FilterKind other = kinds.putIfAbsent(kind.variant().code(), kind);
        if (other != null && !other.filterClass().getName().equals(kind.filterClass().getName())) {
          throw new ServiceConfigurationError(
              other.filterClass()
                  + " and "
                  + kind.filterClass()
                  + " both have code "
                  + kind.variant().code());
        }
      }
    }
    return List.copyOf(kinds.values());
  }

  /**
   * Returns the kind whose variant has the same code as a given variant, or empty if no installed
   * module has such a kind.
   *
   * @throws ServiceConfigurationError as for {@link #installed}
   * @throws NullPointerException if the variant is null
   */
  public static Optional<FilterKind> of(FilterVariant variant) {
    Objects.requireNonNull(variant, "variant");
    return installed().stream().filter(kind -> kind.variant().code() == variant.code()).findFirst();
  }

  /** The variants of installed modules, for error messages. */
  static List<FilterVariant> variants() {
    return Variants.KNOWN;
  }

  /**
   * Looked up only once, because reading hostile bytes must not allocate this list for each
   * message.
   */
  private static final class Variants {

    static final List<FilterVariant> KNOWN = find();

    /**
     * Skips a provider that fails. The names of its variants are then missing from messages, but
     * reading works.
     */
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
              FilterProvider provider = providers.next();
              provider.kinds().forEach(kind -> variants.add(kind.variant()));
              variants.addAll(provider.otherVariants());
            }
          } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            hasNext = true; // the next provider may work
          }
        }
      }
      return variants.stream()
          .distinct()
          .sorted(Comparator.comparingInt(FilterVariant::code))
          .toList();
    }
  }

  private static List<FilterProvider> providers() {
    List<FilterProvider> providers = new ArrayList<>();
    for (ClassLoader loader : loaders()) {
      for (FilterProvider provider : ServiceLoader.load(FilterProvider.class, loader)) {
        if (providers.stream().noneMatch(p -> p.getClass() == provider.getClass())) {
          providers.add(provider);
        }
      }
    }
    return providers;
  }

  /**
   * Returns the context class loader of the thread, which may see plug-ins, and the class loader of
   * this library.
   */
  private static List<ClassLoader> loaders() {
    List<ClassLoader> loaders = new ArrayList<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader own = FilterKinds.class.getClassLoader();
    if (context != null) {
      loaders.add(context);
    }
    if (own != null && own != context) {
      loaders.add(own);
    }
    return loaders;
  }
}
