package io.bloomkit.cli.experiment.clicks;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Shows a filter some thousand messages at a time and measures how long that takes. The clock is
 * read twice a batch, and ids are made outside of the measured time.
 */
final class ClickBatch {

  /** The most messages of a batch: few enough to stay in the fast caches. */
  static final int SIZE = 4096;

  private final @Nullable UUID[] ids = new UUID[SIZE];
  private final long[] millis = new long[SIZE];
  private final long[] previousMillis = new long[SIZE];
  private final boolean[] first = new boolean[SIZE];
  private final boolean[] takenForFirst = new boolean[SIZE];
  private int size;
  private long nanos;

  /** Takes the next messages of a stream in place of those before. */
  void fill(ClickStream stream, int messages) {
    for (int i = 0; i < messages; i++) {
      stream.advance();
      ids[i] = stream.id();
      millis[i] = stream.millis();
      previousMillis[i] = stream.previousMillis();
      first[i] = stream.isFirst();
    }
    size = messages;
  }

  /** Shows a filter all messages. */
  void apply(ClickFilter filter) {
    long start = System.nanoTime();
    for (int i = 0; i < size; i++) {
      takenForFirst[i] = filter.isFirst(id(i), millis[i]);
    }
    nanos += System.nanoTime() - start;
  }

  int size() {
    return size;
  }

  UUID id(int index) {
    return Objects.requireNonNull(ids[index]);
  }

  long millis(int index) {
    return millis[index];
  }

  /** Returns when the latest message before with the id came. */
  long previousMillis(int index) {
    return previousMillis[index];
  }

  boolean isFirst(int index) {
    return first[index];
  }

  /** Returns what the filter answered. */
  boolean isTakenForFirst(int index) {
    return takenForFirst[index];
  }

  /** Returns how long {@link #apply} took, all calls together. */
  long nanos() {
    return nanos;
  }
}
