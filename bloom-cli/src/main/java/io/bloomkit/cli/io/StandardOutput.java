package io.bloomkit.cli.io;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.Charset;
import java.util.Objects;

/**
 * The standard output stream. A failed write throws an unchecked exception, which a {@link
 * PrintWriter} does not swallow: {@link ClosedException} if the reader has closed the pipe,
 * otherwise {@link UncheckedIOException}.
 */
public final class StandardOutput extends OutputStream {

  private final OutputStream out;

  /**
   * Wraps a stream.
   *
   * @param out the stream to write to; not a PrintStream, because it must report failures
   */
  public StandardOutput(OutputStream out) {
    this.out = out;
  }

  /** Thrown if the reader of standard output has closed it, as {@code head} does. */
  public static final class ClosedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ClosedException(IOException cause) {
      super("standard output is closed", cause);
    }
  }

  /** Returns a writer in the encoding of standard output that flushes after each line. */
  public PrintWriter writer() {
    String charset =
        System.getProperty( // this property exists since Java 19
            "stdout.encoding",
            System.getProperty("sun.stdout.encoding", Charset.defaultCharset().name()));
    return new PrintWriter(
        new BufferedWriter(new OutputStreamWriter(this, Charset.forName(charset))), true);
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static RuntimeException failure(IOException e) {
    return isClosedPipe(e)
        ? new ClosedException(e)
        : new UncheckedIOException("cannot write to standard output: " + e.getMessage(), e);
  }

  /**
   * Returns whether a write failed because the pipe is closed. Java reports EPIPE only by the
   * system's message in the user's language. The method compares it with the message of a pipe that
   * it closes itself. Where sockets emulate pipes, as on Windows, the messages differ and the
   * result is false.
   */
  private static boolean isClosedPipe(IOException failure) {
    try {
      Pipe pipe = Pipe.open();
      pipe.source().close();
      try (Pipe.SinkChannel sink = pipe.sink()) {
        sink.write(ByteBuffer.allocate(1));
      }
      return false;
    } catch (IOException e) {
      return Objects.equals(e.getMessage(), failure.getMessage());
    }
  }
}
