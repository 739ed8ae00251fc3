package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The promise of the concurrent cuckoo filter, model checked as that of the counting filter is (see
 * {@link CountingBloomFilterLincheckTest}). The table is read and written byte by byte, since
 * Lincheck does not follow a byte array that is read as longs; so a word may be seen half written.
 */
@Tag("lincheck")
class CuckooFilterLincheckTest {

  private static final int ORDERS = Integer.getInteger("bloomkit.orders", 100);

  private static final int BUCKETS = 16;
  private static final int BITS = 8;
  private static final long CAPACITY = 4L * BUCKETS;

  private static final String FALSE_NEGATIVE = "a stored element was absent";
  private static final String NOT_ONE = "not exactly one of two was the first, or the last";
  private static final String CONTENTS = "the contents are not those of any order";

  private static final FingerprintTable LAYOUT = new FingerprintTable(BUCKETS, BITS);

  /** A chain of kicks in a filter whose other buckets are empty. */
  private static final Chain CHAIN = Chain.find();

  /** One more than two buckets take. */
  private static final long[] NINE =
      Chain.hashesBetween(0, 1).limit(9).mapToLong(hash -> hash).toArray();

  // Filled outside of the races: five hundred kicks are more than Lincheck takes for progress.
  private static final FingerprintMultiset FULL = filled(CHAIN.held);
  private static final FingerprintMultiset OVERFULL = filled(NINE);

  private static void check(Runnable race) {
    Lincheck.runConcurrentTest(ORDERS, race);
  }

  /** The table of a concurrent filter, without words. */
  private static class Bytewise extends FingerprintTable {

    /** Makes a copy of the table of another filter. */
    Bytewise(FingerprintTable filled, BucketVersions versions) {
      super(BUCKETS, BITS, filled.bytes.clone(), versions);
    }

    @Override
    long load(int index) {
      long word = 0;
      for (int i = 0; i < BITS / 2; i++) {
        word |= (bytes[index + i] & 0xffL) << (Byte.SIZE * i);
      }
      return word;
    }

    @Override
    void store(int index, long word) {
      for (int i = 0; i < BITS / 2; i++) {
        bytes[index + i] = (byte) (word >>> (Byte.SIZE * i));
      }
    }
  }

  /** Believes its first read, though an update ran meanwhile. */
  private static final class TakenForQuiet extends BucketVersions {

    TakenForQuiet() {
      super(BUCKETS);
    }

    @Override
    boolean isQuietSince(long ended) {
      return true;
    }
  }

  /** Answers by the buckets alone, though the stash holds keys. */
  private static final class WithoutStash extends BucketVersions {

    WithoutStash() {
      super(BUCKETS);
    }

    @Override
    void endUpdate(boolean isStashEmpty) {
      super.endUpdate(true);
    }
  }

  /** Never believes its first read, so that the versions of the buckets are all that counts. */
  private static class NeverQuiet extends BucketVersions {

    NeverQuiet() {
      super(BUCKETS);
    }

    @Override
    boolean isQuietSince(long ended) {
      return false;
    }
  }

  /** Kicks every chain from its beginning, as those that visit a bucket twice. */
  private static final class AllOdd extends NeverQuiet {

    @Override
    long place(FingerprintTable table, int partner, long fingerprint, boolean displaceCopies) {
      return kickWhileAllAreOdd(table, partner, fingerprint, displaceCopies);
    }
  }

  /** Believes what it read again, though it was changed meanwhile. */
  private static final class Unchecked extends NeverQuiet {

    @Override
    boolean areUnchanged(int bucket, long version, int partner, long partnerVersion) {
      return true;
    }
  }

  /** Kicks from the beginning of the chain, where no query waits. */
  private static final class KicksInPlace extends Bytewise {

    KicksInPlace(FingerprintTable filled) {
      super(filled, new BucketVersions(BUCKETS));
    }

    @Override
    long place(int bucket, long fingerprint, boolean displaceCopies) {
      return putIfFree(bucket, fingerprint) || putIfFree(partner(bucket, fingerprint), fingerprint)
          ? PLACED
          : kick(partner(bucket, fingerprint), fingerprint, displaceCopies);
    }
  }

