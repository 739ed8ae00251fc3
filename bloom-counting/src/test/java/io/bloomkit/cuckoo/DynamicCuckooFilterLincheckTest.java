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
      RaceSetup setup = RaceSetup.displacing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new Ours(setup.chunks()), setup.stays(), setup.added()));
    }

    @Test
    void anElementStaysWhileItsTableGrows() {
      RaceSetup setup = RaceSetup.growing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new Ours(setup.chunks()), setup.stays(), setup.added()));
    }

    @Test
    void anElementStaysWhileItsTableIsDivided() {
      RaceSetup setup = RaceSetup.dividing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new Ours(setup.chunks()), setup.stays(), setup.added()));
    }

    @Test
    void twoAdditionsThatMakeATableGrowAreBothKept() {
      RaceSetup setup = RaceSetup.growing();
      check(
          () ->
              FingerprintRaces.twoAdditionsAreBothKept(
                  new Ours(setup.chunks()), setup.added(), setup.alsoAdded()));
    }

    @Test
    void twoAdditionsThatDivideATableAreBothKept() {
      RaceSetup setup = RaceSetup.dividing();
      check(
          () ->
              FingerprintRaces.twoAdditionsAreBothKept(
                  new Ours(setup.chunks()), setup.added(), setup.alsoAdded()));
    }

    @Test
    void ofTwoFirstAdditionsOneReturnsTrue() {
      RaceSetup setup = RaceSetup.ofOne();
      check(
          () ->
              FingerprintRaces.ofTwoFirstAdditionsOneReturnsTrue(
                  new Ours(setup.chunks()), setup.added()));
    }

    @Test
    void ofTwoRemovalsOfOneCopyOneSucceeds() {
      RaceSetup setup = RaceSetup.ofOne();
      check(
          () ->
              FingerprintRaces.ofTwoRemovalsOfOneCopyOneSucceeds(
                  new Ours(setup.chunks()), setup.stays()));
    }

    @Test
    void anElementWhoseAdditionsOutnumberItsRemovalsStays() {
      RaceSetup setup = RaceSetup.ofOne();
      check(
          () ->
              FingerprintRaces.anElementWhoseAdditionsOutnumberItsRemovalsStays(
                  new Ours(setup.chunks()), setup.stays()));
    }

    @Test
    void remainingElementsAreFoundWhileTablesAreJoined() {
      RaceSetup setup = RaceSetup.joining();
      check(
          () ->
              FingerprintRaces.remainingElementsAreFoundWhileTablesShrink(
                  new Ours(setup.chunks()), setup.removed(), setup.stays(), setup.added()));
    }

    @Test
    void aBatchAnswersAsOneByOne() {
      RaceSetup setup = RaceSetup.ofOne();
      check(
          () ->
              FingerprintRaces.aBatchAnswersAsOneByOne(
                  new Ours(setup.chunks()), setup.added(), setup.alsoAdded()));
    }

    @Test
    void anElementStaysWhileABatchMakesItsTableGrow() {
      RaceSetup setup = RaceSetup.growing();
      check(
          () ->
              FingerprintRaces.anElementStaysWhileABatchIsAdded(
                  new Ours(setup.chunks()), setup.stays(), setup.added(), setup.alsoAdded()));
    }

    @Test
    void aBatchThatFailsTakesBackItsOwnCopiesOnly() {
      RaceSetup setup = RaceSetup.ofTwoChunks();
      check(
          () ->
              FingerprintRaces.aBatchThatFailsTakesBackItsOwnCopiesOnly(
                  new Ours(setup.chunks()), setup.added(), setup.alsoAdded()));
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
      RaceSetup setup = RaceSetup.displacing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new ReadsWithoutLookingAgain(setup.chunks()), setup.stays(), setup.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void queriesThatValidateFirst() {
      RaceSetup setup = RaceSetup.displacing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new ValidatesBeforeItReads(setup.chunks()), setup.stays(), setup.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void additionsThatLeaveTheVersionAsItIs() {
      RaceSetup setup = RaceSetup.displacing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new AddsWithoutAVersion(setup.chunks()), setup.stays(), setup.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void tablesThatAreFoundBeforeTheyAreFilled() {
      RaceSetup setup = RaceSetup.growing();
      assertCaught(
          () ->
              FingerprintRaces.anElementStaysWhileOneIsAdded(
                  new FillsWhatIsFound(setup.chunks()), setup.stays(), setup.added()),
          FingerprintRaces.LOST);
    }

    @Test
    void additionsToTablesThatWereReplaced() {
      RaceSetup setup = RaceSetup.growing();
      assertCaught(
          () ->
              FingerprintRaces.twoAdditionsAreBothKept(
                  new AddsToReplacedTables(setup.chunks()), setup.added(), setup.alsoAdded()),
          FingerprintRaces.LOST);
    }

    @Test
    void batchesThatAskBeforeTheyAdd() {
      RaceSetup setup = RaceSetup.ofOne();
      assertCaught(
          () ->
              FingerprintRaces.aBatchAnswersAsOneByOne(
                  new AsksBeforeABatch(setup.chunks()), setup.added(), setup.alsoAdded()),
          FingerprintRaces.NOT_ONE);
    }

    @Test
    void batchesThatTakeBackAllCopies() {
      RaceSetup setup = RaceSetup.ofTwoChunks();
      assertCaught(
          () ->
              FingerprintRaces.aBatchThatFailsTakesBackItsOwnCopiesOnly(
                  new TakesAllCopiesBack(setup.chunks()), setup.added(), setup.alsoAdded()),
          FingerprintRaces.LOST);
    }

    @Test
    void removalsWithoutTheMonitor() {
      RaceSetup setup = RaceSetup.ofOne();
      assertCaught(
          () ->
              FingerprintRaces.ofTwoRemovalsOfOneCopyOneSucceeds(
                  new RemovesWithoutTheMonitor(setup.chunks()), setup.stays()),
          FingerprintRaces.NOT_ONE);
    }
  }
}
