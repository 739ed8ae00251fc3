package io.bloomkit.flink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Hashes and timestamps of records that have passed without moving the clock, in the order of their
 * arrival. A filter cannot hold them until the time comes near their timestamps.
 */
final class AheadRecords {

  /** The largest number of records. */
  static final int LIMIT = StreamClock.MAJORITY;

  private static final long[] EMPTY = {};

  /** The hash and the timestamp of each record. */
  private long[] pairs;

  private int count;
  private long earliest = Long.MAX_VALUE;

  AheadRecords() {
    this(EMPTY, 0); // mostly it stays so, in each key group
  }

  private AheadRecords(long[] pairs, int count) {
    this.pairs = pairs;
    this.count = count;
    for (int i = 0; i < count; i++) {
      earliest = Math.min(earliest, pairs[2 * i + 1]);
    }
  }

  AheadRecords copy() {
    return new AheadRecords(pairs.clone(), count);
  }

  int size() {
    return count;
  }

  boolean isFull() {
    return count == LIMIT;
  }

  /** Returns the earliest timestamp, or the largest number if there is none. */
  long earliest() {
    return earliest;
  }

  /** Returns whether there is a record of a hash at most some milliseconds before or after one. */
  boolean containsNear(long hash, long timestamp, long millis) {
    if (timestamp < earliest - millis) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (pairs[2 * i] == hash && Math.abs(pairs[2 * i + 1] - timestamp) <= millis) {
        return true;
      }
    }
    return false;
  }

  /** Adds a record. Requires that this is not full. */
  void add(long hash, long timestamp) {
    if (2 * count == pairs.length) {
      pairs = Arrays.copyOf(pairs, Math.max(16, 2 * pairs.length));
    }
    pairs[2 * count] = hash;
    pairs[2 * count + 1] = timestamp;
    count++;
    earliest = Math.min(earliest, timestamp);
  }

  /** Removes the first record, and returns its hash. Requires that there is one. */
  long removeFirst() {
    long hash = pairs[0];
    AheadRecords rest = new AheadRecords(Arrays.copyOfRange(pairs, 2, pairs.length), count - 1);
    pairs = rest.pairs;
    count = rest.count;
    earliest = rest.earliest;
    return hash;
  }

  /** Returns the timestamps. */
  long[] timestamps() {
    return IntStream.range(0, count).mapToLong(i -> pairs[2 * i + 1]).toArray();
  }

  /** Receives a record. */
  interface Visitor {
    void accept(long hash, long timestamp);
  }

  /** Removes the records whose timestamp passes a test, and hands them to a visitor. */
  void removeIf(LongPredicate isRemoved, Visitor visitor) {
    int kept = 0;
    earliest = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long hash = pairs[2 * i];
      long timestamp = pairs[2 * i + 1];
      if (isRemoved.test(timestamp)) {
        visitor.accept(hash, timestamp);
      } else {
        pairs[2 * kept] = hash;
        pairs[2 * kept + 1] = timestamp;
        kept++;
        earliest = Math.min(earliest, timestamp);
      }
    }
    count = kept;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeByte(count);
    for (int i = 0; i < 2 * count; i++) {
      out.writeLong(pairs[i]);
    }
  }

  static AheadRecords read(DataInputStream in) throws IOException {
    AheadRecords records = new AheadRecords();
    int count = in.readUnsignedByte();
    if (count > LIMIT) {
      throw new PermanentFailureException(
          "the state is damaged: it must have at most "
              + LIMIT
              + " records too far ahead, got "
              + count);
    }
    for (int i = 0; i < count; i++) {
      long hash = in.readLong();
      records.add(hash, in.readLong());
    }
    return records;
  }
}
