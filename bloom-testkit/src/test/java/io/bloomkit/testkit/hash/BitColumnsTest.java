package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.testkit.internal.ContractSeeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BitColumnsTest {

  @Test
  void bitsAreCountedAsOneByOne() {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    for (int size : new int[] {1, 63, 64, 65, 200}) {
      long[] words = random.longs(size).toArray();
      long[] others = random.longs(size).toArray();
      BitColumns columns = new BitColumns(words, size);
      BitColumns otherColumns = new BitColumns(others, size);
      assertEquals(size, columns.size());
      for (int bit = 0; bit < Long.SIZE; bit++) {
        assertEquals(count(words, new long[size], bit, 0), columns.ones(bit));
        for (int other = 0; other < Long.SIZE; other++) {
          assertEquals(count(words, words, bit, other), columns.differences(bit, other));
          assertEquals(
              count(words, others, bit, other), columns.differences(bit, otherColumns, other));
        }
      }
    }
  }

  private static int count(long[] words, long[] others, int bit, int other) {
    int count = 0;
    for (int i = 0; i < words.length; i++) {
      count += (int) (words[i] >>> bit ^ others[i] >>> other) & 1;
    }
    return count;
  }
}
