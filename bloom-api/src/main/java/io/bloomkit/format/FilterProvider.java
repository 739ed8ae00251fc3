package io.bloomkit.format;

import java.util.List;

/**
 * Provides the kinds of filters of a module: an SPI for {@link java.util.ServiceLoader}. {@link
 * FilterKinds} finds the providers.
 */
public interface FilterProvider {

  /** Returns the kinds of this module, each with a code and a label of its own. */
  List<FilterKind> kinds();

  /**
   * Returns what else this module writes in the file format: variants that are no {@link
   * FilterKind}, so that error messages can name them. None by default.
   */
  default List<FilterVariant> otherVariants() {
    return List.of();
  }
}
