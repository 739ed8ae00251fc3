package io.bloomkit.cli.examine;

import io.bloomkit.cli.io.InputSource;
import io.bloomkit.cli.io.LineReader;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The lines of an input as keys. Lines are read on demand, so that only one block is in memory.
 * Empty lines are skipped; a carriage return at the end of a line is not part of the key.
 *
 * <p>Can be iterated only once. Not thread-safe.
 */
final class LineKeys<T> implements Iterable<T> {

  private final KeyForm<T> form;
  private final LineReader reader;

  LineKeys(InputSource input, KeyForm<T> form) {
    this.form = form;
    this.reader = new LineReader(input, (byte) '\n');
  }

  /** Returns the number of lines read, including empty lines and repeats. */
  long lines() {
    return reader.lines();
  }

  /** Advances to the next non-empty line. Returns false if there is none. */
  private boolean advance() {
    do {
      while (reader.next()) {
        if (end() > reader.lineStart()) {
          return true;
        }
      }
    } while (reader.readMore());
    return false;
  }

  private int end() {
    int end = reader.lineEnd();
    return end > reader.lineStart() && reader.buffer()[end - 1] == '\r' ? end - 1 : end;
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {

      private boolean isFound;

      @Override
      public boolean hasNext() {
        isFound = isFound || advance();
        return isFound;
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        isFound = false;
        return form.parse(reader.buffer(), reader.lineStart(), end(), reader.place());
      }
    };
  }
}
