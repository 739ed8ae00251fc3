package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import io.bloomkit.testkit.Racer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promise of a concurrent filter: by one thread first, and then with real ones. */
@Timeout(120)
class ConcurrentAgingBloomFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final int THREADS = 8;
  private static final AgingShape SMALL = new AgingShape(5, 7, 128, 10);

  /** So sparse that nothing is positive by chance. */
  private static final AgingShape SPARSE = new AgingShape(7, 5, 1 << 20, 100);

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

  private static AgingBloomFilter<Long> byCount(AgingShape shape) {
    return AgingBloomFilter.builder(LONGS).shape(shape).concurrent().build();
  }

  private AgingBloomFilter<Long> byTime(AgingShape shape, Duration generation) {
    return AgingBloomFilter.builder(LONGS)
        .shape(shape, generation)
        .clock(clock)
        .concurrent()
        .build();
  }

  private static boolean[] race(IntFunction<BooleanSupplier> part) {
    BooleanSupplier[] parts = new BooleanSupplier[THREADS];
    Arrays.setAll(parts, part);
    return Racer.race(parts);
  }

  private static void assertAll(boolean[] kept, String what) {
    for (boolean one : kept) {
      assertTrue(one, what);
    }
  }

  /** What a query says and what is in the file, after each of thousands of operations. */
  @Test
  void forOneThreadItIsTheSingleWriterForm() throws IOException {
    SplittableRandom random = new SplittableRandom(71);
    for (boolean timed : new boolean[] {false, true}) {
      AgingBloomFilter.Builder<Long> builder = AgingBloomFilter.builder(LONGS).clock(clock);
      builder = timed ? builder.shape(SMALL, SECOND) : builder.shape(SMALL);
      AgingBloomFilter<Long> plain = builder.build();
      builder = builder.concurrent();
      AgingBloomFilter<Long> shared = builder.build();
      for (int n = 0; n < 4000; n++) {
        long step = random.nextInt(50) == 0 ? random.nextInt(15_000) : random.nextInt(300);
        millis.addAndGet(random.nextInt(9) == 0 ? -step : step);
        long element = random.nextInt(200);
        assertEquals(plain.mightContain(element), shared.mightContain(element), "query " + n);
        assertEquals(plain.expectedFpp(), shared.expectedFpp());
        assertEquals(plain.approximateElementCount(), shared.approximateElementCount());
        if (n % 1000 == 999) {
          plain.clear();
          shared.clear();
        }
        element = random.nextInt(200);
        assertEquals(plain.add(element), shared.add(element), "addition " + n);
        assertEquals(plain.cycle(), shared.cycle());
        switch (n % 500) {
          case 100 -> shared = shared.copy();
          case 200 -> shared = builder.fromBytes(shared.toBytes());
          case 300 -> shared = builder.fromBytes(plain.toBytes());
          case 400 -> shared = builder.buildFrom(shared.toLongArray(), shared.cycle());
          default -> {}
        }
        if (n % 10 == 0) {
          assertEquals(plain, shared);
          assertEquals(plain.hashCode(), shared.hashCode());
          assertEquals(plain.toString(), shared.toString());
          assertArrayEquals(plain.toBytes(), shared.toBytes());
          int age = random.nextInt(SMALL.slices());
          assertEquals(plain.setPositions(age), shared.setPositions(age));
        }
      }
      assertEquals(plain.memoryBytes(), shared.memoryBytes());
    }
  }

  @Test
  void aCopyLeadsALifeOfItsOwnAndTakesManyThreads() {
    AgingBloomFilter<Long> filter = byCount(SPARSE);
    filter.add(1L);
    AgingBloomFilter<Long> copy = filter.copy();
    assertAll(race(t -> () -> copy.add(100L + t)), "a first addition to a copy returned false");
    assertEquals(1 + THREADS, copy.cycle().additions());
    assertFalse(filter.mightContain(100L));
    filter.add(2L);
    assertFalse(copy.mightContain(2L));
    long[] words = filter.toLongArray();
    Arrays.fill(words, 0);
    assertTrue(filter.mightContain(1L));
  }

  /** While a thread ends a generation, which the lock that it holds stands for. */
  @Test
  void onlyAdditionsThatFindTheGenerationOverWait() throws InterruptedException {
    GenerationClock generations = new GenerationClock(SMALL, clock, 1000);
    SharedSlices slices = SharedSlices.empty(generations, new Cycle(0, 0, millis.get()));
    long first = IndexDerivation.start(LONGS.hashLong(1));
    long second = IndexDerivation.start(LONGS.hashLong(2));
    Thread late = new Thread(() -> slices.add(second));
    synchronized (slices.ending) {
      assertAll(
          Racer.race(() -> slices.add(first) && slices.contains(first)),
          "an addition to the present generation");
      millis.addAndGet(1000);
      late.start();
      long start = System.nanoTime();
      while (late.getState() != Thread.State.BLOCKED) {
        assertTrue(System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1), "does not wait");
        Thread.onSpinWait();
      }
      assertAll(Racer.race(() -> slices.contains(first)), "a query meanwhile");
    }
    late.join();
    assertTrue(slices.contains(first) && slices.contains(second));
    assertEquals(new Cycle(1, 1, 1_001_000), slices.cycle());
  }

  /** Promise 1, by count: each thread knows how many additions can have followed its own. */
  @Test
  void whatAnyThreadAddedStaysForTheWindow() {
    runByCount(SMALL, 20_000);
    runByCount(new AgingShape(3, 2, 64, 1), 2_000);
    runByCount(AgingShape.of(1000, 0.01), 20_000);
  }

  @Test
  @Tag("deep")
  void whatAnyThreadAddedStaysForTheWindowInALongRun() {
    for (long window : new long[] {1, 30, 1000, 100_000}) {
      for (double fpp : new double[] {0.1, 0.01, 0.001}) {
        runByCount(AgingShape.of(window, fpp), 500_000);
      }
    }
  }

  private static void runByCount(AgingShape shape, int additionsOfAThread) {
    AgingBloomFilter<Long> filter = byCount(shape);
    AtomicLong begun = new AtomicLong();
    AtomicLong ended = new AtomicLong();
    long window = shape.windowAdditions();
    boolean[] kept =
        race(
            thread -> {
              SplittableRandom random = new SplittableRandom(72 + thread);
              return () -> {
                int remembered = 64;
                long[] elements = new long[remembered];
                long[] endedBefore = new long[remembered];
                boolean all = true;
                for (int n = 0; n < additionsOfAThread; n++) {
                  int place = n % remembered;
                  boolean repeat = n >= remembered && random.nextInt(4) == 0;
                  long element = repeat ? elements[place] : (long) thread << 32 | n;
                  long before = ended.get();
                  begun.incrementAndGet();
                  boolean isFirst = filter.add(element);
                  ended.incrementAndGet();
                  all &= !repeat || !isFirst || begun.get() - endedBefore[place] > window;
                  elements[place] = element;
                  endedBefore[place] = before;
                  int queried = random.nextInt(Math.min(n + 1, remembered));
                  all &=
                      filter.mightContain(elements[queried])
                          || begun.get() - endedBefore[queried] > window;
                }
                return all;
              };
            });
    assertAll(kept, "negative within the window: " + filter);
    Cycle cycle = filter.cycle();
    long total = (long) THREADS * additionsOfAThread;
    assertEquals(total, cycle.generation() * shape.generationAdditions() + cycle.additions());
    assertConsistent(filter);
  }

  /** No more bits than the additions of each generation explain, which reading checks. */
  private static void assertConsistent(AgingBloomFilter<Long> filter) {
    assertEquals(
        filter,
        AgingBloomFilter.builder(LONGS)
            .shape(filter.shape())
            .buildFrom(filter.toLongArray(), filter.cycle()));
  }

  /** Promise 1, by time, while one of the threads turns the clock. */
  @Test
  void whatAnyThreadAddedStaysForTheTimeOfTheWindow() {
    runByTime(20_000);
  }

  @Test
  @Tag("deep")
  void whatAnyThreadAddedStaysForTheTimeOfTheWindowInALongRun() {
    runByTime(2_000_000);
  }

  private void runByTime(int additionsOfAThread) {
    AgingBloomFilter<Long> filter = byTime(SMALL, Duration.ofMillis(10));
    long window = filter.window().orElseThrow().toMillis();
    boolean[] kept =
        race(
            thread -> {
              SplittableRandom random = new SplittableRandom(73 + thread);
              return () -> {
                int remembered = 64;
                long[] elements = new long[remembered];
                long[] times = new long[remembered];
                boolean all = true;
                for (int n = 0; n < additionsOfAThread; n++) {
                  if (thread == 0 && n % 16 == 0) {
                    millis.addAndGet(random.nextInt(1000) == 0 ? 1000 : random.nextInt(7));
                  }
                  int place = n % remembered;
                  elements[place] = (long) thread << 32 | n;
                  times[place] = millis.get();
                  filter.add(elements[place]);
                  int queried = random.nextInt(Math.min(n + 1, remembered));
                  all &=
                      filter.mightContain(elements[queried])
                          || millis.get() - times[queried] > window;
                }
                return all;
              };
            });
    assertAll(kept, "negative within the window: " + filter);
  }

  /** All threads find it over at the same time, after pauses of one to all generations. */
  @Test
  void aGenerationByTimeEndsOnce() {
    AgingBloomFilter<Long> filter = byTime(SPARSE, SECOND);
    AgingBloomFilter<Long> alone =
        AgingBloomFilter.builder(LONGS).shape(SPARSE, SECOND).clock(clock).build();
    for (int round = 0; round < 60; round++) {
      int ended = round % (SPARSE.slices() + 2);
      millis.addAndGet(1000L * ended + 500);
      millis.addAndGet(-millis.get() % 1000);
      long from = (long) THREADS * round;
      assertAll(race(t -> () -> filter.add(from + t)), "a first addition returned false");
      for (long element = from; element < from + THREADS; element++) {
        alone.add(element);
        assertTrue(filter.mightContain(element));
      }
      assertEquals(alone.cycle(), filter.cycle(), "round " + round);
      assertEquals(alone, filter, "round " + round);
    }
  }

  /** Promise 2: all threads offer the same stream. */
  @Test
  void ofSeveralFirstAdditionsAtLeastOneReturnsTrue() {
    AgingBloomFilter<Long> filter = byCount(SPARSE);
    int elements = 10_000;
    AtomicLong[] firsts = new AtomicLong[elements];
    Arrays.setAll(firsts, i -> new AtomicLong());
    race(
        t ->
            () -> {
              for (int i = 0; i < elements; i++) {
                if (filter.add((long) i)) {
                  firsts[i].incrementAndGet();
                }
              }
              return true;
            });
    for (int i = 0; i < elements; i++) {
      assertTrue(firsts[i].get() >= 1, "no addition returned true: " + i);
    }
  }

  /** Promise 2 without a race: a stream dealt out to threads, with each element again elsewhere. */
  @Test
  void aRepeatByAnotherThreadIsTold() {
    AgingBloomFilter<Long> filter = byCount(AgingShape.of(10_000, 0.001));
    int round = 1000;
    for (long from = 0; from < 20L * round; from += round) {
      long first = from;
      boolean[] firsts =
          race(
              t ->
                  () -> {
                    long added = 0;
                    for (long i = first + t; i < first + round; i += THREADS) {
                      added += filter.add(i) ? 1 : 0;
                    }
                    return added >= round / THREADS - 5; // a few are positive by chance
                  });
      assertAll(firsts, "first additions that returned false");
      boolean[] repeats =
          race(
              t ->
                  () -> {
                    boolean all = true;
                    for (long i = first + t; i < first + round; i += THREADS) {
                      all &= !filter.add(first + (i + 1 - first) % round);
                    }
                    return all;
                  });
      assertAll(repeats, "repeats that were taken for new");
    }
  }

  /** Promise 3, and the rate: as a single-writer filter in which as many were added. */
  @Test
  void theRateIsThatOfASingleWriterFilter() {
    AgingShape shape = AgingShape.of(10_000, 0.01);
    AgingBloomFilter<Long> filter = byCount(shape);
    AgingBloomFilter<Long> alone = AgingBloomFilter.builder(LONGS).shape(shape).build();
    int each = 5_000;
    race(
        t ->
            () -> {
              for (long i = 0; i < each; i++) {
                filter.add((long) t << 32 | i);
              }
              return true;
            });
    for (long i = 0; i < (long) THREADS * each; i++) {
      alone.add(i);
    }
    assertEquals(alone.cycle(), filter.cycle());
    assertEquals(alone.expectedFpp(), filter.expectedFpp(), 0.1 * alone.expectedFpp());
    assertConsistent(filter);
  }
}
