package io.bloomkit.internal.format;

import java.util.List;

/** Provides the variants of a module to {@link java.util.ServiceLoader}. */
public interface FilterProvider {

  /**
   * Returns the variants of this module. Each has a unique code; those that a tool can create and
   * read are descriptors of kinds of filters.
   */
  List<FilterVariant> variants();
}
