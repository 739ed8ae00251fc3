package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What happens to counters when there is no memory for the table of their overflow. */
class CounterMemoryTest {

  private static final int POSITIONS = 40;
  private static final int HASHES = 7;
  private static final int WORDS = 2 * BlockedShape.WORDS_PER_BLOCK;
  private static final int MIDDLE = BlockedIndexDerivation.middle(WORDS);
  private static final long HASH = 0x123456789abcdefL;

  private final ScarceCounts table = new ScarceCounts();
  private final CounterArray counters =
      new CounterArray(new long[CounterWord.wordCount(POSITIONS)], table);

  private void addTo(long value) {
    for (long i = 0; i < POSITIONS; i++) {
      for (long n = counters.get(i); n < value; n++) {
        counters.increment(i);
      }
    }
  }

  @Test
  void anAdditionThatFindsNoMemoryChangesNothing() {
    addTo(15);
    CounterArray before = counters.copy();
    table.memoryIsGone = true;
    assertThrows(
        OutOfMemoryError.class, () -> FlatCounters.increment(counters, POSITIONS, HASHES, HASH));
    assertEquals(before, counters);
    assertThrows(
        OutOfMemoryError.class, () -> FlatCounters.increment(counters, POSITIONS, 40, HASH));
    assertEquals(before, counters);
    table.memoryIsGone = false;
    assertFalse(FlatCounters.increment(counters, POSITIONS, HASHES, HASH));
    assertEquals(before.sumOver(1, false) + HASHES, counters.sumOver(1, false));
  }

  @Test
  void aConcurrentAdditionThatFindsNoMemoryChangesNothing() {
    addTo(14); // the first additions need no table, and the next find room for one entry
    for (long i = 0; i < POSITIONS; i += 2) {
      counters.increment(i);
    }
    CounterArray before = counters.copy();
    table.memoryIsGone = true;
    assertThrows(
        OutOfMemoryError.class,
        () -> FlatCounters.incrementShared(counters, POSITIONS, HASHES, HASH));
    assertEquals(before, counters);
    table.memoryIsGone = false;
    assertFalse(FlatCounters.incrementShared(counters, POSITIONS, HASHES, HASH));
    assertEquals(before.sumOver(1, false) + HASHES, counters.sumOver(1, false));
  }

  @Test
  void copiesThatFindNoMemoryChangeNothing() {
    addTo(3);
    CounterArray before = counters.copy();
    table.memoryIsGone = true;
    assertThrows(
        OutOfMemoryError.class,
        () -> FlatCounters.addShared(counters, POSITIONS, HASHES, HASH, 13));
    assertEquals(before, counters);
    assertFalse(FlatCounters.addShared(counters, POSITIONS, 1, HASH, 12));
    table.memoryIsGone = false;
    FlatCounters.addShared(counters, POSITIONS, HASHES, HASH, 1000);
    assertEquals(before.sumOver(1, false) + 12 + 1000L * HASHES, counters.sumOver(1, false));
  }

  /** A block of counters behind its padding. */
  private final CounterArray block =
      new CounterArray(new long[WordArrays.BLOCK_PADDING + WORDS], table);

  private void addToBlocks(int value) {
    for (int word = WordArrays.BLOCK_PADDING; word < WORDS + WordArrays.BLOCK_PADDING; word++) {
      for (int counter = 0; counter < CounterWord.COUNTERS; counter++) {
        for (int n = 0; n < value; n++) {
          block.increment(CounterWord.firstOf(word) + counter);
        }
      }
    }
  }

  @Test
  void anAdditionToABlockThatFindsNoMemoryChangesNothing() {
    for (int positions : new int[] {1, 2, 5, 8}) {
      new CounterMemoryTest().addToFullBlocks(positions);
    }
  }