  /** Elements that fill buckets 0 and 2, and one more of these buckets, which kicks one of 2. */
  private static final class Chain {

    final long[] held;
    final long[] twins;
    final long added;

    private Chain(long[] held, long[] twins, long added) {
      this.held = held;
      this.twins = twins;
      this.added = added;
    }

    static Chain find() {
      long[] held =
          Stream.concat(hashesBetween(0, 1).limit(4), hashesBetween(2, 3).limit(4))
              .mapToLong(hash -> hash)
              .toArray();
      long[] twins = LongStream.of(held).skip(4).map(Chain::twin).toArray();
      return new Chain(held, twins, hashesBetween(0, 2).findFirst().orElseThrow());
    }

    /** A hash of the same fingerprint whose first bucket is the other: a query reads that first. */
    private static long twin(long hash) {
      int partner = LAYOUT.partner(LAYOUT.bucketOf(hash), LAYOUT.fingerprintOf(hash));
      return new SplittableRandom(1)
          .longs()
          .map(other -> (other & ~0xffffffffL) | (hash & 0xffffffffL))
          .filter(other -> LAYOUT.bucketOf(other) == partner)
          .findFirst()
          .orElseThrow();
    }

    /** Hashes of different fingerprints whose first bucket is the one and partner the other. */
    private static Stream<Long> hashesBetween(int bucket, int partner) {
      Set<Long> fingerprints = new HashSet<>();
      return new SplittableRandom(1)
          .longs()
          .filter(hash -> LAYOUT.bucketOf(hash) == bucket)
          .filter(hash -> LAYOUT.partner(bucket, LAYOUT.fingerprintOf(hash)) == partner)
          .filter(hash -> fingerprints.add(LAYOUT.fingerprintOf(hash)))
          .boxed();
    }
  }

  private static FingerprintMultiset filled(long... hashes) {
    FingerprintMultiset filter =
        new FingerprintMultiset(new CuckooShape(CAPACITY, BUCKETS, BITS), true);
    for (long hash : hashes) {
      filter.add(hash);
    }
    return filter;
  }

  private static FingerprintMultiset sound(FingerprintMultiset filled) {
    return filled.copy(new Bytewise(filled.table, new BucketVersions(BUCKETS)));
  }

  /** An addition kicks while all that is held is looked for. */
  private static void kicksMeetQueries(FingerprintMultiset filter) {
    boolean[] isHeld = {true};
    run(
        () -> filter.add(CHAIN.added),
        () -> {
          for (long twin : CHAIN.twins) {
            isHeld[0] &= filter.contains(twin);
          }
        });
    require(isHeld[0], FALSE_NEGATIVE);
    require(filter.contains(CHAIN.added), FALSE_NEGATIVE);
    require(filter.size() == CHAIN.held.length + 1, CONTENTS);
    for (long hash : CHAIN.held) {
      require(filter.contains(hash), FALSE_NEGATIVE);
    }
  }

  /** Two additions of an element, each of which is seen once it has ended. */
  private static void twoFirstAdditions(FingerprintMultiset filter) {
    boolean[] first = new boolean[2];
    boolean[] isSeen = new boolean[2];
    run(
        () -> {
          first[0] = filter.add(CHAIN.added);
          isSeen[0] = filter.contains(CHAIN.added);
        },
        () -> {
          first[1] = filter.add(CHAIN.added);
          isSeen[1] = filter.contains(CHAIN.added);
        });
    require(first[0] ^ first[1], NOT_ONE);
    require(isSeen[0] && isSeen[1], FALSE_NEGATIVE);
    require(filter.count(CHAIN.added) == 2, CONTENTS);
  }

