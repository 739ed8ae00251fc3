package io.bloomkit.flink;

import io.bloomkit.FilterPlan;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The numbers that decide what a filter looks like; the state of a key group has them for each of
 * its filters.
 *
 * @param expected the number of distinct keys of the whole stream per time to live; 0 if not set
 * @param fpp the probability that a first record is dropped
 * @param ttlMillis how long a key is remembered; 0 if not set
 * @param boundMillis in event time, how far records are behind the latest one at most; else 0
 */
record PlannedSize(long expected, double fpp, long ttlMillis, long boundMillis)
    implements Serializable {

  private static final long serialVersionUID = 1;

  /** An epoch of a filter is its longest time to live divided by this, rounded up. */
  private static final int EPOCHS = 15;

  /** Times are limited to this many milliseconds from 1970, as those of filters are. */
  static final long MAX_MILLIS = 1L << 61;

  /** A clock that never moves: a filter's time is the one to which it was advanced. */
  private static final InstantSource STANDING =
      InstantSource.fixed(Instant.ofEpochMilli(-MAX_MILLIS));

  /** Returns the longest time that a filter remembers a key. */
  long longestMillis() {
    return ttlMillis + boundMillis;
  }

  /** Returns the length of an epoch of a filter. */
  long epochMillis() {
    return (longestMillis() - 1) / EPOCHS + 1;
  }

  /** Returns what a filter is planned for: the distinct keys in {@link #longestMillis()}. */
  FilterPlan ofKeyGroup(int keyGroups) {
    double keys = expected * ((double) longestMillis() / ttlMillis);
    return new FilterPlan(KeyGroupSize.of((long) Math.ceil(keys), keyGroups), fpp);
  }

  /** Returns a builder of the filter of one of a number of key groups. */
  <S> ExpiringCuckooFilter.Builder<S> builder(HashStrategy<S> hash, int keyGroups) {
    FilterPlan plan = ofKeyGroup(keyGroups);
    return unsized(hash)
        .expecting(plan.expectedInsertions(), fpp)
        .expireAfterAdd(Duration.ofMillis(longestMillis()));
  }

  /** Returns a builder that reads filters of any size. */
  static <S> ExpiringCuckooFilter.Builder<S> unsized(HashStrategy<S> hash) {
    return ExpiringCuckooFilter.builder(hash).clock(STANDING);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(ttlMillis);
    out.writeLong(boundMillis);
    out.writeLong(expected);
    out.writeDouble(fpp);
  }

  static PlannedSize read(DataInputStream in) throws IOException {
    long ttlMillis = in.readLong();
    long boundMillis = in.readLong();
    long expected = in.readLong();
    return new PlannedSize(expected, in.readDouble(), ttlMillis, boundMillis);
  }
}
