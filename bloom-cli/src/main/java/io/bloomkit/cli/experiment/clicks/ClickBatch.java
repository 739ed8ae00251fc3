package io.bloomkit.cli.experiment.clicks;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Passes messages to a filter in batches of some thousand and measures the time. The clock is read
 * twice per batch, and ids are created outside of the measured time.
 */
final class ClickBatch {

  /** The maximum number of messages in a batch, small enough for the fast caches. */
  static final int SIZE = 4096;

  private final @Nullable UUID[] ids = new UUID[SIZE];
  private final long[] millis = new long[SIZE];
  private final long[] previousMillis = new long[SIZE];
  private final boolean[] first = new boolean[SIZE];
  private final boolean[] takenForFirst = new boolean[SIZE];
  private int size;
  private long nanos;

  /** Replaces the messages by the next ones of a stream. */
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

  /** Passes all messages to a filter. */
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

  /** Returns the time of the previous message with the same id. */
  long previousMillis(int index) {
    return previousMillis[index];
  }

  boolean isFirst(int index) {
    return first[index];
  }

  /** Returns whether the filter classified a message as a first click. */
  boolean isTakenForFirst(int index) {
    return takenForFirst[index];
  }

  /** Returns the total time of all calls of {@link #apply}, in nanoseconds. */
  long nanos() {
    return nanos;
  }
}
