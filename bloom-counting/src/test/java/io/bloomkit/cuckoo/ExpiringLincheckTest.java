package io.bloomkit.cuckoo;

import static io.bloomkit.testkit.internal.ConcurrentRunner.runAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The promise of {@link ExpiringFingerprints} to several threads, model checked as in {@link
 * DynamicCuckooFilterLincheckTest}: what is alive is found while its table is swept, which the
 * first update in a new epoch does.
 */
class ExpiringLincheckTest {

  private static final int ORDERS = Integer.getInteger("bloomkit.orders", 100);
  private static final int MAX_ORDERS = 10_000;
  private static final long EPOCH_MILLIS = 100;
  private static final String LOST = "a live element was not found";
  private static final String NOT_ONE = "not exactly one was told that an element is new";
  private static final TableSizes SIZES =
      new TableSizes(FingerprintSpace.ofAtLeast(2_000_000), 20, 1, false, ExpiringSize.STAMP_BITS);

  @BeforeAll
  static void readAndWriteSingleBytes() throws Exception {
    SingleBytes.install();
  }

  private static long hash(long number) {
    return new SplittableRandom(number).nextLong();
  }

  /** Chunks that were swept in epoch 0. Element i expires in the i-th of some epochs. */
  private static List<Chunk> filled(int... epochs) {
    ExpiringFingerprints set = of(new ChunkDirectory(SIZES), 0);
    for (int i = 0; i < epochs.length; i++) {
      set.addHash(hash(i), epochs[i]);
    }
    return set.chunks().copies();
  }

  private static ExpiringFingerprints of(ChunkDirectory chunks, long epoch) {
    return new ExpiringFingerprints(
        chunks, new TimeClock(new ManualClock(epoch * EPOCH_MILLIS), EPOCH_MILLIS));
  }

  /** Makes a set with copies of chunks, in an epoch in which they are not yet swept. */
  private static ExpiringFingerprints set(List<Chunk> chunks, long epoch) {
    return of(ChunkDirectory.of(SIZES, chunks.stream().map(Chunk::new).toList()), epoch);
  }

  private static void anElementStaysWhileItIsAddedAgain(
      ExpiringFingerprints set, Predicate<Long> add, Predicate<Long> contains) {
    boolean[] results = runAll(() -> add.test(hash(0)), () -> contains.test(hash(0)));
    assertTrue(results[1], LOST);
    assertTrue(set.containsHash(hash(0)), LOST);
    assertEquals(16 * EPOCH_MILLIS, set.remaining(hash(0)));
  }

