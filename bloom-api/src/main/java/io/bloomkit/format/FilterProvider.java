package io.bloomkit.format;

import java.util.List;

/**
 * Provides the {@linkplain FilterKind kinds} of filters of a module. {@link FilterKinds} finds the
 * providers through {@link java.util.ServiceLoader}.
 */
public interface FilterProvider {

  /** Returns the kinds of this module. Each kind has a unique code and a unique label. */
  List<FilterKind> kinds();

  /**
   * Returns the variants of this module that occur in files but have no {@link FilterKind}. Error
   * messages use the names of these variants. By default, the list is empty.
   */
  default List<FilterVariant> otherVariants() {
    return List.of();
  }
}
