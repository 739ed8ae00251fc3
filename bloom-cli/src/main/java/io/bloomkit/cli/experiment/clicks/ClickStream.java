package io.bloomkit.cli.experiment.clicks;

import it.unimi.dsi.fastutil.HashCommon;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A synthetic stream of clicks with repeats according to a {@link ClickTraffic}. It has its own
 * clock: message i comes i / rate seconds after the first message. The stream records which
 * messages are repeats, and the age of the click that they repeat. For that, it stores the pending
 * repeats, but no ids: an id is computed from the number of its first message.
 */
final class ClickStream {

  /** The memory of a pending repeat in a queue. */
  static final int BYTES_PER_PENDING = 56;

  private static final long HIGH_HALF_FACTOR = 0x9e3779b97f4a7c15L; // the golden ratio, as SplitMix
  private static final long LOW_HALF_FACTOR = 0xd1342543de82ef95L;
  private static final long VERSION_MASK = 0xf000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0xc000000000000000L;
  private static final long VARIANT_2 = 0x8000000000000000L;

  private final ClickTraffic traffic;
  private final long messages;
  private final long idSeed;
  private final SplittableRandom random;
  private final PriorityQueue<Repeat> pending =
      new PriorityQueue<>(
          Comparator.comparingLong(Repeat::due).thenComparingLong(Repeat::previous));

  private long next;

  /**
   * A message.
   *
   * @param id a version 4 UUID
   * @param millis the time of the message
   * @param previousMillis the time of the previous message with the same id; for a first click, the
   *     time of the message itself
   * @param isFirst whether the message is the first with its id
   */
  record Message(UUID id, long millis, long previousMillis, boolean isFirst) {}

  /**
   * A pending repeat, which replaces the next new click.
   *
   * @param due the earliest number of the message
   * @param first the first message with its id
   * @param previous the latest message with its id
   */
  private record Repeat(long due, long first, long previous) {}

  /**
   * Creates a stream.
   *
   * @param messages the number of messages; it does not affect the messages themselves
   * @param seed the seed; the same seed gives the same messages
   */
  ClickStream(ClickTraffic traffic, long messages, long seed) {
    this.traffic = traffic;
    this.messages = messages;
    this.idSeed = HashCommon.murmurHash3(seed);
    this.random = new SplittableRandom(seed);
  }

  /** Returns the next message. */
  Message next() {
    Repeat repeat = pending.peek();
    long first = next;
    long previous = next;
    if (repeat != null && repeat.due <= next) {
      pending.remove();
      first = repeat.first;
      previous = repeat.previous;
    }
    double after = traffic.messagesWithin(traffic.repeatAfter(random));
    if (after < messages - next) { // later repeats fall after the end of the stream
      pending.add(new Repeat(next + Math.max(1, Math.round(after)), first, next));
    }
    long now = next++;
    return new Message(
        idOf(idSeed, first), traffic.millisOf(now), traffic.millisOf(previous), first == now);
  }

  /**
   * Returns the id of a number. Ids of different numbers differ, except for collisions of 122
   * random bits.
   */
  private static UUID idOf(long seed, long number) {
    long high = HashCommon.murmurHash3(seed + number * HIGH_HALF_FACTOR);
    long low = HashCommon.murmurHash3(~seed + number * LOW_HALF_FACTOR);
    return new UUID((high & ~VERSION_MASK) | VERSION_4, (low & ~VARIANT_MASK) | VARIANT_2);
  }

  /** Returns the number of pending repeats. */
  int pendingRepeats() {
    return pending.size();
  }
}
