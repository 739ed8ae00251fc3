package io.bloomkit.counting.dynamic;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.counting.dynamic.FingerprintRaces.Racing;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The promise of the concurrent form, model checked: Lincheck chooses where threads take turns. It
 * assumes sequential consistency and tries some hundred orders; that these suffice is shown on
 * filters with mistakes.
 */
@Tag("lincheck")
class DynamicCuckooFilterLincheckTest {

  private static final int ORDERS = 200;

  /** Ours. */
  private static final class Ours implements Racing {
    final FingerprintCounts fingerprints;

    Ours() {
      this(new FingerprintCounts(FingerprintRaces.emptyDirectory().sizes, true));
    }

    Ours(FingerprintCounts fingerprints) {
      this.fingerprints = fingerprints;
    }

    @Override
    public boolean add(long hash) {
      return fingerprints.add(hash);
    }

    @Override
    public boolean remove(long hash) {
      return fingerprints.remove(hash);
    }

    @Override
    public boolean contains(long hash) {
      return fingerprints.contains(hash);
    }

    @Override
    public long count(long hash) {
      return fingerprints.count(hash);
    }
  }

  /** Adds to a chunk without asking whether another one took its place. */
  private static final class AddsToReplacedChunks implements Racing {
    final ChunkDirectory chunks;

    AddsToReplacedChunks(ChunkDirectory chunks) {
      this.chunks = chunks;
    }

    @Override
    public boolean add(long hash) {
      while (true) {
        Chunk chunk = chunks.chunkOfShared(hash);
        long stamp = chunk.lock().writeLock();
        try {
          long fingerprint = chunk.shape.fingerprintOf(hash);
          int added = chunk.add(fingerprint);
          if (added == FingerprintSet.HELD) {
            chunk.addCopies(fingerprint, 1, chunks.sizes);
          }
          if (added != FingerprintSet.NO_ROOM) {
            return added == FingerprintSet.ADDED;
          }
          chunks.grow(chunk);
        } finally {
          chunk.lock().unlockWrite(stamp);
        }
      }
    }

    @Override
    public boolean remove(long hash) {
      Chunk chunk = chunks.chunkOfShared(hash);
      long fingerprint = chunk.shape.fingerprintOf(hash);
      return chunk.removeCopies(fingerprint, 1, chunks.sizes) > 0; // and without a lock
    }

    @Override
    public boolean contains(long hash) {
      return chunks.chunkOfShared(hash).containsHash(hash);
    }

    @Override
    public long count(long hash) {
      Chunk chunk = chunks.chunkOfShared(hash);
      return chunk.count(chunk.shape.fingerprintOf(hash));
    }
  }

  private static void check(Runnable race) {
    Lincheck.runConcurrentTest(ORDERS, race);
  }

  @Nested
  class OursKeepsThePromise {

    private void checkFull(ObjIntConsumer<Racing> race) {
      FingerprintCounts filled = new FingerprintCounts(FingerprintRaces.emptyDirectory(), 0, 0);
      int count = FingerprintRaces.fill(new Ours(filled), filled.chunks());
      check(() -> race.accept(new Ours(filled.copy()), count));
    }

    private void checkEmpty(Consumer<Racing> race) {
      check(() -> race.accept(new Ours()));
    }

    @Test
    void anElementStaysWhileItsTableGrows() {
      checkFull(
          (filter, count) -> FingerprintRaces.anElementStaysWhileItsTableGrows(filter, count));
    }

    @Test
    void twoAdditionsThatMakeATableGrowAreBothKept() {
      checkFull(
          (filter, count) ->
              FingerprintRaces.twoAdditionsThatMakeATableGrowAreBothKept(filter, count));
    }

    @Test
    void ofTwoFirstAdditionsOneReturnsTrue() {
      checkEmpty(filter -> FingerprintRaces.ofTwoFirstAdditionsOneReturnsTrue(filter));
    }

    @Test
    void ofTwoRemovalsOfOneCopyOneSucceeds() {
      checkEmpty(filter -> FingerprintRaces.ofTwoRemovalsOfOneCopyOneSucceeds(filter));
    }

    @Test
    void anElementWhoseAdditionsOutnumberItsRemovalsStays() {
      checkEmpty(
          filter -> FingerprintRaces.anElementWhoseAdditionsOutnumberItsRemovalsStays(filter));
    }
  }

  @Nested
  class BrokenFiltersAreCaught {

    private void assertCaught(Runnable race, String complaint) {
      Throwable error = assertThrows(Throwable.class, () -> check(race));
      assertTrue(String.valueOf(error.getMessage()).contains(complaint), error::toString);
    }

    @Test
    void additionsToChunksThatWereReplaced() {
      ChunkDirectory filled = FingerprintRaces.emptyDirectory();
      int count = FingerprintRaces.fill(new AddsToReplacedChunks(filled), filled);
      assertCaught(
          () ->
              FingerprintRaces.twoAdditionsThatMakeATableGrowAreBothKept(
                  new AddsToReplacedChunks(filled.copy()), count),
          FingerprintRaces.LOST);
    }

    @Test
    void removalsWithoutALock() {
      assertCaught(
          () ->
              FingerprintRaces.ofTwoRemovalsOfOneCopyOneSucceeds(
                  new AddsToReplacedChunks(FingerprintRaces.emptyDirectory())),
          FingerprintRaces.NOT_ONE);
    }
  }
}
