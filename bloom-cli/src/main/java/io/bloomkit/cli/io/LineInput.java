package io.bloomkit.cli.io;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a command reads lines. */
public final class LineInput {

  private LineInput() {}

  /**
   * Opens a file, or standard input if there is none or its name is {@code -}.
   *
   * @throws java.io.UncheckedIOException if that fails
   */
  public static DedupInput of(@Nullable Path file, StandardStreams streams) {
    return file == null || file.toString().equals("-") ? streams.in().get() : DedupInput.of(file);
  }
}
