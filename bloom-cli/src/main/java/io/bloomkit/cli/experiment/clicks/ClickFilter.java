package io.bloomkit.cli.experiment.clicks;

import java.util.UUID;

/** Tells first clicks from repeats. */
interface ClickFilter {

  /**
   * Takes a message.
   *
   * @param id the id of the click
   * @param millis when the message comes, not before the one before
   * @return whether it is taken for a first click
   */
  boolean isFirst(UUID id, long millis);

  /** Returns the bytes of all that it keeps. */
  long memoryBytes();
}
