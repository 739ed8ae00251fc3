package io.bloomkit.format;

import io.bloomkit.internal.format.FilterProviders;
import io.bloomkit.internal.format.FilterVariant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Finds the {@linkplain FilterKind kinds} of filters on the class path or module path. {@link
 * ServiceLoader} looks for the modules of this library in two class loaders: the context class
 * loader of the thread and the class loader of this library. A shaded jar must merge the files in
 * {@code META-INF/services} of the jars that it contains.
 *
 * <p>Each call searches again, so keep the result if you read many files.
 */
public final class FilterKinds {

  private FilterKinds() {}

  /**
   * Returns all kinds, in ascending order of their {@linkplain FilterKind#code codes}.
   *
   * @throws ServiceConfigurationError if a provider cannot be loaded, or two kinds with different
   *     filter classes have the same code
   */
  public static List<FilterKind> installed() {
    Map<Integer, FilterKind> kinds = new TreeMap<>();
    for (FilterVariant variant : FilterProviders.variants()) {
      if (variant instanceof FilterKind kind) {
        FilterKind other = kinds.putIfAbsent(kind.code(), kind);
        if (other != null && !other.filterClass().getName().equals(kind.filterClass().getName())) {
          throw new ServiceConfigurationError(
              other.filterClass()
                  + " and "
                  + kind.filterClass()
                  + " both have code "
                  + kind.code());
        }
      }
    }
    return List.copyOf(kinds.values());
  }

  /**
   * Returns the kind with a {@linkplain FilterKind#code code}, or empty if no installed module has
   * it.
   *
   * @throws ServiceConfigurationError as for {@link #installed}
   */
  public static Optional<FilterKind> of(int code) {
    return installed().stream().filter(kind -> kind.code() == code).findFirst();
  }
}
