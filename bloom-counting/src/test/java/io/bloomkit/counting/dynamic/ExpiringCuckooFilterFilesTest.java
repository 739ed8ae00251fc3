package io.bloomkit.counting.dynamic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.Delta;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.SectionRole;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExpiringCuckooFilterFilesTest implements FileFormatContract<ExpiringCuckooFilter<Long>> {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final long EPOCH = 1_000;
  private static final Duration TTL = Duration.ofMillis(15 * EPOCH);
  private static final long EPOCHS_BEFORE_START = 1_700_000_000L;
  private static final long START = EPOCHS_BEFORE_START * EPOCH;

  /** A clock for reading: that of the oldest file, so files have the time of writing. */
  private static final HandClock ANCIENT = new HandClock(Long.MIN_VALUE / 2);

  private static ExpiringCuckooFilter<Long> empty(long expected, double fpp, HandClock clock) {
    return ExpiringCuckooFilter.builder(LONGS)
        .expecting(expected, fpp)
        .expireAfterAdd(TTL)
        .clock(clock)
        .build();
  }

  /** Adds as many elements in each of seven epochs. */
  private static ExpiringCuckooFilter<Long> filter(
      long start, long expected, double fpp, int elements) {
    HandClock clock = new HandClock(start);
    ExpiringCuckooFilter<Long> filter = empty(expected, fpp, clock);
    for (long i = 0; i < elements; i++) {
      clock.set(start + i * 7 * EPOCH / elements);
      filter.add(i);
    }
    return filter;
  }

  private static ExpiringCuckooFilter<Long> withShortTimes() {
    HandClock clock = new HandClock(START);
    ExpiringCuckooFilter<Long> filter = empty(300, 0.01, clock);
    for (long i = 0; i < 250; i++) {
      filter.add(i, Duration.ofMillis(1 + i * 60));
      clock.pass(10);
    }
    return filter;
  }

  @Override
  public List<GoldenFile<ExpiringCuckooFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "expiring-cuckoo-empty.bloom",
            "e0fbc3455643aed771815f3e2dc821e11c6c689d92e3481a40f9b3df27abd75c",
            filter(START, 300, 0.01, 0)),
        new GoldenFile<>(
            "expiring-cuckoo-one.bloom",
            "cc0c90154e6bd6c15d0b1b09ff061de69c9ca9f27b6e4827fbc5573be9733653",
            filter(START, 300, 0.01, 1)),
        new GoldenFile<>(
            "expiring-cuckoo-planned.bloom",
            "6b18ce8cd84e1ff1ed6bab55c70c4b7a24c4a82e28a0e3846d07798a554f26ff",
            filter(START, 300, 0.01, 300)),
        new GoldenFile<>(
            "expiring-cuckoo-wide.bloom",
            "1c214d50d3fc044cc48e918632fd6ec8b32a152a4736a4ae6a529d84de768af3",
            filter(START, 33, 1e-15, 33)),
        new GoldenFile<>(
            "expiring-cuckoo-dense.bloom",
            "077d36ef9a70bd37ab014a2c84700ee588fea00fa9f5faea45160c35036ff77a",
            filter(START, 300, 0.9, 900)),
        new GoldenFile<>(
            "expiring-cuckoo-before-1970.bloom",
            "4825be815491602af7e0623244e084f7a9aefc05b8d06a64f18fd5fd94041f7d",
            filter(-3 * EPOCH, 300, 0.01, 100)),
        new GoldenFile<>(
            "expiring-cuckoo-short-times.bloom",
            "2b59954864c36fa55bacb491da80dd03c6df78d553cbecb1a3435f56d303bbc2",
            withShortTimes()));
  }

  @Override
  public List<ExpiringCuckooFilter<Long>> largeFilters() {
    return List.of(
        filter(START, 2_000_000, 0.01, 1_500_000), filter(START, 2_000_000, 0.9, 2_000_000));
  }

  @Override
  public ExpiringCuckooFilter<Long> readFrom(InputStream in) throws IOException {
    return ExpiringCuckooFilter.builder(LONGS).clock(ANCIENT).readFrom(in);
  }

  @Override
  public ExpiringCuckooFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return ExpiringCuckooFilter.builder(LONGS).clock(ANCIENT).fromBytes(bytes);
  }

  @Test
  void aReadFilterHasAgedMeanwhile() throws FilterFormatException {
    ExpiringCuckooFilter<Long> filter = filter(START, 30_000, 0.001, 30_000);
    byte[] bytes = filter.toBytes();
    for (int epochs = 0; epochs < 30; epochs++) {
      HandClock clock = new HandClock(START + (6 + epochs) * EPOCH);
      ExpiringCuckooFilter<Long> read =
          ExpiringCuckooFilter.builder(LONGS).clock(clock).fromBytes(bytes);
      filter.advanceTo(clock.instant());
      assertEquals(filter, read);
      assertEquals(filter.liveFingerprints(), read.liveFingerprints());
      assertArrayEquals(filter.toBytes(), read.toBytes());
      read.add(-1L);
      clock.pass(TTL.toMillis());
      assertEquals(1, read.liveFingerprints() - live(filter, clock));
    }
  }

  private static long live(ExpiringCuckooFilter<Long> filter, HandClock clock) {
    ExpiringCuckooFilter<Long> later = filter.copy();
    later.advanceTo(clock.instant());
    return later.liveFingerprints();
  }

  @Test
  void theBytesDependOnTheLiveContentsOnly() {
    HandClock clock = new HandClock(START);
    ExpiringCuckooFilter<Long> grown = empty(1000, 0.001, clock);
    ExpiringCuckooFilter<Long> other = empty(1000, 0.001, clock);
    LongStream.range(0, 50_000).forEach(grown::add);
    clock.pass(20 * EPOCH);
    LongStream.range(0, 500).forEach(grown::add);
    LongStream.range(0, 500).map(i -> 499 - i).forEach(other::add);
    assertArrayEquals(other.toBytes(), grown.toBytes());
    clock.pass(2 * EPOCH);
    assertArrayEquals(other.toBytes(), grown.toBytes());
  }

  @Test
  void aDeltaLeadsFromAnyContentsToAnyOthers() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(20261127);
    for (int run = 0; run < 20; run++) {
      HandClock clock = new HandClock(START);
      ExpiringCuckooFilter<Long> filter = empty(1000, 0.1, clock);
      random.longs(random.nextInt(2000), 0, 1000).forEach(filter::add);
      ExpiringCuckooFilter<Long> before = filter.copy();
      byte[] beforeBytes = before.toBytes();
      clock.pass(EPOCH * random.nextInt(5));
      random.longs(random.nextInt(2000), 0, 2000).forEach(filter::add);
      byte[] delta = Delta.between(fromBytes(beforeBytes), filter).toBytes();
      assertEquals(filter, Delta.fromBytes(delta).apply(fromBytes(beforeBytes), this::fromBytes));
    }
  }

  @Test
  void aFilterOfTheBuildersSizeIsRead() throws FilterFormatException {
    byte[] bytes = filter(START, 300, 0.01, 10).toBytes();
    ExpiringCuckooFilter.Builder<Long> builder =
        ExpiringCuckooFilter.builder(LONGS).clock(ANCIENT).expecting(300, 0.01);
    assertThrows(IllegalStateException.class, () -> builder.fromBytes(bytes));
    assertEquals(10, builder.expireAfterAdd(TTL).fromBytes(bytes).liveFingerprints());
    for (Duration other : new Duration[] {TTL.plusMillis(1), Duration.ofDays(1)}) {
      String message =
          assertThrows(
                  FilterFormatException.class, () -> builder.expireAfterAdd(other).fromBytes(bytes))
              .toString();
      assertTrue(message.contains("the filter must have"), message);
    }
  }

  private static final long F = 1 << 10;

  private static FilterContents.Builder contents(long... fields) {
    return FilterContents.of(ExpiringCuckooFilter.KIND.code(), StrategyIdentity.of(LONGS), fields);
  }

  private static FilterContents.Builder holding(long... entries) {
    return contents(10, F, 15_000, 4, 0).section(SectionRole.FINGERPRINTS, entries);
  }

  private void assertRefused(String fault, FilterContents.Builder forged) {
    byte[] bytes = forged.build().toBytes();
    String message =
        String.valueOf(
            assertThrows(FilterFormatException.class, () -> fromBytes(bytes)).getMessage());
    assertTrue(message.contains(fault), message);
  }

  @Test
  void contradictionsAreNamed() throws FilterFormatException {
    ExpiringCuckooFilter<Long> sound = fromBytes(holding(16, 47, 16 * F - 1).build().toBytes());
    assertEquals(3, sound.liveFingerprints());
    sound.advanceTo(Instant.ofEpochMilli(1_000));
    assertEquals(2, sound.liveFingerprints());
    assertRefused("fingerprint 1024 must be below 1024", holding(16 * F));
    assertRefused("fingerprint 1 must be below 1024 and occur once", holding(17, 18));
    assertRefused("expected must be in [1, ", contents(0L, F, 1L, 4L, 0L));
    assertRefused("fingerprints must be in [1067, ", contents(1000L, F, 1L, 4L, 0L));
    assertRefused("fourteen significant bits", contents(10L, 16_385L, 1L, 4L, 0L));
    assertRefused("got 144115188075855872", contents(10L, 1L << 57, 1L, 4L, 0L));
    assertRefused("timeToLiveMillis must be in [1, ", contents(10L, F, 0L, 4L, 0L));
    assertRefused("stampBits must be in [4, 4], got 5", contents(10L, F, 1L, 5L, 0L));
    assertRefused("epoch must be in", contents(10L, F, 15_000L, 4L, Long.MAX_VALUE));
    assertRefused("epoch must be in", contents(10L, F, 15_000L, 4L, Long.MIN_VALUE));
    assertRefused(
        "the element count must be unknown",
        holding(16).elementCount(OptionalLong.of(1), 0, Long.MAX_VALUE));
    assertFalse(fromBytes(holding().build().toBytes()).mightContain(1L));
  }
}
