package io.bloomkit.format;

import java.io.IOException;
import java.util.Objects;

/**
 * Thrown if bytes are not a filter, or one of another format version, kind or strategy than
 * expected. The message says what was expected, what was found, and at which byte.
 *
 * <p>This is the only exception that malformed bytes cause; any other {@link IOException} of a
 * reader comes from the stream or the file.
 */
public final class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * Makes an exception.
   *
   * @param offset the byte at which the fault is, counted from the beginning of the filter
   * @param fault what was expected and what was found
   */
  public FilterFormatException(long offset, String fault) {
    super("at byte " + offset + ": " + Objects.requireNonNull(fault, "fault"));
    this.offset = offset;
  }

  /** Returns the byte at which the fault is, counted from the beginning of the filter. */
  public long offset() {
    return offset;
  }
}
