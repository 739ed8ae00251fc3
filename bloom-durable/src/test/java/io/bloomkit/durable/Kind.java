package io.bloomkit.durable;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** The kinds of filters, with builders of small ones. */
enum Kind {
  CLASSIC,
  CLASSIC_CONCURRENT,
  BLOCKED,
  COUNTING,
  COUNTING_CONCURRENT,
  BLOCKED_COUNTING,
  CUCKOO,
  DYNAMIC,
  EXPIRING,
  WINDOW,
  SCALABLE,
  SCALABLE_CONCURRENT;

  static final Duration TIME_TO_LIVE = Duration.ofMillis(150);

  /** A clock that tests set. */
  static final class Clock implements InstantSource {

    final AtomicLong millis = new AtomicLong(1_000_000);

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis.get());
    }
  }

  boolean removes() {
    return builder(10, new Clock()) instanceof FilterBuilder.OfDeletable;
  }

  boolean isExpiring() {
    return this == EXPIRING || this == WINDOW;
  }

  /** Returns a builder of filters for a number of elements. */
  FilterBuilder<Long> builder(int elements, InstantSource clock) {
    var longs = HashStrategies.longs();
    return switch (this) {
      case CLASSIC -> ClassicBloomFilter.builder(longs).expecting(elements, 0.01);
      case CLASSIC_CONCURRENT ->
          ClassicBloomFilter.builder(longs).expecting(elements, 0.01).concurrent();
      case BLOCKED -> BlockedBloomFilter.builder(longs).expecting(elements, 0.01).concurrent();
      case COUNTING -> CountingBloomFilter.builder(longs).expecting(elements, 0.01);
      case COUNTING_CONCURRENT ->
          CountingBloomFilter.builder(longs).expecting(elements, 0.01).concurrent();
      case BLOCKED_COUNTING ->
          BlockedCountingBloomFilter.builder(longs).expecting(elements, 0.01).concurrent();
      case CUCKOO -> CuckooFilter.builder(longs).expecting(elements, 0.01);
      case DYNAMIC -> DynamicCuckooFilter.builder(longs).expecting(elements, 0.01);
      case EXPIRING ->
          ExpiringCuckooFilter.builder(longs)
              .expecting(elements, 0.01)
              .expireAfterAdd(TIME_TO_LIVE)
              .clock(clock);
      case WINDOW -> ExpiringCuckooFilter.builder(longs).expecting(elements, 0.01).window(elements);
      case SCALABLE -> ScalableBloomFilter.builder(longs).expecting(elements, 0.01);
      case SCALABLE_CONCURRENT ->
          ScalableBloomFilter.builder(longs).expecting(elements, 0.01).concurrent();
    };
  }

  /** Returns a builder of a small filter of texts, of one kind. */
  static ClassicBloomFilter.Builder<CharSequence> texts() {
    return ClassicBloomFilter.builder(HashStrategies.utf8()).expecting(100, 0.01);
  }

  /** Returns an independent copy. */
  static StorableFilter<Long> copy(StorableFilter<Long> filter, FilterBuilder<Long> builder) {
    try {
      return builder.readFrom(new java.io.ByteArrayInputStream(filter.toBytes()));
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }
}
