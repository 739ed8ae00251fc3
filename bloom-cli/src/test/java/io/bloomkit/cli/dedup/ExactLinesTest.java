package io.bloomkit.cli.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExactLinesTest {

  @Test
  void linesWithOneEqualHashDiffer() {
    ExactLines lines = new ExactLines();
    for (long hash = -3; hash < 3; hash++) {
      for (long check = -3; check < 0; check++) {
        assertTrue(lines.isFirst(hash, check));
        assertFalse(lines.isFirst(hash, check));
      }
    }
    assertTrue(lines.isFirst(7, 0));
    assertFalse(lines.isFirst(7, 0));
  }

  /** Hashes of few bits fall into few tables and slots, which wrap around and grow often. */
  @Test
  void answersAreThoseOfASetAndMemoryFollows() {
    for (long mask : new long[] {-1, 0xffL << 32 | 3, 0xffff_ffff_0000_0000L}) {
      ExactLines lines = new ExactLines();
      Set<String> exact = new HashSet<>();
      Random random = new Random(20261128);
      for (int i = 0; i < 60_000; i++) {
        long hash = random.nextLong() & mask;
        long check = random.nextInt(200_000);
        assertEquals(exact.add(hash + " " + Math.max(check, 1)), lines.isFirst(hash, check));
      }
    }
    ExactLines lines = new ExactLines();
    Random random = new Random(1);
    for (int i = 1; i <= 1_000_000; i++) {
      lines.isFirst(random.nextLong(), random.nextLong());
      if (i >= 100_000 && i % 100_000 == 0) {
        double bytes = (double) lines.memoryBytes() / i;
        assertTrue(bytes > 20 && bytes < 27, bytes + " bytes for each of " + i);
      }
    }
  }

  @Test
  void theSecondHashIsOfARun() {
    byte[] line = {1, 2, 3};
    assertNotEquals(new ExactLines().check(line, 0, 3), new ExactLines().check(line, 0, 3));
  }
}
