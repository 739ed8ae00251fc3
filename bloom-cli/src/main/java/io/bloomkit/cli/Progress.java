package io.bloomkit.cli;

/** Told how far a long run is. */
interface Progress extends AutoCloseable {

  /** Work that takes nanoseconds a step reports after so many, not after each. */
  int STEP = 1 << 16;

  /** A phase of so many steps begins; the one before it is over. */
  void phase(String name, long steps);

  /** So many more steps of the phase are done. */
  void advance(long steps);

  /** The last phase is over. */
  @Override
  void close();
}
