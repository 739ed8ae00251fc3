package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten million additions and removals beside an exact multiset, while the filter holds as many
 * distinct elements as it was made for, and four times as many.
 */
@Tag("deep")
class BlockedCountingBloomFilterChurnTest {

  private static final int PLANNED = 20_000;
  private static final int OPERATIONS = 10_000_000;

  @Test
  void tenMillionOperationsAtTheDesignLoadLeaveTheFilterOfWhatIsLeft() {
    churn(1, false);
  }

  @Test
  void tenMillionOperationsAtFourTimesTheDesignLoadLeaveTheFilterOfWhatIsLeft() {
    churn(4, false);
  }

  @Test
  void aConcurrentFilterAtFourTimesTheDesignLoadIsThatOfWhatIsLeft() {
    churn(4, true);
  }

  private static void churn(int overload, boolean concurrent) {
    BlockedCountingBloomFilter.Builder<Long> builder =
        BlockedCountingBloomFilter.builder(HashStrategies.longs()).expecting(PLANNED, 0.01);
    BlockedCountingBloomFilter<Long> filter =
        concurrent ? builder.concurrent().build() : builder.build();
    Multiset held = new Multiset(2 * overload * PLANNED);
    SplittableRandom random = new SplittableRandom(13);
    int refused = 0;
    int mostOverflowed = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      if (held.distinct < overload * PLANNED || random.nextInt(64) == 0) {
        // One in sixteen is one of a hundred elements, which so get many copies.
        int bound = random.nextInt(16) == 0 ? 100 : held.hashes.length;
        int element = random.nextInt(bound);
        boolean positive = filter.mightContainHash(held.hashes[element]);
        assertEquals(!positive, filter.addHash(held.hashes[element]));
        assertTrue(positive || held.copies[element] == 0, "negative what is held");
        held.add(element);
        assertCountIsNotBelowTheTruth(filter, held, element);
      } else {
        int element = held.removeAny(random);
        assertTrue(filter.removeHash(held.hashes[element]), "refused what is held");
        assertCountIsNotBelowTheTruth(filter, held, element);
      }
      if ((i & 15) == 0) {
        long absent = random.nextLong();
        if (!filter.mightContainHash(absent)) {
          assertFalse(filter.removeHash(absent));
          assertEquals(0, filter.countHash(absent));
          refused++;
        }
      }
      if (i % 100_000 == 0) {
        mostOverflowed = Math.max(mostOverflowed, filter.overflowedCounters());
      }
    }
    assertTrue(held.distinct > 0.95 * overload * PLANNED, "distinct elements: " + held.distinct);
    assertTrue(refused > OPERATIONS / 16 / 2, "refused: " + refused);
    assertTrue(mostOverflowed > 100, "overflowed counters: " + mostOverflowed);
    assertEquals(OptionalLong.of(held.size), filter.elementCount());
    BlockedCountingBloomFilter<Long> rebuilt = builder.build();
    for (int element = 0; element < held.hashes.length; element++) {
      for (int copy = 0; copy < held.copies[element]; copy++) {
        rebuilt.addHash(held.hashes[element]);
      }
    }
    assertEquals(rebuilt, filter);
    while (held.size > 0) {
      assertTrue(filter.removeHash(held.hashes[held.removeAny(random)]));
    }
    assertEquals(builder.build(), filter);
  }

  private static void assertCountIsNotBelowTheTruth(
      BlockedCountingBloomFilter<Long> filter, Multiset held, int element) {
    long count = filter.countHash(held.hashes[element]);
    assertTrue(count >= held.copies[element], "count below the truth");
    assertEquals(count > 0, filter.mightContainHash(held.hashes[element]));
  }

  /** Which of some elements are held and how often, and every occurrence in a list. */
  private static final class Multiset {

    final long[] hashes;
    final int[] copies;
    int distinct;
    int size;
    private int[] occurrences = new int[16];

    Multiset(int elements) {
      hashes = new SplittableRandom(14).longs(elements).toArray();
      copies = new int[elements];
    }

    void add(int element) {
      distinct += copies[element]++ == 0 ? 1 : 0;
      if (size == occurrences.length) {
        occurrences = Arrays.copyOf(occurrences, 2 * size);
      }
      occurrences[size++] = element;
    }

    int removeAny(SplittableRandom random) {
      int index = random.nextInt(size);
      int element = occurrences[index];
      occurrences[index] = occurrences[--size];
      distinct -= --copies[element] == 0 ? 1 : 0;
      return element;
    }
  }
}
