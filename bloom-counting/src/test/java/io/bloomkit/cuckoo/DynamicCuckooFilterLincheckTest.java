package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cuckoo.BrokenDynamicFingerprints.AddsToReplacedTables;
import io.bloomkit.cuckoo.BrokenDynamicFingerprints.AddsWithoutAVersion;
import io.bloomkit.cuckoo.BrokenDynamicFingerprints.AsksBeforeABatch;
import io.bloomkit.cuckoo.BrokenDynamicFingerprints.FillsWhatIsFound;
import io.bloomkit.cuckoo.BrokenDynamicFingerprints.ReadsWithoutLookingAgain;
import io.bloomkit.cuckoo.BrokenDynamicFingerprints.RemovesWithoutTheMonitor;
import io.bloomkit.cuckoo.BrokenDynamicFingerprints.TakesAllCopiesBack;
import io.bloomkit.cuckoo.BrokenDynamicFingerprints.ValidatesBeforeItReads;
import io.bloomkit.cuckoo.FingerprintRaces.Racing;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The promise to several threads, model checked: Lincheck chooses where threads take turns, also
 * between two bytes of a table. It assumes sequential consistency and tries some orders; that these
 * suffice is shown on filters with mistakes.
 *
 * <p>Filters are filled before a race and copied in it: Lincheck takes the loops that compute the
 * sizes of tables for threads that wait for ever.
 */
class DynamicCuckooFilterLincheckTest {

  private static final int ORDERS = Integer.getInteger("bloomkit.orders", 100);

  /** Until a mistake is found; the rarest takes more than {@link #ORDERS}. */
  private static final int MAX_ORDERS = 10_000;

  @BeforeAll
  static void readAndWriteSingleBytes() throws Exception {
    SingleBytes.install();
  }

  private static void check(Runnable race) {
    Lincheck.runConcurrentTest(ORDERS, race);
  }

  /** Ours. */
  private record Ours(DynamicFingerprints fingerprints) implements Racing {

    /** Makes it of some chunks, for a race in which the totals do not matter. */
    Ours(ChunkDirectory chunks) {
      this(new DynamicFingerprints(ChunkDirectory.of(chunks.sizes, chunks.copies()), 0, 0));
    }

    @Override
    public boolean add(long hash) {
      return fingerprints.addHash(hash);
    }

    @Override
    public boolean remove(long hash) {
      return fingerprints.removeHash(hash);
    }

    @Override
    public boolean contains(long hash) {
      return fingerprints.containsHash(hash);
    }

    @Override
    public long count(long hash) {
      return fingerprints.countHash(hash);
    }

    @Override
    public boolean[] addAll(long... hashes) {
      return Batches.addAll(fingerprints, hashes);
    }

    @Override
    public void addAllInVain(long... hashes) {
      Batches.addAllInVain(fingerprints, hashes);
    }
  }

  @Nested
  class OursKeepsThePromise {

