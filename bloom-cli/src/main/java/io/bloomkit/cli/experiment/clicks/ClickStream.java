package io.bloomkit.cli.experiment.clicks;

import it.unimi.dsi.fastutil.HashCommon;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A synthetic stream of clicks with repeats, as its {@link ClickTraffic} says, on a clock of its
 * own: message i comes i / rate seconds after the first. It knows which message is a repeat and how
 * old what it repeats is, and for that keeps the repeats to come, but no ids: an id follows from
 * the number of its first message.
 */
final class ClickStream {

  /** A repeat that is to come, with what a queue takes for it. */
  static final int BYTES_PER_PENDING = 56;

  private static final long MOST_SIGNIFICANT = 0x9e3779b97f4a7c15L; // the golden ratio, as SplitMix
  private static final long LEAST_SIGNIFICANT = 0xd1342543de82ef95L;
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
  private long first;
  private long previous;

  /**
   * A message that will repeat another, in the place of the first one that is free.
   *
   * @param due the earliest place
   * @param first the first message with its id
   * @param previous the latest message with its id
   */
  private record Repeat(long due, long first, long previous) {}

  /**
   * Makes a stream.
   *
   * @param messages how many there will be; the same first ones come whatever their number
   * @param seed the same messages for the same seed
   */
  ClickStream(ClickTraffic traffic, long messages, long seed) {
    this.traffic = traffic;
    this.messages = messages;
    this.idSeed = HashCommon.murmurHash3(seed);
    this.random = new SplittableRandom(seed);
  }

  /** Goes on to the next message. */
  void advance() {
    Repeat repeat = pending.peek();
    if (repeat != null && repeat.due <= next) {
      pending.remove();
      first = repeat.first;
      previous = repeat.previous;
    } else {
      first = next;
      previous = next;
    }
    double after = traffic.messagesWithin(traffic.repeatAfter(random));
    if (after < messages - next) { // nobody will see the others
      pending.add(new Repeat(next + Math.max(1, Math.round(after)), first, next));
    }
    next++;
  }

  /** Returns the id of the message, a UUID of version 4. */
  UUID id() {
    return idOf(idSeed, first);
  }

  /** Different for different numbers, up to collisions of 122 random bits. */
  private static UUID idOf(long seed, long number) {
    long most = HashCommon.murmurHash3(seed + number * MOST_SIGNIFICANT);
    long least = HashCommon.murmurHash3(~seed + number * LEAST_SIGNIFICANT);
    return new UUID((most & ~VERSION_MASK) | VERSION_4, (least & ~VARIANT_MASK) | VARIANT_2);
  }

  /** Returns whether no message before had the id. */
  boolean isFirst() {
    return first == next - 1;
  }

  /** Returns when the message comes. */
  long millis() {
    return traffic.millisOf(next - 1);
  }

  /** Returns when the latest message before with the id came; of a first one, when it comes. */
  long previousMillis() {
    return traffic.millisOf(previous);
  }

  /** Returns how many repeats of messages until now are to come. */
  int pendingRepeats() {
    return pending.size();
  }
}