  @Test
  void anElementStaysWhileItsExpiryIsDeferred() {
    List<Chunk> chunks = filled(10, 5);
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          ExpiringFingerprints set = set(chunks, 7);
          anElementStaysWhileItIsAddedAgain(set, hash -> set.addHash(hash, 16), set::containsHash);
        });
  }

  private static boolean[] addAll(ExpiringFingerprints set, long... hashes) {
    boolean[] answers = new boolean[hashes.length];
    long now = set.clock.beginAdditions(set.clock.now(), hashes.length);
    new ExpiringAddition(set, hashes, 0, hashes.length, 16, now, answers).run();
    return answers;
  }

  /** A batch has an expired element twice, and one that is alive, while a thread adds the first. */
  private static void aBatchAnswersAsOneByOne(
      ExpiringFingerprints set, Function<long[], boolean[]> addAll) {
    boolean[][] batch = {{}};
    boolean[] results =
        runAll(
            () -> {
              batch[0] = addAll.apply(new long[] {hash(1), hash(0), hash(1)});
              return set.containsHash(hash(0)) && set.containsHash(hash(1));
            },
            () -> set.addHash(hash(1), 4));
    assertTrue(results[0], LOST);
    assertTrue(batch[0][0] != results[1] && !batch[0][1] && !batch[0][2], NOT_ONE);
    assertEquals(16 * EPOCH_MILLIS, set.remaining(hash(0)));
    assertEquals(16 * EPOCH_MILLIS, set.remaining(hash(1)));
    assertEquals(2, set.live());
  }

  @Test
  void aBatchAnswersAsOneByOneWhileItsTableIsSwept() {
    List<Chunk> chunks = filled(10, 5);
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          ExpiringFingerprints set = set(chunks, 7);
          aBatchAnswersAsOneByOne(set, hashes -> addAll(set, hashes));
        });
  }

  @Test
  void aBatchThatAsksBeforeItAddsIsCaught() {
    List<Chunk> chunks = filled(10, 5);
    assertCaught(
        () -> {
          ExpiringFingerprints set = set(chunks, 7);
          aBatchAnswersAsOneByOne(
              set,
              hashes -> {
                boolean[] answers = {!set.containsHash(hashes[0]), false, false};
                addAll(set, hashes);
                return answers;
              });
        },
        NOT_ONE);
  }

  @Test
  void anElementStaysWhileOthersExpire() {
    List<Chunk> chunks = filled(10, 5, 6);
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          ExpiringFingerprints set = set(chunks, 7);
          boolean[] results =
              runAll(
                  () -> {
                    set.sweepAll();
                    return set.containsHash(hash(0));
                  },
                  () ->
                      set.containsHash(hash(0))
                          && set.addHash(hash(3), 16)
                          && set.containsHash(hash(3)));
          assertTrue(results[0] && results[1], LOST);
          assertTrue(set.containsHash(hash(3)), LOST);
          assertEquals(2, set.live());
        });
  }

  @Test
  void ofTwoAdditionsOfAnExpiredElementOneReturnsTrue() {
    List<Chunk> chunks = filled(10, 5);
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          ExpiringFingerprints set = set(chunks, 7);
          boolean[] added = runAll(() -> set.addHash(hash(1), 16), () -> set.addHash(hash(1), 4));
          assertEquals(1, (added[0] ? 1 : 0) + (added[1] ? 1 : 0));
          assertEquals(16 * EPOCH_MILLIS, set.remaining(hash(1)));
        });
  }

  @Test
  void anAdditionIsKeptWhileTheTableIsSweptAndShrinks() {
    List<Chunk> chunks = List.of();
    for (int elements = 2; chunks.size() < 2; elements++) {
      int[] epochs = new int[elements];
      Arrays.fill(epochs, 5);
      epochs[0] = 10;
      chunks = filled(epochs);
    }
    List<Chunk> divided = chunks;
    set(divided, 7).sweepAll(); // makes the shapes
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          ExpiringFingerprints set = set(divided, 7);
          boolean[] results =
              runAll(
                  () -> {
                    set.sweepAll();
                    return set.containsHash(hash(0));
                  },
                  () -> set.addHash(hash(-1), 16) && set.containsHash(hash(-1)));
          assertTrue(results[0] && results[1], LOST);
          assertTrue(set.containsHash(hash(0)) && set.containsHash(hash(-1)), LOST);
        });
  }

  private static void aCopyHasWhatIsAliveWhileTimePasses(
      List<Chunk> chunks, Function<ExpiringFingerprints, ExpiringFingerprints> copy) {
    ManualClock clock = new ManualClock(7 * EPOCH_MILLIS);
    ExpiringFingerprints set =
        new ExpiringFingerprints(
            ChunkDirectory.of(SIZES, chunks.stream().map(Chunk::new).toList()),
            new TimeClock(clock, EPOCH_MILLIS));
    boolean[] results =
        runAll(
            () -> copy.apply(set).containsHash(hash(0)),
            () -> {
              clock.pass(EPOCH_MILLIS);
              return !set.addHash(hash(0), 16);
            });
    assertTrue(results[0] && results[1], LOST);
  }

  @Test
  void aCopyThatIsTakenWhileATableIsSweptIsWhole() {
    List<Chunk> chunks = filled(10, 5);
    Lincheck.runConcurrentTest(
        ORDERS, () -> aCopyHasWhatIsAliveWhileTimePasses(chunks, ExpiringFingerprints::copy));
  }

  @Test
  void aCopyThatReadsItsTimeFirstIsCaught() {
    List<Chunk> chunks = filled(10, 5);
    assertCaught(
        () ->
            aCopyHasWhatIsAliveWhileTimePasses(
                chunks,
                set -> {
                  EpochClock clock = set.clock.copy();
                  List<Chunk> copies = set.chunks().copies();
                  copies.forEach(chunk -> chunk.sweepTo(clock.latest()));
                  return new ExpiringFingerprints(ChunkDirectory.of(SIZES, copies), clock);
                }));
  }

  /** Both of two insertions are added up, while the other thread may count a third in a stripe. */
  @Test
  void theLastInsertionOfAnEpochEndsItInWhicheverThread() {
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          InsertionClock clock = new InsertionClock(4, 1, 1, 2);
          runAll(
              () -> clock.beginAddition(0) == 0,
              () -> {
                clock.beginAddition(0);
                clock.beginAddition(0);
                return true;
              });
          assertEquals(1, clock.latest());
          assertEquals(4, clock.position());
        });
  }

  @Test
  void elementsOfAWindowAreFoundWhileEachInsertionEndsAnEpoch() {
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          ExpiringFingerprints set =
              new ExpiringFingerprints(SIZES, new InsertionClock(1, 0, 0, 0));
          set.addHash(hash(0), 16);
          boolean[] results =
              runAll(
                  () ->
                      set.addHash(hash(1), 16)
                          && set.containsHash(hash(1))
                          && !set.addHash(hash(0), 16),
                  () ->
                      set.addHash(hash(2), 16)
                          && set.containsHash(hash(0))
                          && set.containsHash(hash(2)));
          assertTrue(results[0] && results[1], LOST);
          assertEquals(3, set.live());
          assertEquals(4, set.clock.position());
        });
  }

  private static void assertCaught(Runnable race) {
    assertCaught(race, LOST);
  }

  private static void assertCaught(Runnable race, String complaint) {
    Throwable error =
        assertThrows(Throwable.class, () -> Lincheck.runConcurrentTest(MAX_ORDERS, race));
    assertTrue(
        error instanceof IndexOutOfBoundsException // Lincheck sometimes fails to write its report
            || String.valueOf(error.getMessage()).contains(complaint),
        error::toString);
  }

  @Test
  void aQueryThatReadsTheEpochAndTheStampWithoutValidationIsCaught() {
    List<Chunk> chunks = filled(10, 5);
    assertCaught(
        () -> {
          ExpiringFingerprints set = set(chunks, 7);
          anElementStaysWhileItIsAddedAgain(
              set,
              hash -> set.addHash(hash, 16),
              hash -> {
                Chunk chunk = set.chunks().chunkOf(hash);
                long swept = chunk.sweptTo();
                long bit = chunk.findStamp(chunk.shape.fingerprintOf(hash));
                long expiry = swept + 1 + ((chunk.stampAt(bit) - swept - 1) & 15);
                return expiry > 7;
              });
        });
  }

  @Test
  void anAdditionThatRemovesTheOldExpiryFirstIsCaught() {
    List<Chunk> chunks = filled(10, 5);
    assertCaught(
        () -> {
          ExpiringFingerprints set = set(chunks, 7);
          anElementStaysWhileItIsAddedAgain(
              set, hash -> set.removeHash(hash) && set.addHash(hash, 16), set::containsHash);
        });
  }
}
