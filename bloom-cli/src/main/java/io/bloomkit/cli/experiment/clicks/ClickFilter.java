package io.bloomkit.cli.experiment.clicks;

import java.util.UUID;

/** Distinguishes first clicks from repeats. */
interface ClickFilter {

  /**
   * Processes a message.
   *
   * @param id the id of the click
   * @param millis the time of the message, not before that of the previous message
   * @return whether the message is classified as a first click
   */
  boolean isFirst(UUID id, long millis);

  /** Returns the memory of all stored data, in bytes. */
  long memoryBytes();
}
