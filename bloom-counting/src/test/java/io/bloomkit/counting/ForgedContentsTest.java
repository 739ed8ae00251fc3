package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.SectionRole;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Files assembled byte by byte: sound ones are read, contradictions are named. */
class ForgedContentsTest {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();
  private static final StrategyIdentity IDENTITY = StrategyIdentity.of(LONGS);
  private static final OptionalLong UNKNOWN = OptionalLong.empty();
  private static final long[] NONE = {};

  private static void assertRefused(String fault, Executable call) {
    String message = String.valueOf(assertThrows(FilterFormatException.class, call).getMessage());
    assertTrue(message.contains(fault), message);
  }

  /** The sum of these counters is beyond 64 bits, as no filter can reach by additions. */
  @Test
  void countersWhoseSumWrapsAroundAreSavedAsTheyWereRead() throws Exception {
    long[] overflow = new long[32];
    for (int i = 0; i < 16; i++) {
      overflow[2 * i] = i;
      overflow[2 * i + 1] = (1L << 62) - 15;
    }
    byte[] bytes =
        FilterContents.of(CountingBloomFilter.KIND.code(), IDENTITY, 16, 1)
            .elementCount(OptionalLong.of(Long.MAX_VALUE), 0, Long.MAX_VALUE)
            .section(SectionRole.WORDS, -1L)
            .section(SectionRole.OVERFLOW, overflow)
            .build()
            .toBytes();
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.builder(LONGS).concurrent().fromBytes(bytes);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertArrayEquals(bytes, filter.toBytes()));
  }

  /** As after an addition that a full stack has interrupted. */
  @Test
  @Tag("deep")
  void aFilterWhoseCountersDisagreeWithItsCountCanBeSavedInTheEnd() throws Exception {
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.builder(LONGS).expecting(100, 0.01).concurrent().build();
    filter.add(1L);
    filter.counters.increment(3);
    byte[] bytes = assertTimeoutPreemptively(Duration.ofSeconds(60), filter::toBytes);
    assertTrue(CountingBloomFilter.fromBytes(bytes, LONGS).mightContain(1L));
    assertTrue(filter.remove(1L));
    assertEquals(OptionalLong.of(0), filter.copy().elementCount());
  }

  /** Ten is the sum of two elements of five hashes, and of no other number of them. */
  @Test
  void elementCountThatTheCountersContradictIsRefused() throws FilterFormatException {
    assertEquals(OptionalLong.of(2), filterOf(2, 10).elementCount());
    for (long count : new long[] {0, 1, 3, 10, Long.MAX_VALUE}) {
      assertRefused(
          "that of 2 to 2 elements, but the element count is " + count, () -> filterOf(count, 10));
    }
    for (long sum = 6; sum < 10; sum++) {
      long word = sum;
      assertRefused("no number of elements of 5 hashes", () -> filterOf(1, word));
      assertRefused("no number of elements of 5 hashes", () -> filterOf(2, word));
    }
  }

  private static CountingBloomFilter<Long> filterOf(long count, long word)
      throws FilterFormatException {
    return CountingBloomFilter.fromBytes(
        FilterContents.of(CountingBloomFilter.KIND.code(), IDENTITY, 16, 5)
            .elementCount(OptionalLong.of(count), 0, Long.MAX_VALUE)
            .section(SectionRole.WORDS, word)
            .section(SectionRole.OVERFLOW)
            .build()
            .toBytes(),
        LONGS);
  }

  /** A filter of one word of counters. */
  private static CountingBloomFilter<Long> counting(long positions, long word, long... overflow)
      throws FilterFormatException {
    return CountingBloomFilter.fromBytes(
        FilterContents.of(CountingBloomFilter.KIND.code(), IDENTITY, positions, 5)
            .elementCount(UNKNOWN, 0, Long.MAX_VALUE)
            .section(SectionRole.WORDS, word)
            .section(SectionRole.OVERFLOW, overflow)
            .build()
            .toBytes(),
        LONGS);
  }

  @Test
  void countersBeyondTheLastAreZero() throws FilterFormatException {
    assertEquals(15, counting(16, 0xfL << 60).counter(15));
    assertEquals(15, counting(15, 0xfL << 56).counter(14));
    for (int bit = 60; bit < 64; bit++) {
      long word = 1L << bit;
      assertRefused(
          "counters beyond the last of 15 are not zero", () -> counting(15, word | 0xfff));
    }
  }

  @Test
  void anOverflowIsThatOfAFullCounterOfTheFilterInOrder() throws FilterFormatException {
    long full = 0xf000_0000_0000_ff0eL; // the counters 2, 3 and 15
    CountingBloomFilter<Long> filter = counting(16, full, 2, 1, 15, 10);
    assertEquals(16, filter.counter(2));
    assertEquals(25, filter.counter(15));
    assertEquals(2, filter.overflowedCounters());
    assertRefused("the counter of entry 0 must be in [0, 15], got -1", forged(full, -1, 1));
    assertRefused("the counter of entry 0 must be in [0, 15], got 16", forged(full, 16, 1));
    assertRefused("the counter of entry 1 must be in [3, 15], got 2", forged(full, 2, 1, 2, 1));
    assertRefused("the counter of entry 1 must be in [4, 15], got 2", forged(full, 3, 1, 2, 1));
    assertRefused(
        "counter 0 has an overflow above 15, but its four bits are not all ones",
        forged(full, 0, 1));
    assertRefused(
        "counter 1 has an overflow above 15, but its four bits are not all ones",
        forged(full, 1, 1));
  }

  @Test
  void anOverflowIsFromOneToWhatCanBeMerged() throws FilterFormatException {
    long most = (1L << 62) - 15;
    assertEquals(20, counting(16, 0xf, 0, 5).counter(0));
    assertEquals(15 + most, counting(16, 0x1f, 0, most).counter(0));
    for (long overflow : new long[] {0, -1, most + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertRefused(
          "what counter 0 exceeds 15 by must be in [1, 2^62 - 15], got " + overflow,
          forged(0xf, 0, overflow));
    }
  }

  private static Executable forged(long word, long... overflow) {
    return () -> counting(16, word, overflow);
  }

  private static Executable blocked(long blocks, long hashes) {
    return () ->
        BlockedCountingBloomFilter.fromBytes(
            FilterContents.of(BlockedCountingBloomFilter.KIND.code(), IDENTITY, blocks, hashes)
                .elementCount(UNKNOWN, 0, Long.MAX_VALUE)
                .section(SectionRole.WORDS, new long[(int) blocks * 8])
                .section(SectionRole.OVERFLOW, NONE)
                .build()
                .toBytes(),
            LONGS);
  }

  @Test
  void blocksAndTheirHashesAreEven() {
    assertDoesNotThrow(blocked(2, 2));
    assertDoesNotThrow(blocked(20, 16));
    assertRefused("blocks must be even, got 3", blocked(3, 4));
    assertRefused("blocks must be even, got 21", blocked(21, 4));
    assertRefused("blocks must be in [2, ", blocked(1, 4));
    assertRefused("blocks must be in [2, ", blocked(0, 4));
    assertRefused("hashes must be even, got 5", blocked(2, 5));
  }
}
