package io.bloomkit.cli.io;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** The elements of an input: its lines, or fields of its lines. */
public final class LineElements {

  private final InputSource input;
  private final Fields fields;
  private final boolean passMissing;
  private final LineReader reader;
  private long missing;
  private boolean isStopped;

  /**
   * Creates the elements of an input.
   *
   * @param input the input, decompressed
   * @param fields finds the element of a line
   * @param passMissing whether to skip a line that lacks a field; otherwise, such a line ends the
   *     run
   * @param terminator the byte that ends a line
   */
  LineElements(InputSource input, Fields fields, boolean passMissing, byte terminator) {
    this.input = input;
    this.fields = fields;
    this.passMissing = passMissing;
    this.reader = new LineReader(input, terminator);
  }

  /** A callback for each line; its arguments are valid until it returns. */
  @FunctionalInterface
  public interface Handler {

    /**
     * Receives the element of a line.
     *
     * @param bytes the array that holds the element
     * @param from the index of the first byte of the element
     * @param to the index after the last byte of the element
     */
    void element(byte[] bytes, int from, int to);

    /** Receives a line without an element. */
    default void missing() {}

    /** Called when all lines read so far were passed and the reader is about to wait for input. */
    default void pause() {}
  }

  /**
   * Passes all lines to a callback, until {@link #stop} is called, and closes the input.
   *
   * @param err the writer that receives the progress if standard error is a terminal
   * @throws UncheckedIOException if the input cannot be read
   * @throws IllegalArgumentException if a line lacks a field and such lines are not skipped, if a
   *     line cannot be split, or if the callback refuses a line; the message names the line
   */
  public void forEach(Handler handler, PrintWriter err) {
    try (StreamProgress progress = new StreamProgress(err, false, input.bytes())) {
      while (!isStopped && reader.readMore()) {
        while (!isStopped && reader.next()) {
          handle(handler);
        }
        handler.pause();
        progress.advanced(lines(), reader.bytesRead());
      }
      input.stream().close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + input.name() + ": " + e.getMessage(), e);
    }
  }

  private void handle(Handler handler) {
    if (find(handler)) {
      try {
        handler.element(fields.bytes(), fields.start(), fields.end());
      } catch (IllegalArgumentException e) {
        throw refused(handler, ": ", e);
      }
    } else if (passMissing) {
      missing++;
      handler.missing();
    } else {
      handler.pause();
      throw new IllegalArgumentException(
          String.format(
              "%s has no field %d %s", reader.place(), fields.missing(), fields.missingHint()));
    }
  }

  private boolean find(Handler handler) {
    try {
      return fields.find(reader.buffer(), reader.lineStart(), reader.lineEnd());
    } catch (IllegalArgumentException e) {
      throw refused(handler, " ", e);
    }
  }

  /** Returns an exception that names the line. The lines before it are handled. */
  private IllegalArgumentException refused(
      Handler handler, String separator, IllegalArgumentException e) {
    handler.pause();
    return new IllegalArgumentException(reader.place() + separator + e.getMessage(), e);
  }

  /** Ends the run after the current line. */
  public void stop() {
    isStopped = true;
  }

  /**
   * Writes the last line passed, unchanged. Before anything else is written, the writer adds the
   * terminator that a last line may lack.
   */
  public void writeLine(LineWriter out) {
    out.write(reader.buffer(), reader.lineStart(), reader.nextStart());
    if (reader.nextStart() == reader.lineEnd()) {
      out.terminateBeforeMore(reader.terminator());
    }
  }

  /** Returns the number of bytes read. */
  public long bytesRead() {
    return reader.bytesRead();
  }

  /** Returns the number of lines passed. */
  public long lines() {
    return reader.lines();
  }

  /** Returns the number of lines with an element. */
  public long elements() {
    return lines() - missing;
  }

  /** Returns a part of a summary that says what separates the fields, as the first line decided. */
  public String separatorNote() {
    String note = fields.separatorNote();
    return note.isEmpty() ? "" : "; " + note;
  }

  /** Returns the name of the input in messages. */
  public String name() {
    return input.name();
  }
}
