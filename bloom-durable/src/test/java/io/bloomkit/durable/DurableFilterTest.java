package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Durable filters of all kinds against a model without a log. */
class DurableFilterTest {

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aFilterThatIsOpenedAgainEqualsOneThatNeverWasClosed(Kind kind) throws IOException {
    JournalStorage storage = new JournalStorage();
    Workload workload = new Workload(kind, 1);
    workload.hasLargeUpdates = true;
    Random random = new Random(2);
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    for (int i = 0; i < 2000; i++) {
      workload.update(filter);
      if (random.nextInt(50) == 0) {
        filter.close();
        filter = workload.open(storage, SyncPolicy.ON_SYNC);
        assertEquals(0, filter.recovery().bytesCut());
        assertEquals(workload.models.get(i + 1), filter.filter(), "after " + i);
      } else if (random.nextInt(50) == 0) {
        filter.compact();
      } else if (random.nextInt(20) == 0) {
        filter.log.beginSegment();
      } else if (random.nextInt(20) == 0) {
        filter.sync();
      }
    }
    filter.close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void bulkAdditionsAreOpenedAgain(Kind kind) throws IOException {
    JournalStorage storage = new JournalStorage();
    Workload workload = new Workload(kind, 1);
    long[] hashes = new Random(3).longs(50).toArray();
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      filter.addHash(hashes[0]);
      long added = filter.addHashes(hashes, 0, 50);
      assertTrue(added >= 45 && added < 50, "added " + added);
      assertEquals(0, filter.addHashes(hashes, 0, 0));
    }
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      for (long hash : hashes) {
        assertTrue(filter.mightContainHash(hash));
      }
    }
  }
}
