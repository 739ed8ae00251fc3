package io.bloomkit.format;

import java.util.List;

/**
 * Provides the kinds of filters of a module. {@link FilterKinds} finds the providers through {@link
 * java.util.ServiceLoader}.
 */
public interface FilterProvider {

  /** Returns the kinds of this module. Each has a unique code and label. */
  List<FilterKind> kinds();

  /**
   * Returns the variants of this module that occur in files but have no {@link FilterKind}. They
   * are used in error messages. By default, the list is empty.
   */
  default List<FilterVariant> otherVariants() {
    return List.of();
  }
}
