package io.bloomkit.cli.io;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** The elements in an input: its lines, or a field of each. */
public final class LineElements {

  private static final int WHOLE_LINE = 0;

  private final InputSource input;
  private final int field;
  private final Fields fields;
  private final boolean passMissing;
  private long lines;
  private long missing;

  /**
   * Prepares a run.
   *
   * @param input unpacked
   * @param field the field that is the element, from 1; 0 for the whole line
   * @param passMissing whether a line without it is no element, and not the end of the run
   */
  LineElements(InputSource input, int field, String separator, boolean passMissing) {
    this.input = input;
    this.field = field;
    this.fields = new Fields(separator);
    this.passMissing = passMissing;
  }

  /** Told of each line; what it is given is there until it returns. */
  public interface Taker {

    /**
     * A line that has an element.
     *
     * @param bytes where both stand
     * @param from the first byte of the element
     * @param to the byte after it
     * @param lineStart the first byte of the line
     * @param nextStart the byte after its line feed, if it has one
     */
    void element(byte[] bytes, int from, int to, int lineStart, int nextStart);

    /** A line that has none. */
    default void missing(byte[] bytes, int lineStart, int nextStart) {}

    /** All that has been read was taken; now more is waited for. */
    default void pause() {}
  }

  /**
   * Goes through all lines and closes the input.
   *
   * @param err where a terminal sees how far the run is
   * @throws UncheckedIOException if the input cannot be read
   * @throws IllegalArgumentException if a line has not its field and that ends the run, or the
   *     taker refuses one
   */
  public void forEach(Taker taker, PrintWriter err) {
    LineReader reader = new LineReader(input.stream(), input.name());
    try (ReadingProgress progress = new ReadingProgress(err, input.bytes())) {
      while (reader.readMore()) {
        while (reader.next()) {
          lines++;
          take(reader, taker);
        }
        taker.pause();
        progress.advanced(lines, reader.bytesRead());
      }
      input.stream().close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + input.name() + ": " + e.getMessage(), e);
    }
  }

  private void take(LineReader reader, Taker taker) {
    byte[] bytes = reader.buffer();
    int from = reader.lineStart();
    int to = reader.lineEnd();
    if (field != WHOLE_LINE) {
      if (!fields.find(bytes, from, to, field)) {
        if (!passMissing) {
          taker.pause();
          throw new IllegalArgumentException(
              String.format(
                  "line %d of %s has no field %d (--missing pass goes on)",
                  lines, input.name(), field));
        }
        missing++;
        taker.missing(bytes, reader.lineStart(), reader.nextStart());
        return;
      }
      from = fields.start();
      to = fields.end();
    }
    taker.element(bytes, from, to, reader.lineStart(), reader.nextStart());
  }

  /** Returns how many lines have been taken. */
  public long lines() {
    return lines;
  }

  /** Returns how many of them had an element. */
  public long elements() {
    return lines - missing;
  }

  /** Returns what messages call the input. */
  public String name() {
    return input.name();
  }
}