    @Test
    void anElementStaysWhileAnotherIsPutInItsPlace() {
      RaceScene scene = RaceScene.displacing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new Ours(scene.chunks()), scene.stays(), scene.added()));
    }

    @Test
    void anElementStaysWhileItsTableGrows() {
      RaceScene scene = RaceScene.growing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new Ours(scene.chunks()), scene.stays(), scene.added()));
    }

    @Test
    void anElementStaysWhileItsTableIsDivided() {
      RaceScene scene = RaceScene.dividing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new Ours(scene.chunks()), scene.stays(), scene.added()));
    }

    @Test
    void twoAdditionsThatMakeATableGrowAreBothKept() {
      RaceScene scene = RaceScene.growing();
      check(
          () ->
              FingerprintRaces.twoAdditionsAreBothKept(
                  new Ours(scene.chunks()), scene.added(), scene.alsoAdded()));
    }

    @Test
    void twoAdditionsThatDivideATableAreBothKept() {
      RaceScene scene = RaceScene.dividing();
      check(
          () ->
              FingerprintRaces.twoAdditionsAreBothKept(
                  new Ours(scene.chunks()), scene.added(), scene.alsoAdded()));
    }

    @Test
    void ofTwoFirstAdditionsOneReturnsTrue() {
      RaceScene scene = RaceScene.ofOne();
      check(
          () ->
              FingerprintRaces.ofTwoFirstAdditionsOneReturnsTrue(
                  new Ours(scene.chunks()), scene.added()));
    }

    @Test
    void ofTwoRemovalsOfOneCopyOneSucceeds() {
      RaceScene scene = RaceScene.ofOne();
      check(
          () ->
              FingerprintRaces.ofTwoRemovalsOfOneCopyOneSucceeds(
                  new Ours(scene.chunks()), scene.stays()));
    }

    @Test
    void anElementWhoseAdditionsOutnumberItsRemovalsStays() {
      RaceScene scene = RaceScene.ofOne();
      check(
          () ->
              FingerprintRaces.anElementWhoseAdditionsOutnumberItsRemovalsStays(
                  new Ours(scene.chunks()), scene.stays()));
    }

    @Test
    void remainingElementsAreFoundWhileTablesAreJoined() {
      RaceScene scene = RaceScene.joining();
      check(
          () ->
              FingerprintRaces.remainingElementsAreFoundWhileTablesShrink(
                  new Ours(scene.chunks()), scene.removed(), scene.stays(), scene.added()));
    }

    @Test
    void aBatchAnswersAsOneByOne() {
      RaceScene scene = RaceScene.ofOne();
      check(
          () ->
              FingerprintRaces.aBatchAnswersAsOneByOne(
                  new Ours(scene.chunks()), scene.added(), scene.alsoAdded()));
    }

    @Test
    void anElementStaysWhileABatchMakesItsTableGrow() {
      RaceScene scene = RaceScene.growing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileABatchIsAdded(
                  new Ours(scene.chunks()), scene.stays(), scene.added(), scene.alsoAdded()));
    }

    @Test
    void aBatchThatFailsTakesBackItsOwnCopiesOnly() {
      RaceScene scene = RaceScene.ofTwoChunks();
      check(
          () ->
              FingerprintRaces.aBatchThatFailsTakesBackItsOwnCopiesOnly(
                  new Ours(scene.chunks()), scene.added(), scene.alsoAdded()));
    }
  }

  /** Each would pass if Lincheck or the race were too weak to see the mistake. */
  @Nested
  class BrokenFiltersAreCaught {

    private void assertCaught(Runnable race, String complaint) {
      Throwable error = failureOf(race);
      for (int again = 0; again < 3 && error instanceof IndexOutOfBoundsException; again++) {
        error = failureOf(race); // Lincheck itself sometimes throws it while it writes its report
      }
      assertInstanceOf(LincheckAssertionError.class, error);
      assertTrue(String.valueOf(error.getMessage()).contains(complaint), error::toString);
    }

    private static Throwable failureOf(Runnable race) {
      return assertThrows(Throwable.class, () -> Lincheck.runConcurrentTest(MAX_ORDERS, race));
    }

    @Test
    void queriesWithoutValidation() {
      RaceScene scene = RaceScene.displacing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new ReadsWithoutLookingAgain(scene.chunks()), scene.stays(), scene.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void queriesThatValidateFirst() {
      RaceScene scene = RaceScene.displacing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new ValidatesBeforeItReads(scene.chunks()), scene.stays(), scene.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void additionsThatLeaveTheVersionAsItIs() {
      RaceScene scene = RaceScene.displacing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new AddsWithoutAVersion(scene.chunks()), scene.stays(), scene.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void tablesThatAreFoundBeforeTheyAreFilled() {
      RaceScene scene = RaceScene.growing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new FillsWhatIsFound(scene.chunks()), scene.stays(), scene.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void additionsToTablesThatWereReplaced() {
      RaceScene scene = RaceScene.growing();
      assertCaught(
          () ->
              FingerprintRaces.twoAdditionsAreBothKept(
                  new AddsToReplacedTables(scene.chunks()), scene.added(), scene.alsoAdded()),
          FingerprintRaces.LOST);
    }

    @Test
    void batchesThatAskBeforeTheyAdd() {
      RaceScene scene = RaceScene.ofOne();
      assertCaught(
          () ->
              FingerprintRaces.aBatchAnswersAsOneByOne(
                  new AsksBeforeABatch(scene.chunks()), scene.added(), scene.alsoAdded()),
          FingerprintRaces.NOT_ONE);
    }

    @Test
    void batchesThatTakeBackAllCopies() {
      RaceScene scene = RaceScene.ofTwoChunks();
      assertCaught(
          () ->
              FingerprintRaces.aBatchThatFailsTakesBackItsOwnCopiesOnly(
                  new TakesAllCopiesBack(scene.chunks()), scene.added(), scene.alsoAdded()),
          FingerprintRaces.LOST);
    }

    @Test
    void removalsWithoutTheMonitor() {
      RaceScene scene = RaceScene.ofOne();
      assertCaught(
          () ->
              FingerprintRaces.ofTwoRemovalsOfOneCopyOneSucceeds(
                  new RemovesWithoutTheMonitor(scene.chunks()), scene.stays()),
          FingerprintRaces.NOT_ONE);
    }
  }
}
