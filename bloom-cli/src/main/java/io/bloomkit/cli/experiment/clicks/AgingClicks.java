package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.io.StreamClock;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.aging.AgingBloomFilter;
import io.bloomkit.scalable.aging.AgingShape;
import java.time.Duration;
import java.util.UUID;

/**
 * Remembers the clicks of a window in an aging filter, with approximate ages and without a queue.
 */
final class AgingClicks implements ClickFilter {

  private final StreamClock clock = new StreamClock(0);
  private final AgingBloomFilter<UUID> filter;

  AgingClicks(AgingShape shape, long generationMillis) {
    filter =
        AgingBloomFilter.builder(HashStrategies.uuids())
            .shape(shape, Duration.ofMillis(generationMillis))
            .clock(clock)
            .build();
  }

  @Override
  public boolean isFirst(UUID id, long millis) {
    clock.set(millis);
    return filter.add(id);
  }

  @Override
  public long memoryBytes() {
    return filter.memoryBytes();
  }
}
