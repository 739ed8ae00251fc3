package io.bloomkit.durable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The cuts that are not yet in the log, and buffers to use again. */
final class Backlog {

  /** How many buffers are kept. */
  private final int mostFree;

  private final int capacity;
  private final Deque<Cut> cuts = new ArrayDeque<>();
  private final Queue<UpdateBuffer> free = new ArrayDeque<>();
  private volatile int size;

  /**
   * @param capacity the number of updates in a buffer
   */
  Backlog(int capacity, int mostFree) {
    this.capacity = capacity;
    this.mostFree = mostFree;
  }

  /** Returns how many updates the buffers of all cuts have room for. */
  int size() {
    return size;
  }

  synchronized void add(Cut cut) {
    cuts.add(cut);
    size += cut.buffers.size() * capacity;
  }

  /** Returns the last generation of all cuts; 0 if there is none. */
  synchronized long lastGeneration() {
    Cut last = cuts.peekLast();
    return last == null ? 0 : last.generation;
  }

  /** Removes the oldest cut, together with those that fit into the same frame. */
  synchronized @Nullable Cut poll() {
    Cut cut = cuts.poll();
    if (cut == null) {
      return null;
    }
    for (Cut next = cuts.peek(); next != null && cut.canTake(next); next = cuts.peek()) {
      cut.addAll(cuts.remove());
    }
    size -= cut.buffers.size() * capacity;
    return cut;
  }

  /** Returns an empty buffer. */
  synchronized UpdateBuffer buffer() {
    UpdateBuffer buffer = free.poll();
    return buffer == null ? new UpdateBuffer(capacity) : buffer;
  }

  synchronized void release(UpdateBuffer buffer) {
    if (free.size() < mostFree) {
      buffer.clear();
      free.add(buffer);
    }
  }

  /** Takes the buffers of a cut back. */
  synchronized void release(Cut cut) {
    cut.buffers.forEach(this::release);
  }
}
