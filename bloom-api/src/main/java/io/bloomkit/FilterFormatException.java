package io.bloomkit;

import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Thrown if bytes are not a valid filter, or if the format version, the kind or the {@linkplain
 * StrategyIdentity hash strategy} of the filter is not the expected one. The message states what
 * was expected, what was found, and at which byte, and names the file if a path was given.
 *
 * <p>A method that reads a filter or a delta throws no other exception because of malformed bytes.
 * If such a method throws any other {@link IOException}, the stream or the file failed.
 */
public final class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * Creates an exception.
   *
   * @param offset the index of the faulty byte, from the beginning of the filter
   * @param fault what was expected and what was found
   * @throws NullPointerException if the fault is null
   */
  public FilterFormatException(long offset, String fault) {
    super("at byte " + offset + ": " + Objects.requireNonNull(fault, "fault"));
    this.offset = offset;
  }

  /**
   * Creates an exception whose message also names the file.
   *
   * @param file the file as the caller named it
   * @param cause the fault in its bytes
   * @throws NullPointerException if an argument is null
   */
  public FilterFormatException(Path file, FilterFormatException cause) {
    super(
        Objects.requireNonNull(file, "file")
            + ", "
            + Objects.requireNonNull(cause, "cause").getMessage(),
        cause);
    this.offset = cause.offset;
  }

  /** Returns the index of the faulty byte, from the beginning of the filter. */
  public long offset() {
    return offset;
  }
}
