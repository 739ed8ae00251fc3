package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Expiring filters with a window of insertions. */
class ExpiringInsertionsTest {

  private static final long SEED = 20261127;
  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static ExpiringCuckooFilter<Long> filter(long window) {
    return filter(window, 1e-9);
  }

  private static ExpiringCuckooFilter<Long> filter(long window, double fpp) {
    return ExpiringCuckooFilter.builder(LONGS).expecting(1000, fpp).window(window).build();
  }

  private static void addAll(ExpiringCuckooFilter<Long> to, long from, long end) {
    LongStream.range(from, end).forEach(to::add);
  }

  /** The last window includes stripes. */
  @Test
  void elementsAreRememberedForTheWindowAndLessThanTwoEpochsMore() {
    for (long window : new long[] {1, 2, 14, 15, 16, 17, 150, 1000, 200_000}) {
      checkTimes(window);
    }
  }

  private static void checkTimes(long window) {
    long epoch = (window + 14) / 15;
    for (long before : new long[] {0, 1, epoch / 2, epoch - 1, epoch, 3 * epoch + 1}) {
      ExpiringCuckooFilter<Long> filter = filter(window);
      addAll(filter, 1, 1 + before);
      assertTrue(filter.add(0L));
      addAll(filter, 1 - window, 0);
      assertTrue(filter.mightContain(0L), () -> "after a window and " + before);
      assertFalse(filter.copy().add(0L), () -> "after a window and " + before);
      long most = window % 15 == 0 ? epoch : 2 * epoch;
      addAll(filter, 1 - window - most, 1 - window);
      assertFalse(filter.mightContain(0L), () -> "long after a window and " + before);
    }
  }

  @Test
  void repeatsAreInsertionsAndDeferTheExpiry() {
    ExpiringCuckooFilter<Long> filter = filter(15);
    filter.add(1L);
    filter.add(2L);
    for (int i = 0; i < 13; i++) {
      assertFalse(filter.add(2L));
      assertTrue(filter.mightContain(1L));
      filter.mightContain(3L);
      filter.remove(4L);
    }
    assertTrue(filter.mightContain(1L));
    filter.addHashes(new long[] {LONGS.hashLong(2)}, 0, 1);
    assertFalse(filter.mightContain(1L), "after fifteen additions more");
    assertTrue(filter.mightContain(2L));
    assertTrue(filter.add(1L));
  }

  @Test
  void operationsThatNeedATimeAreRefused() {
    ExpiringCuckooFilter<Long> filter = filter(5000);
    filter.add(1L);
    for (Executable call :
        new Executable[] {
          () -> filter.add(2L, Duration.ofSeconds(1)),
          () -> filter.addHash(2L, Duration.ofSeconds(1)),
          () -> filter.expiresIn(1L),
          () -> filter.hashExpiresIn(1L),
          () -> filter.advanceTo(Instant.MAX),
          () -> filter.time()
        }) {
      String message = assertThrows(IllegalStateException.class, call).toString();
      assertTrue(
          message.contains("expireAfterAdd(...), but the window of this one is 5000 insertions"),
          message);
    }
    assertEquals(1, filter.liveFingerprints());
    assertTrue(filter.mightContain(1L));
    filter.clear();
    assertEquals(filter(5000), filter);
  }

