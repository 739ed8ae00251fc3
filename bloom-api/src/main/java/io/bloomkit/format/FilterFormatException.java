package io.bloomkit.format;

import java.io.IOException;
import java.util.Objects;

/**
 * Bytes are not a filter, not one of this version, or not the one that was asked for. The message
 * says what was expected, what was found, and at which byte.
 *
 * <p>This is the only exception that malformed bytes cause; what else a reader throws comes from
 * the stream or the file itself.
 */
public final class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * Makes an exception.
   *
   * @param offset where the fault is, in bytes from the beginning of the filter
   * @param fault what was expected and what was found
   */
  public FilterFormatException(long offset, String fault) {
    super("at byte " + offset + ": " + Objects.requireNonNull(fault, "fault"));
    this.offset = offset;
  }

  /** Returns where the fault is, in bytes from the beginning of the filter. */
  public long offset() {
    return offset;
  }
}
