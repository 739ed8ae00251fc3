package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/** Remembers the clicks of a window in an expiring filter, without a queue. */
final class ExpiringClicks implements ClickFilter {

  private final ExpiringCuckooFilter<UUID> filter;
  private long now;

  /**
   * Creates an empty filter.
   *
   * @param messages the planned number of messages in a window
   * @throws IllegalArgumentException if the filter does not support the number or the rate
   */
  ExpiringClicks(long messages, double fpp, long windowMillis) {
    filter =
        ExpiringCuckooFilter.builder(HashStrategies.uuids())
            .expecting(messages, fpp)
            .expireAfterAdd(Duration.ofMillis(windowMillis))
            .clock(InstantSource.fixed(Instant.EPOCH))
            .build();
  }

  @Override
  public boolean isFirst(UUID id, long millis) {
    if (millis > now) {
      now = millis;
      filter.advanceTo(Instant.ofEpochMilli(millis));
    }
    return filter.add(id);
  }

  long possibleFingerprints() {
    return filter.possibleFingerprints();
  }

  @Override
  public long memoryBytes() {
    return filter.memoryBytes();
  }
}
