package io.bloomkit.cli.io;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.util.function.Supplier;

/**
 * The standard streams, for commands without a file.
 *
 * @param in supplies standard input when it is needed
 * @param out standard output; not a PrintStream, because it must report failures
 */
public record StandardStreams(Supplier<InputSource> in, OutputStream out) {

  /** Returns whether standard input is a regular file, which each source reads from its start. */
  boolean isReadableAgain() {
    return in instanceof StandardInput input && input.isReadableAgain();
  }

  /** Returns the streams of the process. */
  @SuppressWarnings("resource") // closing it would close standard output
  public static StandardStreams ofProcess() {
    return new StandardStreams(new StandardInput(), new FileOutputStream(FileDescriptor.out));
  }
}
