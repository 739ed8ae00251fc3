package io.bloomkit.cli.experiment.fill;

import io.bloomkit.hash.BytesHashStrategy;
import java.util.function.LongPredicate;

/**
 * Hashes texts in batches of some thousand, applies a filter's operation to each, and measures the
 * time of both. The clock is read twice per batch, and the texts are written outside of the
 * measured time.
 *
 * <p>A text is stored as ASCII bytes in a reused buffer. Their hash equals the hash of the text by
 * the filter's strategy, since ASCII text is valid UTF-8. No String is created, so garbage
 * collection does not disturb the measurement.
 */
final class TimedBatch {
  /** The maximum number of texts in a batch, small enough for the fast caches. */
  static final int SIZE = 4096;

  private final BytesHashStrategy bytesHash;
  private final Sample.Form form;
  private final byte[] texts;
  private final boolean[] answers = new boolean[SIZE];
  private int size;
  private long nanos;

  TimedBatch(BytesHashStrategy bytesHash, Sample.Form form) {
    this.bytesHash = bytesHash;
    this.form = form;
    this.texts = new byte[SIZE * form.length()];
  }

  void clear() {
    size = 0;
  }

  boolean isFull() {
    return size == SIZE;
  }

  /** Appends the text of a number. */
  void put(long number) {
    form.writer().write(number, texts, size * form.length());
    size++;
  }

  int size() {
    return size;
  }

  /** Applies an operation to the hash of each text. */
  void apply(LongPredicate operation) {
    int length = form.length();
    long start = System.nanoTime();
    for (int i = 0; i < size; i++) {
      answers[i] = operation.test(bytesHash.hashBytes(texts, i * length, length));
    }
    nanos += System.nanoTime() - start;
  }

  /** Returns the answer of the operation for a text. */
  boolean answer(int index) {
    return answers[index];
  }

  /** Returns the time of {@link #apply} since the last call of this method, in nanoseconds. */
  long takeNanos() {
    long taken = nanos;
    nanos = 0;
    return taken;
  }
}
