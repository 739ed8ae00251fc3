package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The tables of masks: as many positions as they say, spread evenly. */
class BlockMasksTest {

  @Test
  void everyMaskHasItsPositionsInAWord() {
    for (int perWord : new int[] {16, 64}) {
      for (int r = 1; r <= BlockMasks.MAX_POSITIONS; r++) {
        for (int i = 0; i < BlockMasks.MASKS; i++) {
          long mask = BlockMasks.mask(perWord, r, i);
          assertEquals(r, Long.bitCount(mask));
          assertTrue(perWord == 64 || mask >>> perWord == 0);
        }
      }
    }
  }

  /** Of four positions and more no two masks are rotations of each other. */
  @Test
  void largeMasksAreAllDifferent() {
    for (int r = 4; r <= BlockMasks.MAX_POSITIONS; r++) {
      Set<Long> smallest = new HashSet<>();
      for (int i = 0; i < BlockMasks.MASKS; i++) {
        long min = Long.MAX_VALUE;
        for (int rotation = 0; rotation < Long.SIZE; rotation++) {
          min =
              Math.min(min, Long.rotateLeft(BlockMasks.mask(64, r, i), rotation) ^ Long.MIN_VALUE);
        }
        smallest.add(min);
      }
      assertEquals(BlockMasks.MASKS, smallest.size());
    }
  }

  /** Whether two elements share a position in one word says little about the other word. */
  @Test
  void everyMaskHasOnePartner() {
    for (int i = 0; i < BlockMasks.MASKS; i++) {
      int partner = BlockMasks.partner(i);
      assertEquals(i, BlockMasks.partner(partner));
      assertNotEquals(i, partner);
      for (int r = 1; r <= BlockedIndexDerivation.PARTNERS; r++) {
        assertNotEquals(BlockMasks.mask(64, r, i), BlockMasks.mask(64, r, partner));
      }
    }
  }

  /** No distance of two positions comes more than a quarter above its share. */
  @Test
  void distancesOfPositionsAreSpreadEvenly() {
    for (int r = 3; r <= BlockMasks.MAX_POSITIONS; r++) {
      for (int distance = 1; distance < Long.SIZE; distance++) {
        int pairs = 0;
        for (int i = 0; i < BlockMasks.MASKS; i++) {
          long mask = BlockMasks.mask(64, r, i);
          pairs += Long.bitCount(mask & Long.rotateLeft(mask, distance));
        }
        double share = BlockMasks.MASKS * r * (r - 1) / 63.0;
        assertTrue(pairs < 1.25 * share + 16, r + " positions, " + distance + ": " + pairs);
      }
    }
  }

  /** They stand in files: never to be changed. */
  @Test
  void masksAreThoseOfEveryRelease() {
    assertEquals("f8dfd8d7", checksum(64));
    assertEquals("5b524343", checksum(16));
  }

  private static String checksum(int perWord) {
    CRC32C checksum = new CRC32C();
    for (int r = 1; r <= BlockMasks.MAX_POSITIONS; r++) {
      for (int i = 0; i < BlockMasks.MASKS; i++) {
        long mask = BlockMasks.mask(perWord, r, i);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
          checksum.update((int) (mask >>> shift));
        }
      }
    }
    return Long.toHexString(checksum.getValue());
  }
}
