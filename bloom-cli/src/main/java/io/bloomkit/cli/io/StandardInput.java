package io.bloomkit.cli.io;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Standard input. If it is a regular file, as in {@code bloom dedup -u < FILE}, each source begins
 * where the process found it.
 */
final class StandardInput implements Supplier<InputSource> {

  private static final Path FILE = Path.of("/dev/stdin");

  private static final long UNKNOWN = -1;

  private long start = UNKNOWN;

  /** Returns whether standard input can be read again. */
  boolean isReadableAgain() {
    return Files.isRegularFile(FILE); // false on Windows
  }

  @Override
  @SuppressWarnings("resource") // closing it would close standard input
  public InputSource get() {
    FileInputStream stream = new FileInputStream(FileDescriptor.in);
    if (isReadableAgain()) {
      try {
        start = start == UNKNOWN ? stream.getChannel().position() : start;
        stream.getChannel().position(start);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read standard input: " + e.getMessage(), e);
      }
    }
    FilterInputStream unclosed =
        new FilterInputStream(stream) {
          @Override
          public void close() {}
        };
    return new InputSource(unclosed, "standard input", InputSource.remaining(stream.getChannel()));
  }
}
