package io.bloomkit.durable;

import io.bloomkit.internal.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Updates that were taken from all stripes at one moment, or at moments without others between
 * them: those of one frame.
 */
final class Cut {

  final long epoch;

  /** The last generation of the updates. */
  long generation;

  final List<UpdateBuffer> buffers;
  int count;
  int removalCount;

  Cut(long epoch, long generation, int buffers) {
    this.buffers = new ArrayList<>(buffers);
    this.epoch = epoch;
    this.generation = generation;
  }

  void add(UpdateBuffer buffer) {
    buffers.add(buffer);
    count += buffer.count;
    removalCount += buffer.removalCount;
  }

  /** Returns whether a frame has room for this and the cut that follows it. */
  boolean canTake(Cut next) {
    return epoch == next.epoch && count + next.count <= LogFormat.MAX_UPDATES;
  }

  void addAll(Cut next) {
    next.buffers.forEach(this::add);
    generation = next.generation;
  }

  /** Returns the type of the frame. */
  int type() {
    if (removalCount == 0) {
      return LogFormat.ADDITIONS;
    }
    return removalCount == count ? LogFormat.REMOVALS : LogFormat.MIXED;
  }

  /** Puts the updates into a frame that has room for them. */
  void fill(byte[] frame) {
    ByteBuffer body = body(frame);
    int start = 0;
    for (UpdateBuffer buffer : buffers) {
      body.position(start * Long.BYTES);
      body.asLongBuffer().put(buffer.hashes, 0, buffer.count);
      start += buffer.count;
    }
    if (type() == LogFormat.MIXED) {
      fillRemovals(frame);
    }
  }

  /** Returns the part of a frame with the hashes. */
  static ByteBuffer body(byte[] frame) {
    return ByteBuffer.wrap(frame, LogFormat.FRAME_BYTES, frame.length - LogFormat.FRAME_BYTES)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private void fillRemovals(byte[] frame) {
    int offset = LogFormat.FRAME_BYTES + count * Long.BYTES;
    long word = 0;
    int index = 0;
    for (UpdateBuffer buffer : buffers) {
      for (int i = 0; i < buffer.count; i++) {
        word |= (buffer.isRemoval(i) ? 1L : 0) << index;
        index++;
        if (index % Long.SIZE == 0 || index == count) {
          LittleEndian.putLong(frame, offset, word);
          offset += Long.BYTES;
          word = 0;
        }
      }
    }
  }
}
