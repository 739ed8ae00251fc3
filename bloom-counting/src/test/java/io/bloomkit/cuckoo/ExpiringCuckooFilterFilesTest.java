package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.format.Delta;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
  private static final ManualClock ANCIENT = new ManualClock(Long.MIN_VALUE / 2);

  private static ExpiringCuckooFilter<Long> empty(long expected, double fpp, ManualClock clock) {
    return ExpiringCuckooFilter.builder(LONGS)
        .expecting(expected, fpp)
        .expireAfterAdd(TTL)
        .clock(clock)
        .build();
  }

  /** Adds as many elements in each of seven epochs. */
  private static ExpiringCuckooFilter<Long> filter(
      long start, long expected, double fpp, int elements) {
    ManualClock clock = new ManualClock(start);
    ExpiringCuckooFilter<Long> filter = empty(expected, fpp, clock);
    for (long i = 0; i < elements; i++) {
      clock.set(start + i * 7 * EPOCH / elements);
      filter.add(i);
    }
    return filter;
  }

  private static ExpiringCuckooFilter<Long> withShortTimes() {
    ManualClock clock = new ManualClock(START);
    ExpiringCuckooFilter<Long> filter = empty(300, 0.01, clock);
    for (long i = 0; i < 250; i++) {
      filter.add(i, Duration.ofMillis(1 + i * 60));
      clock.pass(10);
    }
    return filter;
  }

  /** Adds elements to a filter with a window of a hundred insertions. */
  private static ExpiringCuckooFilter<Long> ofInsertions(int elements) {
    ExpiringCuckooFilter<Long> filter =
        ExpiringCuckooFilter.builder(LONGS).expecting(300, 0.01).window(100).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  @Override
  public List<GoldenFile<ExpiringCuckooFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "expiring-cuckoo-empty.bloom",
            "538b0a5ae0f91de96c60471eeff4e9d7eb5d63c760b2ab7aed830fc199a9dc2f",
            filter(START, 300, 0.01, 0)),
        new GoldenFile<>(
            "expiring-cuckoo-one.bloom",
            "4dd14e2594811339e7c9c281f5371c8ee9feb73d50223b5ddeb1d396f1237684",
            filter(START, 300, 0.01, 1)),
        new GoldenFile<>(
            "expiring-cuckoo-planned.bloom",
            "8ab80367ac3f7c417afd976fff4dfd69eaf3961c8b5a6ad7f522694a57eda5b9",
            filter(START, 300, 0.01, 300)),
        new GoldenFile<>(
            "expiring-cuckoo-wide.bloom",
            "726dbe13777b22157defe17a9776d9dd1d313653dce34374eb57c29ca33010f6",
            filter(START, 33, 1e-15, 33)),
        new GoldenFile<>(
            "expiring-cuckoo-dense.bloom",
            "d0fd70ecd81a3fb713a746585d1e94728cc088f4a52c38ac57dadb4141eb105d",
            filter(START, 300, 0.9, 900)),
        new GoldenFile<>(
            "expiring-cuckoo-before-1970.bloom",
            "9eb5e5fbe0cf363b867e49bc683c847e7250576e3a5804a5ac9fbb5193ffd525",
            filter(-3 * EPOCH, 300, 0.01, 100)),
        new GoldenFile<>(
            "expiring-cuckoo-short-times.bloom",
            "f73f449d0bdb2e4a10cf4c74c2fe5a1f169ef30cdc19bb2bcefd7ced5e4c6194",
            withShortTimes()),
        new GoldenFile<>(
            "expiring-cuckoo-insertions-none.bloom",
            "6fac988afe98cca87ab10865e30397e6138cf586f7c420d1804fa7354656ca54",
            ofInsertions(0)),
        new GoldenFile<>(
            "expiring-cuckoo-insertions.bloom",
            "3965d37989bf56f53e8f119c17c5d5a46cdfe85124038aceccea4fce94d1211f",
            ofInsertions(1234)));
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
      ManualClock clock = new ManualClock(START + (6 + epochs) * EPOCH);
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

  private static long live(ExpiringCuckooFilter<Long> filter, ManualClock clock) {
    ExpiringCuckooFilter<Long> later = filter.copy();
    later.advanceTo(clock.instant());
    return later.liveFingerprints();
  }

  @Test
  void theBytesDependOnTheLiveContentsOnly() {
    ManualClock clock = new ManualClock(START);
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
      ManualClock clock = new ManualClock(START);
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

  /** Nothing expires, and the changed element takes a few bytes. */
  @Test
  void aDeltaIsSmallInALaterEpochToo() throws FilterFormatException {
    for (boolean isOfInsertions : new boolean[] {false, true}) {
      ManualClock clock = new ManualClock(START);
      ExpiringCuckooFilter<Long> filter =
          isOfInsertions
              ? ExpiringCuckooFilter.builder(LONGS).expecting(30_000, 0.01).window(15_000).build()
              : empty(30_000, 0.01, clock);
      LongStream.range(0, 10_000).forEach(filter::add);
      byte[] before = filter.toBytes();
      clock.pass(2 * EPOCH);
      LongStream.range(10_000, 12_000).forEach(isOfInsertions ? filter::add : number -> {});
      LongStream.range(0, 5).forEach(filter::add);
      Delta delta = Delta.between(fromBytes(before), filter);
      int most = isOfInsertions ? before.length / 3 : 500;
      assertTrue(delta.toBytes().length < most, () -> delta.toBytes().length + " bytes");
    }
  }

  /** Where no filter comes by insertions, but a forged file may begin. */
  @Test
  void theNumberOfInsertionsStopsAtTheLargestOneThatIsRead() throws FilterFormatException {
    byte[] forged =
        contents(10, F, 15, 4, (1L << 61) - 1, 1)
            .section(SectionRole.FINGERPRINTS)
            .build()
            .toBytes();
    ExpiringCuckooFilter<Long> filter = fromBytes(forged);
    LongStream.range(0, 100).forEach(filter::add);
    assertEquals(filter, fromBytes(filter.toBytes()));
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
      String asked = " fingerprints and a time to live of " + other.toMillis() + " ms: build it";
      assertTrue(message.contains(asked), message);
    }
  }

  private static final long F = 1 << 10;

  private static FilterContents.Builder contents(long... fields) {
    return FilterContents.of(ExpiringCuckooFilter.KIND.code(), StrategyIdentity.of(LONGS), fields);
  }

  private static FilterContents.Builder holding(long... entries) {
    return contents(10, F, 15_000, 4, 0, 0).section(SectionRole.FINGERPRINTS, entries);
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
    ExpiringCuckooFilter<Long> sound = fromBytes(holding(17, 47, 16 * F - 1).build().toBytes());
    assertEquals(3, sound.liveFingerprints());
    sound.advanceTo(Instant.ofEpochMilli(1_000));
    assertEquals(2, sound.liveFingerprints());
    assertRefused("fingerprint 1024 must be below 1024", holding(16 * F));
    assertRefused("fingerprint 1 must be below 1024 and occur once", holding(17, 18));
    assertRefused("expected must be in [1, ", contents(0L, F, 1L, 4L, 0L, 0L));
    assertRefused("fingerprints must be in [2000, ", contents(1000L, F, 1L, 4L, 0L, 0L));
    assertRefused("fourteen significant bits", contents(10L, 16_385L, 1L, 4L, 0L, 0L));
    assertRefused("got 144115188075855872", contents(10L, 1L << 57, 1L, 4L, 0L, 0L));
    assertRefused("window must be in [1, ", contents(10L, F, 0L, 4L, 0L, 0L));
    assertRefused("stampBits must be in [4, 4], got 5", contents(10L, F, 1L, 5L, 0L, 0L));
    assertRefused("epoch must be in", contents(10L, F, 15_000L, 4L, Long.MAX_VALUE, 0L));
    assertRefused("epoch must be in", contents(10L, F, 15_000L, 4L, Long.MIN_VALUE, 0L));
    assertRefused("unit must be in [0, 1], got 2", contents(10L, F, 15_000L, 4L, 0L, 2L));
    assertRefused("insertions must be in [0, ", contents(10L, F, 15_000L, 4L, -1L, 1L));
    assertRefused("insertions must be in", contents(10L, F, 15_000L, 4L, (1L << 61) + 1, 1L));
    assertRefused(
        "the plan must be for 10 elements, got 11",
        holding(16).plan(Optional.of(new FilterPlan(11, 0.1))));
    assertRefused(
        "the element count must be unknown",
        holding(16).elementCount(OptionalLong.of(1), 0, Long.MAX_VALUE));
    assertFalse(fromBytes(holding().build().toBytes()).mightContain(1L));
  }
}