  private void addToFullBlocks(int positions) {
    addToBlocks(15);
    int masks = BlockedIndexDerivation.maskTable(positions);
    CounterArray before = block.copy();
    table.memoryIsGone = true;
    assertThrows(
        OutOfMemoryError.class, () -> BlockedCounters.increment(block, WORDS, MIDDLE, masks, HASH));
    assertEquals(before, block);
    table.memoryIsGone = false;
    assertFalse(BlockedCounters.increment(block, WORDS, MIDDLE, masks, HASH));
    assertEquals(before.sumOver(1, false) + 2L * positions, block.sumOver(1, false));
  }

  @Test
  void aConcurrentAdditionToABlockThatFindsNoMemoryChangesNothing() {
    for (int positions : new int[] {1, 2, 5, 8}) {
      new CounterMemoryTest().addToNearlyFullBlocks(positions);
    }
  }

  private void addToNearlyFullBlocks(int positions) {
    addToBlocks(14); // the first additions need no table, and the next find room for one entry
    int masks = BlockedIndexDerivation.maskTable(positions);
    Object[] stripes = BlockedCounters.stripes(2);
    BlockedCounters.incrementShared(block, WORDS, MIDDLE, masks, HASH, stripes);
    for (int word = WordArrays.BLOCK_PADDING; word < WORDS + WordArrays.BLOCK_PADDING; word += 2) {
      for (int counter = 0; counter < CounterWord.COUNTERS; counter += 3) {
        long index = CounterWord.firstOf(word) + counter;
        if (block.get(index) < CounterWord.FULL) {
          block.increment(index);
        }
      }
    }
    CounterArray before = block.copy();
    table.memoryIsGone = true;
    assertThrows(
        OutOfMemoryError.class,
        () -> BlockedCounters.incrementShared(block, WORDS, MIDDLE, masks, HASH, stripes));
    assertEquals(before, block);
    table.memoryIsGone = false;
    assertFalse(BlockedCounters.incrementShared(block, WORDS, MIDDLE, masks, HASH, stripes));
    assertEquals(before.sumOver(1, false) + 2L * positions, block.sumOver(1, false));
  }

  @Test
  void aRemovalNeedsNoMemory() {
    addTo(16);
    long sum = counters.sumOver(1, false);
    table.memoryIsGone = true;
    long hash = HASH;
    for (int removed = 1; !counters.overflow.isEmpty(); removed++) {
      hash = hash * 0x9e3779b97f4a7c15L + 1;
      assertTrue(FlatCounters.decrement(counters, POSITIONS, HASHES, hash));
      assertEquals(sum - (long) HASHES * removed, counters.sumOver(1, false));
    }
  }

  /** Three counters with an overflow get seven more and five of another table: 15 entries. */
  @Test
  void aMergeFindsItsMemoryBeforeItChangesACounter() {
    CounterArray other = new CounterArray(POSITIONS);
    for (int n = 0; n < 20; n++) {
      LongStream.range(0, 3).forEach(counters::increment);
      LongStream.range(3, 8).forEach(other::increment);
    }
    for (int n = 0; n < 10; n++) {
      LongStream.range(8, 15).forEach(counters::increment);
      LongStream.range(8, 15).forEach(other::increment);
    }
    CounterArray before = counters.copy();
    table.memoryIsGone = true;
    assertThrows(OutOfMemoryError.class, () -> CounterSums.add(counters, other));
    assertEquals(before, counters);
    table.memoryIsGone = false;
    table.arraysLeft = 2;
    CounterSums.add(counters, other);
    assertEquals(15, table.size());
  }

  /** A table filled to the last entry that it has room for, as after reading a file. */
  @Test
  void aSubtractionNeedsNoMemory() {
    for (long i = 0; i < 48; i++) { // 48 entries fill a table of 64 places
      counters.overflow.set(i, 3);
    }
    Arrays.fill(counters.words, -1);
    CounterArray taken = new CounterArray(48);
    for (long i = 0; i < 48; i++) {
      taken.increment(i);
    }
    table.memoryIsGone = true;
    CounterSums.subtract(counters, taken);
    assertEquals(48 * 17, counters.sumOver(1, false));
    assertEquals(48, table.size());
  }
}
