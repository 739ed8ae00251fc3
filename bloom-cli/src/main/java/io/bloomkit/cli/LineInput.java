package io.bloomkit.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a command reads lines. */
final class LineInput {

  private LineInput() {}

  /**
   * Opens a file, or standard input if there is none or its name is {@code -}.
   *
   * @throws java.io.UncheckedIOException if that fails
   */
  static DedupInput of(@Nullable Path file, StandardStreams streams) {
    return file == null || file.toString().equals("-") ? streams.in().get() : DedupInput.of(file);
  }
}
