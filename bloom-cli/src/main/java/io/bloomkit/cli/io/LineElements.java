package io.bloomkit.cli.io;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** The elements in an input: its lines, or fields of each. */
public final class LineElements {

  private final InputSource input;
  private final Fields fields;
  private final boolean passMissing;
  private final LineReader reader;
  private long lines;
  private long missing;
  private boolean isStopped;

  /**
   * Prepares a run.
   *
   * @param input unpacked
   * @param fields finds the element of a line
   * @param passMissing whether a line that lacks a field has no element, and does not end the run
   */
  LineElements(InputSource input, Fields fields, boolean passMissing) {
    this.input = input;
    this.fields = fields;
    this.passMissing = passMissing;
    this.reader = new LineReader(input.stream(), input.name());
  }

  /** A callback for each line; its arguments are valid until it returns. */
  @FunctionalInterface
  public interface Taker {

    /**
     * A line that has an element.
     *
     * @param bytes holds the element
     * @param from the first byte of the element
     * @param to the byte after it
     */
    void element(byte[] bytes, int from, int to);

    /** A line that has none. */
    default void missing() {}

    /** All lines read so far were passed; the input now waits for more. */
    default void pause() {}
  }

  /**
   * Goes through all lines, unless it is stopped, and closes the input.
   *
   * @param err receives the progress if it is a terminal
   * @throws UncheckedIOException if the input cannot be read
   * @throws IllegalArgumentException if a line lacks its field and that ends the run, or the
   *     callback refuses a line
   */
  public void forEach(Taker taker, PrintWriter err) {
    try (ReadingProgress progress = new ReadingProgress(err, input.bytes())) {
      while (!isStopped && reader.readMore()) {
        while (!isStopped && reader.next()) {
          lines++;
          take(taker);
        }
        taker.pause();
        progress.advanced(lines, reader.bytesRead());
      }
      input.stream().close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + input.name() + ": " + e.getMessage(), e);
    }
  }

  private void take(Taker taker) {
    if (fields.find(reader.buffer(), reader.lineStart(), reader.lineEnd())) {
      taker.element(fields.bytes(), fields.start(), fields.end());
    } else if (passMissing) {
      missing++;
      taker.missing();
    } else {
      taker.pause();
      throw new IllegalArgumentException(
          String.format(
              "line %d of %s has no field %d (--missing pass goes on)",
              lines, input.name(), fields.missing()));
    }
  }

  /** Ends the run after the last line passed. */
  public void stop() {
    isStopped = true;
  }

  /** Writes the last line passed, unchanged. */
  public void writeLine(LineWriter out) {
    out.write(reader.buffer(), reader.lineStart(), reader.nextStart());
  }

  /** Returns the number of lines passed. */
  public long lines() {
    return lines;
  }

  /** Returns the number of lines with an element. */
  public long elements() {
    return lines - missing;
  }

  /** Returns the name of the input in messages. */
  public String name() {
    return input.name();
  }
}
