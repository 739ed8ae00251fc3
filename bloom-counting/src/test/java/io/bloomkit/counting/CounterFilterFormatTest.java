package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters that forget as files: what was read goes on as what was written. */
class CounterFilterFormatTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final long SEED = 1;

  @TempDir private Path directory;

  private static void churn(DeletableFilter<Long> filter, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < 3000; step++) {
      long element = random.nextLong(40) * random.nextLong(3);
      if (random.nextInt(3) > 0) {
        filter.add(element);
      } else if (filter.count(element) > 0) {
        filter.remove(element);
      }
    }
  }

  @Test
  void countingFilterGoesOnAsTheOneThatWasWritten() throws IOException {
    for (long positions : new long[] {1, 15, 16, 17, 500, 100_000}) {
      CountingBloomFilter<Long> filter =
          CountingBloomFilter.builder(LONGS).shape(new FlatShape(positions, 5)).build();
      churn(filter, SEED);
      assertTrue(filter.overflowedCounters() > 0);
      CountingBloomFilter<Long> read = CountingBloomFilter.fromBytes(filter.toBytes(), LONGS);
      CountingBloomFilter<Long> shared =
          CountingBloomFilter.builder(LONGS).concurrent().fromBytes(filter.toBytes());
      assertEquals(filter, read);
      assertEquals(filter.elementCount(), read.elementCount());
      assertEquals(filter.nonZeroCounters(), read.nonZeroCounters());
      assertEquals(filter.overflowedCounters(), read.overflowedCounters());
      assertEquals(filter.nonZeroCounters(), shared.nonZeroCounters());
      churn(filter, SEED + 1);
      churn(read, SEED + 1);
      churn(shared, SEED + 1);
      assertEquals(filter, read);
      assertEquals(filter, shared);
      assertEquals(filter.elementCount(), shared.elementCount());
      assertEquals(filter.nonZeroCounters(), read.nonZeroCounters());
      assertArrayEquals(filter.toBytes(), read.toBytes());
    }
  }

  @Test
  void blockedCountingFilterGoesOnAsTheOneThatWasWritten() throws IOException {
    for (int blocks : new int[] {2, 6, 1000}) {
      BlockedShape shape = new BlockedShape(blocks, BlockedShape.COUNTERS_PER_BLOCK, 4);
      BlockedCountingBloomFilter<Long> filter =
          BlockedCountingBloomFilter.builder(LONGS).shape(shape).build();
      churn(filter, SEED);
      assertTrue(filter.overflowedCounters() > 0);
      Path file = directory.resolve("filter.bloom");
      filter.writeTo(file);
      BlockedCountingBloomFilter<Long> read = BlockedCountingBloomFilter.readFrom(file, LONGS);
      assertEquals(filter, read);
      assertEquals(filter.elementCount(), read.elementCount());
      churn(filter, SEED + 1);
      churn(read, SEED + 1);
      assertEquals(filter, read);
      assertArrayEquals(filter.toBytes(), read.toBytes());
    }
  }

  /** Whatever is removed, a false positive too, takes as much from the counters as it counted. */
  @Test
  void elementCountAfterFalsePositivesWereRemovedIsWritten() throws IOException {
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.builder(LONGS).shape(new FlatShape(8, 4)).build();
    SplittableRandom random = new SplittableRandom(SEED);
    random.longs(30).forEach(filter::addHash);
    for (long left = 30; left > 0; left -= filter.removeHash(random.nextLong()) ? 1 : 0) {
      CountingBloomFilter<Long> read = CountingBloomFilter.fromBytes(filter.toBytes(), LONGS);
      assertEquals(filter, read);
      assertEquals(OptionalLong.of(left), read.elementCount());
      if (filter.nonZeroCounters() < 4) {
        break; // it may hold nothing that a hash could take
      }
    }
    assertTrue(filter.elementCount().orElseThrow() < 20);
  }

  @Test
  void otherKeyIsRefused() {
    byte[] key = "sixteen letters!".getBytes(StandardCharsets.US_ASCII);
    HashStrategy<byte[]> keyed = HashStrategies.sipHash24(key);
    byte[] counting = CountingBloomFilter.create(keyed, 100, 0.01).toBytes();
    byte[] blocked = BlockedCountingBloomFilter.create(keyed, 100, 0.01).toBytes();
    byte[] cuckoo = CuckooFilter.create(keyed, 100, 0.01).toBytes();
    key[0] ^= 1;
    HashStrategy<byte[]> other = HashStrategies.sipHash24(key);
    assertThrows(FilterFormatException.class, () -> CountingBloomFilter.fromBytes(counting, other));
    assertThrows(
        FilterFormatException.class, () -> BlockedCountingBloomFilter.fromBytes(blocked, other));
    assertThrows(FilterFormatException.class, () -> CuckooFilter.fromBytes(cuckoo, other));
  }

  @Test
  void sizeThatWasGivenMustBeThatOfTheFile() {
    byte[] counting = CountingBloomFilter.create(LONGS, 100, 0.01).toBytes();
    byte[] blocked = BlockedCountingBloomFilter.create(LONGS, 100, 0.01).toBytes();
    byte[] cuckoo = CuckooFilter.create(LONGS, 100, 0.01).toBytes();
    assertThrows(
        FilterFormatException.class,
        () -> CountingBloomFilter.builder(LONGS).expecting(101, 0.01).fromBytes(counting));
    assertThrows(
        FilterFormatException.class,
        () -> BlockedCountingBloomFilter.builder(LONGS).expecting(201, 0.01).fromBytes(blocked));
    assertThrows(
        FilterFormatException.class,
        () -> CuckooFilter.builder(LONGS).expecting(101, 0.01).fromBytes(cuckoo));
  }
}
