package io.bloomkit.cli.filter;

/** Hashes lines as a strategy hashes the elements that they stand for. */
@FunctionalInterface
interface LineHash {

  /** Returns the hash of the line between two indexes, the second one exclusive. */
  long hash(byte[] bytes, int from, int to);
}