  @Test
  void theBuilderTakesOneWindow() {
    ExpiringCuckooFilter.Builder<Long> builder =
        ExpiringCuckooFilter.builder(LONGS).expecting(10, 0.01);
    for (long wrong : new long[] {0, -1, (1L << 60) + 1}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> builder.window(wrong)).toString();
      assertTrue(message.contains("window must be at ") && message.contains("" + wrong), message);
    }
    assertThrows(IllegalStateException.class, builder::build);
    ExpiringCuckooFilter<Long> counted = builder.window(7).build();
    assertEquals(OptionalLong.of(7), counted.window());
    assertEquals(Optional.empty(), counted.timeToLive());
    assertTrue(counted.toString().contains("window=7 insertions"), counted::toString);
    assertTrue(builder.window(1L << 60).build().add(1L));
    String second =
        assertThrows(IllegalStateException.class, () -> builder.expireAfterAdd(Duration.ofDays(1)))
            .toString();
    assertTrue(second.endsWith("call expireAfterAdd(...) or window(...), not both"), second);
    ExpiringCuckooFilter.Builder<Long> timed =
        ExpiringCuckooFilter.builder(LONGS).expireAfterAdd(Duration.ofDays(1)).expecting(10, 0.01);
    assertEquals(OptionalLong.empty(), timed.build().window());
    assertThrows(IllegalStateException.class, () -> timed.window(7));
    timed.clock(InstantSource.system()).build();
    builder.clock(InstantSource.system());
    String message = assertThrows(IllegalStateException.class, builder::build).toString();
    assertTrue(message.contains("a window of insertions has no clock"), message);
  }

  @Test
  void windowsOfTimeAndOfInsertionsAreNotMerged() {
    ExpiringCuckooFilter<Long> counted = filter(1500);
    ExpiringCuckooFilter<Long> timed =
        ExpiringCuckooFilter.<Long>create(LONGS, 1000, 1e-9, Duration.ofMillis(1500));
    assertFalse(counted.isCompatible(timed));
    assertFalse(timed.isCompatible(counted));
    String message =
        assertThrows(IllegalArgumentException.class, () -> counted.merge(timed)).toString();
    assertTrue(message.contains("window=1500 insertions"), message);
    assertTrue(message.contains("timeToLive=PT1.5S"), message);
    assertThrows(IllegalArgumentException.class, () -> timed.merge(counted));
    assertFalse(counted.isCompatible(filter(3000)));
    assertNotEquals(counted, timed);
    assertNotEquals(timed, counted);
  }

  @Test
  void filtersAreEqualAfterEquallyManyInsertionsOfTheSameElements() {
    ExpiringCuckooFilter<Long> filter = filter(30);
    ExpiringCuckooFilter<Long> other = filter(30);
    addAll(filter, 0, 50);
    addAll(other, 0, 50);
    assertEquals(filter, other);
    assertEquals(filter.hashCode(), other.hashCode());
    other.add(49L); // of the same epoch
    assertNotEquals(filter, other);
    filter.add(49L);
    assertEquals(filter, other);
  }

  /** A filter beside an exact model: from fingerprints to the epochs in which they expire. */
  private static final class Twin {
    final SplittableRandom random;
    final long epoch;
    final int epochs;
    final FingerprintSpace space;
    final Map<Long, Long> expiries = new HashMap<>();
    ExpiringCuckooFilter<Long> filter;
    long insertions;

    Twin(long window, double fpp, long seed) {
      this.random = new SplittableRandom(seed);
      this.epoch = (window + 14) / 15;
      this.epochs = 1 + (int) ((window + epoch - 1) / epoch);
      this.filter = filter(window, fpp);
      this.space = FingerprintSpace.ofAtLeast(filter.possibleFingerprints());
    }

    long present() {
      return insertions / epoch;
    }

    boolean isAlive(long hash) {
      return expiries.getOrDefault(space.fingerprintOf(hash), Long.MIN_VALUE) > present();
    }

    void run(int operations, int elements) throws FilterFormatException {
      for (int i = 0; i < operations; i++) {
        long hash = LONGS.hashLong(random.nextInt(elements));
        int kind = random.nextInt(100);
        if (kind < 50) {
          assertEquals(!isAlive(hash), filter.addHash(hash));
          expiries.put(space.fingerprintOf(hash), present() + epochs);
          insertions++;
        } else if (kind < 60) {
          assertEquals(isAlive(hash), filter.removeHash(hash));
          expiries.remove(space.fingerprintOf(hash));
        } else if (kind < 99 || random.nextInt(20) > 0) {
          assertEquals(isAlive(hash), filter.mightContainHash(hash));
        } else {
          rest();
        }
      }
      rest();
      expiries.values().removeIf(expiry -> expiry <= present());
      assertEquals(expiries.size(), filter.liveFingerprints());
    }

    private void rest() throws FilterFormatException {
      int kind = random.nextInt(5);
      if (kind == 0) {
        filter.expire();
        assertEquals(filter.liveFingerprints(), filter.entries());
      } else if (kind == 1) {
        filter = filter.copy();
      } else if (kind == 2) {
        byte[] bytes = filter.toBytes();
        ExpiringCuckooFilter<Long> read = ExpiringCuckooFilter.fromBytes(bytes, LONGS);
        assertEquals(filter, read);
        assertArrayEquals(bytes, read.toBytes());
        filter = read;
      } else if (kind == 3) {
        ExpiringCuckooFilter<Long> before = filter.copy();
        filter.merge(filter);
        assertEquals(before, filter);
        filter.merge(filter(filter.window().orElseThrow(), filter.plan().orElseThrow().fpp()));
        assertEquals(before, filter);
      }
    }

    void merge(Twin other) {
      long others = other.present();
      if (insertions == 0) {
        insertions = other.insertions;
      } else if (other.insertions > 0) {
        long ofEpoch = insertions - present() * epoch;
        long ofOthers = other.insertions - others * epoch;
        insertions -= Math.max(0, ofEpoch - ofOthers);
      }
      other.expiries.forEach(
          (fingerprint, expiry) ->
              expiries.merge(fingerprint, expiry - others + present(), Math::max));
      filter.merge(other.filter);
    }
  }

  @Test
  void resultsAreThoseOfTheModel() throws FilterFormatException {
    for (long window : new long[] {1, 3, 15, 20, 100, 1000, 5000, 100_000}) {
      for (double fpp : new double[] {0.3, 1e-6}) {
        Twin twin = new Twin(window, fpp, SEED + window);
        for (int run = 0; run < 8; run++) {
          twin.run(10_000, twin.random.nextInt(1, 5000));
        }
      }
    }
    Twin striped = new Twin(300_000, 0.1, SEED);
    striped.run(1_500_000, 100_000);
  }

  @Test
  void mergedElementsKeepTheirAges() throws FilterFormatException {
    for (int run = 0; run < 200; run++) {
      Twin twin = new Twin(100, 0.001, SEED + run);
      Twin other = new Twin(100, 0.001, SEED - run);
      twin.run(twin.random.nextInt(1000), 300);
      other.run(other.random.nextInt(1000), 300);
      twin.merge(other);
      twin.run(500, 300);
    }
  }

  @Test
  void mergingIntoAnEmptyFilterCopies() {
    ExpiringCuckooFilter<Long> filter = filter(100);
    ExpiringCuckooFilter<Long> other = filter(100);
    addAll(other, 0, 1234);
    filter.merge(other);
    assertEquals(other, filter);
  }

  /** Merging sets the number of insertions back to 0 here, but the filter is not empty. */
  @Test
  void aMergedFilterAtTheStartOfItsFirstEpochIsNotNew() {
    ExpiringCuckooFilter<Long> filter = filter(300);
    addAll(filter, 0, 1);
    ExpiringCuckooFilter<Long> atTheEndOfAnEpoch = filter(300);
    addAll(atTheEndOfAnEpoch, 100, 120);
    filter.merge(atTheEndOfAnEpoch);
    ExpiringCuckooFilter<Long> later = filter(300);
    addAll(later, 1_000, 1_400);
    filter.merge(later);
    for (long element : new long[] {0, 100, 119, 1_399}) {
      assertTrue(filter.mightContain(element), () -> element + " is lost");
    }
  }

  @Test
  void aReadFilterGoesOnWithTheBuildersWindowOnly() throws FilterFormatException {
    ExpiringCuckooFilter<Long> filter = filter(100);
    addAll(filter, 0, 77);
    byte[] bytes = filter.toBytes();
    ExpiringCuckooFilter.Builder<Long> builder = ExpiringCuckooFilter.builder(LONGS);
    assertEquals(filter, builder.clock(InstantSource.fixed(Instant.MAX)).fromBytes(bytes));
    builder.expecting(1000, 1e-9);
    assertEquals(filter, builder.window(100).fromBytes(bytes));
    assertThrows(FilterFormatException.class, () -> builder.window(101).fromBytes(bytes));
    ExpiringCuckooFilter.Builder<Long> timed =
        ExpiringCuckooFilter.builder(LONGS)
            .expecting(1000, 1e-9)
            .expireAfterAdd(Duration.ofMillis(100));
    assertThrows(FilterFormatException.class, () -> timed.fromBytes(bytes));
  }
}
