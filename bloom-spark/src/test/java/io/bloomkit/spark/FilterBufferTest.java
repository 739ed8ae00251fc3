package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Test;

/** Every element is in the filter once, however many wait when it is needed. */
class FilterBufferTest {

  private static final FilterSpec<Long> SPEC =
      new FilterSpec<>(CountingBloomFilter.KIND, HashStrategies::longs, 1_000, 0.01);

  private static FilterBuffer buffer(long from, long to) {
    FilterBuffer buffer = new FilterBuffer();
    for (long i = from; i < to; i++) {
      buffer.add(i, SPEC);
    }
    return buffer;
  }

  private static byte[] file(long from, long to) {
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.create(HashStrategies.longs(), 1_000, 0.01);
    for (long i = from; i < to; i++) {
      filter.add(i);
    }
    return filter.toBytes();
  }

  @Test
  void bytesHoldWhatWaits() {
    for (int count : new int[] {0, 1, 127, 128, 129, 300}) {
      FilterBuffer buffer = buffer(0, count);
      assertEquals(count == 0, buffer.isEmpty());
      byte[] bytes = buffer.getBytes();
      assertArrayEquals(bytes, buffer.getBytes(), "requested again");
      assertArrayEquals(file(0, count), FilterBuffer.of(bytes).toFile(SPEC));
      assertArrayEquals(file(0, count), buffer.toFile(SPEC));
    }
  }

  @Test
  void bytesAreCodedWhereThatSavesMostOfThem() {
    long memory = CountingBloomFilter.create(HashStrategies.longs(), 1_000, 0.01).memoryBytes();
    assertTrue(buffer(0, 50).getBytes().length < memory / 4);
    assertTrue(buffer(0, 100).getBytes().length > memory);
    assertTrue(file(0, 100).length < memory, "a file of as many elements is coded");
  }

  @Test
  void bytesThatAreSetReplaceWhatWaits() {
    FilterBuffer buffer = buffer(500, 510);
    buffer.setBytes(buffer(0, 5).getBytes());
    buffer.add(5L, SPEC);
    assertArrayEquals(file(0, 6), buffer.toFile(SPEC));
  }

  @Test
  void mergedBuffersHoldWhatWaitedInBothOnce() {
    for (int middle : new int[] {0, 1, 127, 128, 200, 300}) {
      FilterBuffer first = buffer(0, middle);
      FilterBuffer second = buffer(middle, 300);
      second.skipNull();
      first.merge(second, SPEC);
      assertTrue(second.isEmpty());
      second.add(1_000_000L, SPEC);
      first.add(300L, SPEC);
      assertEquals(1, first.nulls());
      assertArrayEquals(file(0, 301), first.toFile(SPEC));
    }
  }
}
