package io.bloomkit.format;

import java.util.List;

/**
 * Provides the kinds of filters of a module: an SPI for {@link java.util.ServiceLoader}. {@link
 * FilterKinds} finds the providers.
 */
public interface FilterProvider {

  /** Returns the kinds of this module, each with a unique code and label. */
  List<FilterKind> kinds();

  /**
   * Returns the other variants that this module writes in the file format, which have no {@link
   * FilterKind}. Error messages name them. None by default.
   */
  default List<FilterVariant> otherVariants() {
    return List.of();
  }
}
