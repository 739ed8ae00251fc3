package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterPlan;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExpiringCuckooFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final long START = 1_700_000_100_000L; // the start of an epoch
  private static final Duration HOUR = Duration.ofHours(1); // 15 epochs of 4 minutes
  private static final long EPOCH = 240_000;

  private final ManualClock clock = new ManualClock(START / EPOCH * EPOCH);
  private final ExpiringCuckooFilter<Long> filter = filter(1000, 1e-9);

  private ExpiringCuckooFilter<Long> filter(long expected, double fpp) {
    return ExpiringCuckooFilter.builder(LONGS)
        .expecting(expected, fpp)
        .expireAfterAdd(HOUR)
        .clock(clock)
        .secret(1)
        .build();
  }

  private static void addAll(ExpiringCuckooFilter<Long> to, long from, long end) {
    LongStream.range(from, end).forEach(to::add);
  }

  @Test
  void elementsAreRememberedForTheTimeToLiveAndAnEpochMoreAtMost() {
    for (long offset : new long[] {0, 1, EPOCH / 2, EPOCH - 1}) {
      clock.set(START / EPOCH * EPOCH + offset);
      ExpiringCuckooFilter<Long> filter = filter(1000, 1e-9);
      assertTrue(filter.add(1L));
      assertFalse(filter.add(1L));
      clock.pass(HOUR.toMillis());
      assertTrue(filter.mightContain(1L));
      clock.pass(EPOCH - offset - 1);
      assertTrue(filter.mightContain(1L));
      clock.pass(1);
      assertFalse(filter.mightContain(1L));
      assertTrue(filter.add(1L));
    }
  }

  @Test
  void anElementMayHaveAShorterTimeToLive() {
    assertTrue(filter.add(1L, Duration.ofMinutes(10)));
    assertEquals(Duration.ofMinutes(16), filter.expiresIn(1L));
    clock.pass(Duration.ofMinutes(16).toMillis() - 1);
    assertTrue(filter.mightContain(1L));
    assertEquals(Duration.ofMillis(1), filter.expiresIn(1L));
    clock.pass(1);
    assertFalse(filter.mightContain(1L));
    assertEquals(Duration.ZERO, filter.expiresIn(1L));
    assertTrue(filter.add(1L, HOUR));
    assertEquals(HOUR.plusMinutes(4), filter.expiresIn(1L));
    assertTrue(filter.addHash(LONGS.hashLong(2), Duration.ofNanos(1)));
    assertEquals(Duration.ofMinutes(8), filter.hashExpiresIn(LONGS.hashLong(2)));
    assertEquals(Duration.ZERO, filter.expiresIn(3L));
  }

  @Test
  void anAdditionDefersTheExpiryAndNeverAdvancesIt() {
    filter.add(1L);
    clock.pass(5 * EPOCH);
    assertFalse(filter.add(1L, Duration.ofMinutes(1)));
    assertEquals(Duration.ofMillis(11 * EPOCH), filter.expiresIn(1L));
    assertFalse(filter.add(1L));
    assertEquals(Duration.ofMillis(16 * EPOCH), filter.expiresIn(1L));
  }

  @Test
  void elementsAreRemoved() {
    assertFalse(filter.remove(1L));
    filter.add(1L);
    filter.add(1L);
    assertTrue(filter.remove(1L));
    assertFalse(filter.mightContain(1L));
    assertFalse(filter.removeHash(LONGS.hashLong(1)));
    filter.add(1L);
    clock.pass(16 * EPOCH);
    assertFalse(filter.remove(1L), "expired");
  }

  @Test
  void hashesAndLongsAreElementsToo() {
    assertTrue(filter.addLong(1));
    assertFalse(filter.addHash(LONGS.hashLong(1)));
    assertTrue(filter.mightContainLong(1));
    assertEquals(2, filter.addHashes(new long[] {9, 1L << 60, 5L << 60, 1L << 60, 9}, 1, 3));
    assertTrue(filter.mightContainHash(5L << 60));
    assertThrows(IndexOutOfBoundsException.class, () -> filter.addHashes(new long[] {1, 2}, 1, 2));
    assertEquals(3, filter.liveFingerprints());
  }

  @Test
  void bulkOperationsReadTheClockOnce() {
    int[] reads = {0};
    ExpiringCuckooFilter<Long> counting =
        ExpiringCuckooFilter.builder(LONGS)
            .expecting(1000, 1e-9)
            .expireAfterAdd(HOUR)
            .clock(
                () -> {
                  reads[0]++;
                  return clock.instant();
                })
            .build();
    long[] hashes = new SplittableRandom(1).longs(500).toArray();
    reads[0] = 0;
    assertEquals(300, counting.addHashes(hashes, 100, 300));
    assertEquals(1, reads[0]);
    boolean[] answers = new boolean[500];
    assertEquals(300, counting.mightContainHashes(hashes, 50, 450, answers));
    assertEquals(2, reads[0]);
    for (int i = 0; i < 500; i++) {
      assertEquals(i >= 100 && i < 400, answers[i]);
    }
    clock.pass(16 * EPOCH);
    assertEquals(0, counting.mightContainHashes(hashes, 0, 500, answers));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> counting.mightContainHashes(hashes, 100, 401, answers));
  }

  @Test
  void theTimeNeverGoesBack() {
    filter.add(1L);
    clock.pass(15 * EPOCH);
    assertTrue(filter.mightContain(1L));
    clock.pass(-100 * EPOCH);
    assertTrue(filter.add(2L));
    assertEquals(Duration.ofMillis(EPOCH), filter.expiresIn(1L), "time stands still");
    assertEquals(Duration.ofMillis(16 * EPOCH), filter.expiresIn(2L));
    clock.pass(101 * EPOCH);
    assertFalse(filter.mightContain(1L));
    assertTrue(filter.mightContain(2L));
  }

  @Test
  void aClockThatIsSetForwardForgetsUntilTheFilterIsCleared() {
    clock.pass(1_000_000 * EPOCH);
    filter.add(1L);
    clock.pass(-1_000_000 * EPOCH);
    filter.add(2L);
    clock.pass(100 * EPOCH);
    assertTrue(filter.mightContain(2L), "time stands still");
    filter.clear();
    assertFalse(filter.mightContain(2L));
    assertEquals(filter(1000, 1e-9), filter);
    filter.add(3L);
    clock.pass(16 * EPOCH);
    assertFalse(filter.mightContain(3L));
  }

  @Test
  void eventTimeIsSetByAdvanceTo() {
    ExpiringCuckooFilter<Long> events =
        ExpiringCuckooFilter.builder(LONGS)
            .expireAfterAdd(HOUR)
            .expecting(1000, 1e-9)
            .clock(InstantSource.fixed(Instant.EPOCH))
            .build();
    events.add(1L);
    assertEquals(Instant.EPOCH, events.time());
    events.advanceTo(Instant.EPOCH.plus(HOUR));
    assertEquals(Instant.ofEpochMilli(HOUR.toMillis() / EPOCH * EPOCH), events.time());
    assertTrue(events.mightContain(1L));
    events.add(2L);
    events.advanceTo(Instant.EPOCH.plus(HOUR).plusMillis(EPOCH));
    assertFalse(events.mightContain(1L));
    assertTrue(events.mightContain(2L));
    events.advanceTo(Instant.MIN);
    assertTrue(events.mightContain(2L));
    events.advanceTo(Instant.MAX);
    assertFalse(events.mightContain(2L));
    assertTrue(events.add(3L));
    assertEquals(Duration.ofMillis(16 * EPOCH), events.expiresIn(3L));
  }

  @Test
  void extremeClocksAndTimesToLiveAreAccepted() {
    for (Instant instant : new Instant[] {Instant.MIN, Instant.MAX, Instant.ofEpochMilli(-1)}) {
      for (Duration ttl : new Duration[] {Duration.ofNanos(1), Duration.ofMillis(1L << 60)}) {
        ExpiringCuckooFilter<Long> filter =
            ExpiringCuckooFilter.builder(LONGS)
                .expecting(10, 0.01)
                .expireAfterAdd(ttl)
                .clock(InstantSource.fixed(instant))
                .build();
        assertTrue(filter.add(1L));
        assertTrue(filter.mightContain(1L));
        assertTrue(filter.expiresIn(1L).compareTo(ttl) >= 0);
        Duration most = ttl.plusMillis(1).plus(ttl.dividedBy(15).plusMillis(2).multipliedBy(2));
        assertTrue(filter.expiresIn(1L).compareTo(most) <= 0);
      }
    }
    assertTrue(ExpiringCuckooFilter.<Long>create(LONGS, 0, 0.01, Duration.ofDays(1)).add(1L));
  }

  @Test
  void badArgumentsAreNamedWithTheirValues() {
    ExpiringCuckooFilter.Builder<Long> builder = ExpiringCuckooFilter.builder(LONGS);
    assertNamed(
        "timeToLive must be above 0, got PT0S", () -> builder.expireAfterAdd(Duration.ZERO));
    assertNamed(
        "timeToLive must be above 0, got PT-1S",
        () -> builder.expireAfterAdd(Duration.ofSeconds(-1)));
    assertNamed(
        "timeToLive must be at most 2^60 milliseconds",
        () -> builder.expireAfterAdd(Duration.ofMillis((1L << 60) + 1)));
    assertNamed(
        "got PT2562047788015215H30M7.999999999S",
        () -> builder.expireAfterAdd(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)));
    assertNamed("expected must be at least 0, got -1", () -> builder.expecting(-1, 0.01));
    assertNamed("fpp must be in (0, 1), got 1.5", () -> builder.expecting(1, 1.5));
    assertNamed(
        "expected / fpp must be at most 2^55, but expected is 1000 and fpp 1.0E-17",
        () -> builder.expecting(1000, 1e-17));
    assertNamed("expected is 9223372036854775807", () -> builder.expecting(Long.MAX_VALUE, 0.5));
    assertThrows(IllegalStateException.class, builder::build);
    builder.expecting(10, 0.01);
    assertThrows(IllegalStateException.class, builder::build);
    filter.add(1L, HOUR);
    assertNamed(
        "timeToLive must be at most that of the filter, PT1H, got PT1H0.001S",
        () -> filter.add(2L, HOUR.plusMillis(1)));
    assertNamed("timeToLive must be above 0, got PT0S", () -> filter.add(2L, Duration.ZERO));
    assertEquals(1, filter.liveFingerprints());
  }

  private static void assertNamed(String message, Runnable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.toString().contains(message), e::toString);
  }

  @Test
  void aClockThatThrowsChangesNothing() {
    boolean[] isBroken = {false};
    InstantSource broken =
        () -> {
          if (isBroken[0]) {
            throw new IllegalStateException("no time");
          }
          return clock.instant();
        };
    ExpiringCuckooFilter<Long> filter =
        ExpiringCuckooFilter.builder(LONGS)
            .expecting(1000, 1e-9)
            .expireAfterAdd(HOUR)
            .clock(broken)
            .build();
    filter.add(1L);
    isBroken[0] = true;
    assertThrows(IllegalStateException.class, () -> filter.add(2L));
    assertThrows(IllegalStateException.class, () -> filter.remove(1L));
    assertThrows(IllegalStateException.class, () -> filter.mightContain(1L));
    assertThrows(IllegalStateException.class, () -> filter.expiresIn(1L));
    assertThrows(IllegalStateException.class, filter::clear);
    assertThrows(IllegalStateException.class, filter::expire);
    assertThrows(IllegalStateException.class, filter::copy);
    assertThrows(IllegalStateException.class, () -> filter.merge(filter));
    assertFalse(filter.mightContain(2L), "reads no clock");
    isBroken[0] = false;
    assertTrue(filter.mightContain(1L));
    assertEquals(1, filter.liveFingerprints());
  }

  @Test
  void theFalsePositiveRateIsThatOfTheLiveFingerprints() {
    ExpiringCuckooFilter<Long> filter = filter(15_000, 0.01);
    long next = 0;
    for (int epoch = 0; epoch < 40; epoch++) {
      addAll(filter, next, next += 1_000);
      clock.pass(EPOCH);
    }
    long live = filter.liveFingerprints();
    assertEquals(15_000.0, (double) live, 200);
    assertEquals((double) live / filter.possibleFingerprints(), filter.expectedFpp());
    assertEquals(0.01 * 15 / 16, filter.expectedFpp(), 0.0002);
    assertEquals(15_000.0, (double) filter.approximateElementCount(), 60);
    assertFalse(filter.isOverfull());
    assertEquals(16_000 - live, filter.headroom());
    assertTrue(filter.estimate().fill().value() < 1);
    assertRate(filter, filter.expectedFpp());
    addAll(filter, next, next + 3_000);
    assertTrue(filter.isOverfull());
    assertEquals(0, filter.headroom());
    assertRate(filter, filter.expectedFpp());
    clock.pass(8 * EPOCH); // without an update, so expired entries are still there
    assertFalse(filter.isOverfull());
    assertRate(filter, filter.expectedFpp());
  }

  /** Also in short windows, of which a fifteenth, rounded up, is a large part. */
  @Test
  void plannedTrafficIsNotTooMuchInAnyWindow() {
    for (int window = 1; window <= 300; window++) {
      ExpiringCuckooFilter<Long> ofInsertions =
          ExpiringCuckooFilter.builder(LONGS).expecting(window, 1e-4).window(window).build();
      ManualClock clock = new ManualClock(0);
      ExpiringCuckooFilter<Long> ofTime =
          ExpiringCuckooFilter.builder(LONGS)
              .expecting(2L * window, 1e-4)
              .expireAfterAdd(Duration.ofMillis(window))
              .clock(clock)
              .build();
      for (long i = 0; i < 3L * window; i++) {
        for (ExpiringCuckooFilter<Long> filter : List.of(ofInsertions, ofTime)) {
          filter.add(i);
          assertFalse(filter.isOverfull(), filter::toString);
          assertTrue(filter.expectedFpp() <= 1.01e-4, filter::toString);
        }
        ofTime.add(-i - 1);
        clock.pass(1);
      }
    }
  }

  /** The number of positives is within 4.4 standard deviations: wrong by chance in 10^-5. */
  private static void assertRate(ExpiringCuckooFilter<Long> filter, double fpp) {
    SplittableRandom random = new SplittableRandom(20261127);
    int queries = 400_000;
    int positives = 0;
    for (int i = 0; i < queries; i++) {
      positives += filter.mightContainHash(random.nextLong()) ? 1 : 0;
    }
    assertEquals(fpp * queries, positives, 4.4 * Math.sqrt(fpp * queries));
  }

  @Test
  void memoryFollowsTheTraffic() {
    ExpiringCuckooFilter<Long> filter = filter(200_000, 0.01);
    long next = 0;
    for (int epoch = 0; epoch < 32; epoch++) {
      addAll(filter, next, next += 200_000 / 15);
      clock.pass(EPOCH);
    }
    long peak = filter.memoryBytes();
    double bits = 8.0 * peak / 200_000;
    assertTrue(bits < 17.2, () -> bits + " bits");
    for (int epoch = 0; epoch < 16; epoch++) { // until the last of the peak has expired
      addAll(filter, next, next += 40_000 / 15);
      clock.pass(EPOCH);
    }
    double rest = (double) filter.memoryBytes() / peak;
    assertTrue(rest <= 0.32, () -> "after a fifth of the traffic: " + rest);
    clock.pass(40 * EPOCH);
    for (int i = 0; i < 10_000; i++) {
      filter.add(0L); // one table is updated, and the hand sweeps the others
    }
    assertEquals(1, filter.liveFingerprints());
    assertTrue(filter.memoryBytes() < 1000, () -> filter.memoryBytes() + " bytes");
  }

  @Test
  void expireRemovesExpiredElements() {
    ExpiringCuckooFilter<Long> filter = filter(200_000, 0.01);
    addAll(filter, 0, 200_000);
    long peak = filter.memoryBytes();
    clock.pass(16 * EPOCH);
    assertEquals(peak, filter.memoryBytes());
    assertEquals(0, filter.liveFingerprints());
    filter.expire();
    assertTrue(filter.memoryBytes() < 1000, () -> filter.memoryBytes() + " bytes");
  }

  @Test
  void memoryComesBackAfterMoreTrafficThanPlanned() {
    for (double peak : new double[] {1.25, 2, 4}) {
      ExpiringCuckooFilter<Long> filter = filter(100_000, 0.01);
      long next = 0;
      long before = 0;
      for (int epoch = 0; epoch < 80; epoch++) {
        boolean isPeak = epoch >= 32 && epoch < 48;
        addAll(filter, next, next += Math.round((isPeak ? peak : 1) * 100_000 / 15));
        clock.pass(EPOCH);
        before = epoch == 31 ? filter.memoryBytes() : before;
      }
      double after = (double) filter.memoryBytes() / before;
      assertTrue(after < 1.1, () -> "after " + peak + " times the traffic: " + after);
      filter.expire();
      double swept = (double) filter.memoryBytes() / before;
      assertTrue(swept < 1.1, () -> "swept after " + peak + " times the traffic: " + swept);
    }
  }

  @Test
  void repeatedElementsTakeNoMemory() {
    addAll(filter, 0, 500);
    long before = filter.memoryBytes();
    for (int i = 0; i < 4; i++) {
      clock.pass(EPOCH);
      addAll(filter, 0, 500);
    }
    assertEquals(before, filter.memoryBytes());
    assertEquals(500, filter.liveFingerprints());
  }

  @Test
  void copiesAreIndependent() {
    addAll(filter, 0, 300);
    clock.pass(3 * EPOCH);
    ExpiringCuckooFilter<Long> copy = filter.copy();
    assertEquals(filter, copy);
    assertEquals(filter.hashCode(), copy.hashCode());
    copy.add(300L);
    assertFalse(filter.mightContain(300L));
    filter.remove(0L);
    assertTrue(copy.mightContain(0L));
    clock.pass(13 * EPOCH);
    assertFalse(copy.mightContain(1L));
    assertTrue(copy.mightContain(300L));
  }

  @Test
  void equalFiltersHaveTheSameLiveElementsAndExpiries() {
    ExpiringCuckooFilter<Long> other = filter(1000, 1e-9);
    addAll(other, 0, 3000);
    clock.pass(20 * EPOCH);
    addAll(filter, 5000, 5100);
    LongStream.range(5000, 5100).map(i -> 10_099 - i).forEach(other::add);
    assertEquals(filter, other);
    assertEquals(filter.hashCode(), other.hashCode());
    clock.pass(EPOCH);
    assertEquals(filter, other);
    filter.add(5000L);
    assertNotEquals(filter, other);
    other.add(5000L);
    assertEquals(filter, other);
    other.add(1L);
    assertNotEquals(filter, other);
    assertNotEquals(filter, filter(1001, 1e-9));
  }

  @Test
  void mergingKeepsTheLaterExpiry() {
    ExpiringCuckooFilter<Long> other = filter(1000, 1e-9);
    filter.add(1L);
    filter.add(2L);
    clock.pass(4 * EPOCH);
    other.add(2L);
    other.add(3L, Duration.ofMinutes(4));
    filter.merge(other);
    assertEquals(Duration.ofMillis(12 * EPOCH), filter.expiresIn(1L));
    assertEquals(Duration.ofMillis(16 * EPOCH), filter.expiresIn(2L));
    assertEquals(Duration.ofMillis(2 * EPOCH), filter.expiresIn(3L));
    ExpiringCuckooFilter<Long> before = filter.copy();
    filter.merge(filter);
    assertEquals(before, filter);
  }

  @Test
  void mergingAllIsMergingOneAfterAnother() {
    SplittableRandom random = new SplittableRandom(43);
    for (int run = 0; run < 40; run++) {
      ExpiringCuckooFilter.Builder<Long> builder =
          ExpiringCuckooFilter.builder(LONGS).expecting(1000, 0.001);
      builder = run % 2 == 0 ? builder.window(1000) : builder.expireAfterAdd(HOUR).clock(clock);
      List<ExpiringCuckooFilter<Long>> others = new ArrayList<>();
      ExpiringCuckooFilter<Long> expected = builder.build();
      for (int i = 0; i < 6; i++) {
        others.add(i == 3 ? expected : builder.<Long>build());
        for (int added = random.nextInt(3000); added > 0; added--) {
          others.get(i).add(random.nextLong(2000));
        }
        clock.pass(random.nextLong(4 * EPOCH));
      }
      ExpiringCuckooFilter<Long> all = expected.copy();
      all.mergeAll(others);
      all.mergeAll(List.of());
      others.set(3, expected.copy());
      others.forEach(expected::merge);
      assertArrayEquals(expected.toBytes(), all.toBytes());
      assertEquals(expected.liveFingerprints(), all.liveFingerprints());
    }
  }

  @Test
  void aMergedFilterOfALaterTimeSetsTheTime() {
    filter.add(1L);
    ExpiringCuckooFilter<Long> later = filter(1000, 1e-9);
    later.advanceTo(clock.instant().plusMillis(14 * EPOCH));
    later.add(2L);
    filter.merge(later);
    assertEquals(Duration.ofMillis(2 * EPOCH), filter.expiresIn(1L));
    assertEquals(Duration.ofMillis(16 * EPOCH), filter.expiresIn(2L));
  }

  @Test
  void onlyFiltersOfOneSpaceAndEpochAreMerged() {
    ExpiringCuckooFilter<Long> seconds =
        ExpiringCuckooFilter.<Long>create(LONGS, 1000, 1e-9, Duration.ofSeconds(1));
    ExpiringCuckooFilter<Long> larger = ExpiringCuckooFilter.<Long>create(LONGS, 2000, 1e-9, HOUR);
    filter.add(1L);
    for (ExpiringCuckooFilter<Long> other : List.of(seconds, larger)) {
      assertFalse(filter.isCompatible(other));
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> filter.mergeAll(List.of(filter(1000, 1e-9), other)))
              .toString();
      assertTrue(message.contains(other.timeToLive().orElseThrow().toString()), message);
    }
    assertFalse(filter.isCompatible(CountingBloomFilter.create(LONGS, 10, 0.1)));
    assertTrue(filter.isCompatible(filter(1000, 1e-9)));
    assertEquals(1, filter.liveFingerprints());
  }

  @Test
  void thePlanAndTheTimesAreKnown() {
    assertEquals(Optional.of(new FilterPlan(1000, 1e-9)), filter.plan());
    assertEquals(Optional.of(HOUR), filter.timeToLive());
    assertEquals(OptionalLong.empty(), filter.window());
    assertEquals(OptionalLong.empty(), filter.elementCount());
    assertEquals(LONGS, filter.strategy());
    filter.add(1L);
    String text = filter.toString();
    assertTrue(text.contains("expected=1000") && text.contains("entries=1"), text);
  }
}