  /** Two removals of one occurrence, one of which is refused, while others are looked for. */
  private static void twoLastRemovals(FingerprintMultiset filter) {
    long gone = CHAIN.held[0];
    boolean[] removed = new boolean[2];
    boolean[] isHeld = new boolean[2];
    run(
        () -> {
          removed[0] = filter.remove(gone);
          isHeld[0] = !filter.contains(gone) && filter.contains(CHAIN.held[1]);
        },
        () -> {
          removed[1] = filter.remove(gone);
          isHeld[1] = !filter.contains(gone) && filter.contains(CHAIN.held[4]);
        });
    require(removed[0] ^ removed[1], NOT_ONE);
    require(isHeld[0] && isHeld[1], FALSE_NEGATIVE);
    require(filter.size() == CHAIN.held.length - 1, CONTENTS);
  }

  /** An element comes home from the stash while it is looked for. */
  private static void homecomingMeetsQueries(FingerprintMultiset filter) {
    boolean[] isHeld = {true};
    run(
        () -> filter.remove(NINE[0]),
        () -> {
          isHeld[0] = filter.contains(NINE[8]);
        });
    require(isHeld[0], FALSE_NEGATIVE);
    require(filter.stashed() == 0, CONTENTS);
  }

  private static void run(Runnable one, Runnable other) {
    Thread first = new Thread(one);
    Thread second = new Thread(other);
    first.start();
    second.start();
    try {
      first.join();
      second.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void require(boolean condition, String complaint) {
    if (!condition) {
      throw new AssertionError(complaint);
    }
  }

  @Nested
  class OursKeepsThePromise {

    @Test
    void nothingIsAbsentWhileItIsKicked() {
      check(() -> kicksMeetQueries(sound(FULL)));
    }

    @Test
    void nothingIsAbsentByTheVersionsOfBucketsAlone() {
      check(() -> kicksMeetQueries(FULL.copy(new Bytewise(FULL.table, new NeverQuiet()))));
    }

    @Test
    void nothingIsAbsentWhileAChainIsKickedFromItsBeginning() {
      check(() -> kicksMeetQueries(FULL.copy(new Bytewise(FULL.table, new AllOdd()))));
    }

    @Test
    void ofTwoFirstAdditionsOneReturnsTrue() {
      check(() -> twoFirstAdditions(sound(FULL)));
    }

    @Test
    void ofTwoRemovalsOfOneOccurrenceOneSucceeds() {
      check(() -> twoLastRemovals(sound(FULL)));
    }

    @Test
    void nothingIsAbsentOnItsWayFromTheStash() {
      check(() -> homecomingMeetsQueries(sound(OVERFULL)));
    }
  }

  /** Each would pass if Lincheck or the race were too weak to see the error. */
  @Nested
  class BrokenFiltersAreCaught {

    private void assertCaught(Runnable race) {
      Throwable error =
          assertThrows(Throwable.class, () -> Lincheck.runConcurrentTest(ORDERS, race));
      assertInstanceOf(LincheckAssertionError.class, error);
      String message = String.valueOf(error.getMessage());
      assertTrue(message.contains(FALSE_NEGATIVE), message);
    }

    @Test
    void aQueryThatBelievesItsFirstRead() {
      assertCaught(
          () -> kicksMeetQueries(FULL.copy(new Bytewise(FULL.table, new TakenForQuiet()))));
    }

    @Test
    void aQueryOfTheBucketsAloneWhileTheStashHoldsKeys() {
      assertCaught(
          () ->
              homecomingMeetsQueries(
                  OVERFULL.copy(new Bytewise(OVERFULL.table, new WithoutStash()))));
    }

    @Test
    void aQueryThatBelievesWhatItRead() {
      assertCaught(() -> kicksMeetQueries(FULL.copy(new Bytewise(FULL.table, new Unchecked()))));
    }

    @Test
    void aQueryOfTheStashThatBelievesWhatItRead() {
      assertCaught(
          () ->
              homecomingMeetsQueries(OVERFULL.copy(new Bytewise(OVERFULL.table, new Unchecked()))));
    }

    @Test
    void kicksFromTheBeginningOfTheChain() {
      assertCaught(() -> kicksMeetQueries(FULL.copy(new KicksInPlace(FULL.table))));
    }
  }
}
