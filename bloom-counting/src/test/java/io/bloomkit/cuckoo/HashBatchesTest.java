package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.DeletableFilter;
import io.bloomkit.HashBatches;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Hashes that are added and removed in batches, against single ones. */
class HashBatchesTest {

  private static final int HASHES = 40_000;

  private static long[] hashes() {
    SplittableRandom random = new SplittableRandom(41);
    return random.longs(HASHES).map(hash -> random.nextInt(8) == 0 ? 5 : hash).toArray();
  }

  private static void batchesChangeWhatSingleHashesDo(
      DeletableFilter<Long> single, DeletableFilter<Long> batched) {
    long added = 0;
    HashBatches additions = HashBatches.adding(batched);
    for (long hash : hashes()) {
      added += single.addHash(hash) ? 1 : 0;
      added -= additions.add(hash);
    }
    assertEquals(0, added - additions.finish());
    assertEquals(single, batched);
    assertEquals(0, additions.finish());
    long[] hashes = hashes();
    long removed = 0;
    HashBatches removals = HashBatches.removing(batched);
    for (int i = 0; i < HASHES; i++) {
      long hash = i % 3 == 0 ? i : hashes[i % 1000];
      removed += single.removeHash(hash) ? 1 : 0;
      removed -= removals.add(hash);
    }
    assertEquals(0, removed - removals.finish());
    assertEquals(single, batched);
  }

  @Test
  void batchesOfADynamicCuckooFilter() {
    batchesChangeWhatSingleHashesDo(
        DynamicCuckooFilter.create(HashStrategies.longs(), HASHES, 0.01),
        DynamicCuckooFilter.create(HashStrategies.longs(), HASHES, 0.01));
  }

  @Test
  void batchesOfACountingFilter() {
    batchesChangeWhatSingleHashesDo(
        CountingBloomFilter.create(HashStrategies.longs(), HASHES, 0.01),
        CountingBloomFilter.create(HashStrategies.longs(), HASHES, 0.01));
  }

  @Test
  void onlyBatchesOfAFilterThatIsFasterInBulkGrowWithIt() {
    DynamicCuckooFilter<Long> dynamic =
        DynamicCuckooFilter.create(HashStrategies.longs(), HASHES, 0.01);
    CountingBloomFilter<Long> counting =
        CountingBloomFilter.create(HashStrategies.longs(), HASHES, 0.01);
    HashBatches large = HashBatches.adding(dynamic);
    HashBatches small = HashBatches.adding(counting);
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 1; i <= 10_000; i++) {
      long hash = random.nextLong();
      large.add(hash);
      small.add(hash);
      // 128, then batches of 256, 512, ...
      long sum = 128L * (Integer.highestOneBit(i / 128 + 1) - 1);
      assertEquals(sum, dynamic.elementCount().orElseThrow(), i + " hashes");
      assertEquals((long) i - i % 128, counting.elementCount().orElseThrow(), i + " hashes");
    }
  }
}
