package io.bloomkit.cli.io;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.util.function.Supplier;

/**
 * The input and output of lines when no file is given.
 *
 * @param in opened when it is needed
 * @param out must report failures, so not a PrintStream
 */
public record StandardStreams(Supplier<InputSource> in, OutputStream out) {

  /** Returns those of the process. */
  @SuppressWarnings("resource") // closing it would close standard output
  public static StandardStreams ofProcess() {
    return new StandardStreams(InputSource::standard, new FileOutputStream(FileDescriptor.out));
  }
}
