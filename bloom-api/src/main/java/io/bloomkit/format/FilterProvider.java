package io.bloomkit.format;

import java.util.List;

/**
 * The kinds of filters that a module has: a service, found by {@link java.util.ServiceLoader}. A
 * module of one's own filters that provides it has them judged beside those of Bloomkit.
 */
public interface FilterProvider {

  /** Returns the kinds, in the order of tables. */
  List<FilterFactory> factories();
}
