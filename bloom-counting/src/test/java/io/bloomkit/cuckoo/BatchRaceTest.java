package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Batches with answers beside another writer of the same elements. */
class BatchRaceTest {

  private static final long SEED = 20_261_128;
  private static final int LENGTH = 20_000;
  private static final int ROUNDS = 20;

  /** Few pairs of elements share a fingerprint: a tenth of a pair in all rounds. */
  private static final double FPP = 1e-8;

  /** Adds a batch with answers. */
  @FunctionalInterface
  private interface Batch {
    void add(InsertableFilter<Long> filter, long[] hashes, boolean[] wasNew);
  }

  private static InsertableFilter<Long> dynamic() {
    return DynamicCuckooFilter.create(HashStrategies.longs(), LENGTH, FPP);
  }

  private static InsertableFilter<Long> expiring() {
    return ExpiringCuckooFilter.builder(HashStrategies.longs())
        .expecting(LENGTH, FPP)
        .expireAfterAdd(Duration.ofHours(1))
        .clock(InstantSource.fixed(Instant.EPOCH))
        .build();
  }

  /** Returns how often both or neither of two writers were told that an element is new. */
  private static int wrongAnswers(InsertableFilter<Long> filter, Batch batch, long seed)
      throws InterruptedException {
    long[] hashes = new SplittableRandom(seed).longs(LENGTH).toArray();
    boolean[] ofBatch = new boolean[LENGTH];
    boolean[] ofSingles = new boolean[LENGTH];
    CountDownLatch start = new CountDownLatch(1);
    Thread writer =
        new Thread(
            () -> {
              start.countDown();
              for (int i = 0; i < LENGTH; i++) {
                ofSingles[i] = filter.addHash(hashes[i]);
              }
            });
    writer.start();
    start.await();
    batch.add(filter, hashes, ofBatch);
    writer.join();
    int wrong = 0;
    for (int i = 0; i < LENGTH; i++) {
      assertTrue(filter.mightContainHash(hashes[i]));
      wrong += ofBatch[i] == ofSingles[i] ? 1 : 0;
    }
    return wrong;
  }

  @Test
  void exactlyOneOfTwoWritersIsToldThatAnElementIsNew() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      InsertableFilter<Long> filter = round % 2 == 0 ? dynamic() : expiring();
      Batch batch = (it, hashes, wasNew) -> it.addHashes(hashes, 0, LENGTH, wasNew);
      assertEquals(0, wrongAnswers(filter, batch, SEED + round), "round " + round);
    }
  }

  /** This test can fail: a batch that asks before it adds is caught. */
  @Test
  void answersFromBeforeTheAdditionAreCaught() throws InterruptedException {
    int wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Batch asksBefore =
          (it, hashes, wasNew) -> {
            boolean[] present = new boolean[LENGTH];
            it.mightContainHashes(hashes, 0, LENGTH, present);
            it.addHashes(hashes, 0, LENGTH);
            for (int i = 0; i < LENGTH; i++) {
              wasNew[i] = !present[i];
            }
          };
      wrong += wrongAnswers(round % 2 == 0 ? dynamic() : expiring(), asksBefore, SEED + round);
    }
    assertTrue(wrong > 0);
  }
}
