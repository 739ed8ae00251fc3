package io.bloomkit.cli.filter;

import io.bloomkit.MembershipFilter;

/** Hashes lines as a strategy hashes the elements that they stand for. */
@FunctionalInterface
interface LineHash {

  /** Returns the hash of the line between two indexes, the second one exclusive. */
  long hash(byte[] bytes, int from, int to);

  /** Returns whether a filter may contain the line, in any form that has another hash. */
  default boolean mayBeIn(MembershipFilter<?> filter, byte[] bytes, int from, int to) {
    return filter.mightContainHash(hash(bytes, from, to));
  }
}
