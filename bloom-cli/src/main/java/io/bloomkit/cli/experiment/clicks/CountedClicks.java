package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.FlatShape;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.UUID;

/**
 * Remembers the clicks of a window in a counting filter. A queue of their hashes removes each click
 * when it leaves the window. Ages are exact, at the cost of the queue's memory.
 *
 * <p>Every message is added and later removed, including repeats and clicks that are mistaken for
 * repeats. The filter therefore contains exactly the multiset of the messages in the window. Adding
 * only messages that seem new would cause false negatives: a click that was mistaken for a repeat
 * would disappear with the clicks that collided with it.
 *
 * <p>The filter is a standard counting filter and not a blocked one, because memory is the scarce
 * resource at ten thousand messages per second. A blocked filter takes 1.3 times the memory at 1 %,
 * 1.7 times at 0.1 % and 2.5 times at 0.01 %.
 */
final class CountedClicks implements ClickFilter {

  private final HashStrategy<UUID> strategy = HashStrategies.uuids();
  private final CountingBloomFilter<UUID> filter;
  private final ExpiryQueue queue;
  private final long windowMillis;

  CountedClicks(FlatShape shape, int maxInWindow, long windowMillis) {
    this.filter = CountingBloomFilter.builder(strategy).shape(shape).build();
    this.queue = new ExpiryQueue(maxInWindow);
    this.windowMillis = windowMillis;
  }

  /**
   * {@inheritDoc}
   *
   * @throws ViolationException if the filter does not contain a click that leaves the window
   */
  @Override
  public boolean isFirst(UUID id, long millis) {
    while (queue.isOldestOlderThan(windowMillis, millis)) {
      if (!filter.removeHash(queue.removeOldest())) {
        throw new ViolationException(
            "counting filter does not contain a click that is to be removed");
      }
    }
    long hash = strategy.hash(id);
    queue.add(hash, millis);
    return filter.addHash(hash);
  }

  @Override
  public long memoryBytes() {
    return filter.memoryBytes() + queue.memoryBytes();
  }
}
