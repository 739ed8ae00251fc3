package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of an element in blocks, against its definition in whole numbers of any size. */
class BlockedIndexDerivationTest {

  private static final long[] EDGE_HASHES = {0, 1, 2, 3, Long.MIN_VALUE, Long.MAX_VALUE, -1, -2};

  private static final int MASKS_OF_THREE = BlockedIndexDerivation.maskTable(3);
  private static final int MASKS_OF_EIGHT = BlockedIndexDerivation.maskTable(8);

  /** Written down again here, from the definition of the file format. */
  private static final BigInteger MULTIPLIER = new BigInteger("f1357aea2e62a9c5", 16);

  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  private static long[] hashes(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] hashes = new long[1000];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = i < EDGE_HASHES.length ? EDGE_HASHES[i] : random.nextLong();
    }
    return hashes;
  }

  private static long first(long hash, long words) {
    return BlockedIndexDerivation.wordIndex(BlockedIndexDerivation.offset(hash, words), words);
  }

  private static long second(long hash, long words) {
    long distance = BlockedIndexDerivation.distance(hash);
    return BlockedIndexDerivation.wordIndex(
        BlockedIndexDerivation.offset(hash, words) ^ distance, words);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {16, 32, 48, 8000, 1L << 28, (1L << 31) - 16, 1L << 31, (1L << 32) + 16, 1L << 34})
  void wordsEqualTheirDefinition(long words) {
    for (long hash : hashes(1)) {
      BigInteger flipped = BigInteger.valueOf(hash).add(TWO_TO_64.shiftRight(1));
      long first = flipped.multiply(BigInteger.valueOf(words)).shiftRight(64).longValueExact();
      assertEquals(first, first(hash, words));
      // The word that is so far, counted by exclusive or, within the block.
      long second = first - first % 8 + ((first % 8) ^ distance(hash));
      assertEquals(second, second(hash, words));
    }
  }

  /** The number in some bits of a hash, from the lowest of them on. */
  private static int bits(long hash, int lowest, int count) {
    BigInteger bits = BigInteger.valueOf(hash).mod(TWO_TO_64).shiftRight(lowest);
    return bits.intValue() & ((1 << count) - 1);
  }

  private static int distance(long hash) {
    return 1 + bits(hash, 26, 6) * 7 / 64;
  }

  private static long mask(long hash, int perWord, int r, boolean inFirst) {
    int index = bits(hash, 18, 8);
    if (!inFirst) {
      BigInteger product = BigInteger.valueOf(hash).multiply(MULTIPLIER).mod(TWO_TO_64);
      index = r <= 3 ? index ^ 1 : product.shiftRight(56).intValue();
    }
    int lowest = inFirst || (perWord == 64 && r <= 3) ? 0 : 6;
    int rotation = perWord == 64 ? bits(hash, lowest, 6) : bits(hash, lowest + 2, 4);
    long mask = BlockMasks.mask(perWord, r, index);
    long rotated = 0;
    for (int position = 0; position < perWord; position++) {
      if ((mask >>> position & 1) != 0) {
        rotated |= 1L << (position + rotation) % perWord;
      }
    }
    return rotated;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void masksEqualTheirDefinition(int r) {
    int masks = BlockedIndexDerivation.maskTable(r);
    assertEquals(r <= 3, BlockedIndexDerivation.arePartners(r));
    assertEquals(r <= 3, BlockedIndexDerivation.areRotatedAlike(64, r));
    assertFalse(BlockedIndexDerivation.areRotatedAlike(16, r));
    for (long hash : hashes(2)) {
      assertEquals(mask(hash, 64, r, true), BlockedIndexDerivation.firstMask(hash, masks));
      assertEquals(mask(hash, 64, r, false), BlockedIndexDerivation.secondMask(hash, masks));
      long first = spread(mask(hash, 16, r, true));
      assertEquals(first, BlockedIndexDerivation.firstCounterMask(hash, masks));
      assertEquals(
          BlockedIndexDerivation.unrotatedFirstCounterMask(hash, masks),
          BlockedIndexDerivation.rotateBackFirst(first, hash));
      long second = spread(mask(hash, 16, r, false));
      assertEquals(second, BlockedIndexDerivation.secondCounterMask(hash, masks));
      assertEquals(
          BlockedIndexDerivation.unrotatedSecondCounterMask(hash, masks),
          BlockedIndexDerivation.rotateBackSecond(second, hash));
      for (int word = 0; word < 8; word++) {
        int shift = 16 * (word % 4);
        assertEquals(
            mask(hash, 16, r, true) << shift,
            BlockedIndexDerivation.firstMask16(hash, masks, word));
        assertEquals(
            mask(hash, 16, r, false) << shift,
            BlockedIndexDerivation.secondMask16(hash, masks, word));
      }
    }
  }

  /** From sixteen bits to the lowest bits of sixteen counters. */
  private static long spread(long bits) {
    long counters = 0;
    for (int i = 0; i < 16; i++) {
      counters |= (bits >>> i & 1) << (4 * i);
    }
    return counters;
  }

  @Property(tries = 2000, seed = "16")
  void bothWordsLieInOneBlockOfTheFilterAndDiffer(
      @ForAll long hash, @ForAll @LongRange(min = 1, max = 1L << 30) long pairsOfBlocks) {
    long words = 16 * pairsOfBlocks;
    long first = first(hash, words);
    long second = second(hash, words);
    assertTrue(first >= 0 && first < words);
    assertEquals(first / 8, second / 8);
    assertNotEquals(first, second);
  }

  @Test
  void theMiddleOfAnArrayOfWordsIsBehindItsPadding() {
    assertEquals(WordArrays.BLOCK_PADDING + 24, BlockedIndexDerivation.middle(48));
  }

  @Test
  void theWeightsOfDistancesAreTheirFrequencies() {
    int[] weights = new int[8];
    for (int i = 0; i < 64; i++) {
      weights[(int) BlockedIndexDerivation.distance((long) i << 26)]++;
    }
    int sum = 0;
    for (int distance = 0; distance < 8; distance++) {
      assertEquals(weights[distance], BlockedIndexDerivation.weightOfDistance(distance));
      assertTrue(distance == 0 ? weights[distance] == 0 : weights[distance] >= 9);
      sum += weights[distance];
    }
    assertEquals(64, sum);
  }

  /** Computed by a few lines in another language. They stand in files: never to be changed. */
  @ParameterizedTest
  @CsvSource({
    "0, 8000, 4000, 4001, 480000000004, 82000000200000," + " 810080009002201, 810080009002201",
    "1, 8000, 4000, 4001, 900000000008, 104000000400000," + " 1020100012004402, 1104008860004",
    "8000000000000000, 8000, 0, 1, 480000000004, 82000000200000,"
        + " 810080009002201, 810220009000801",
    "ffffffffffffffff, 8000, 3999, 3992, 40020200, 41000000000100,"
        + " 4100000010500290, 4020001001421800",
    "123456789abcdef, 8000, 4035, 4039, 4000408, 4000000000080001,"
        + " 2000800002440c80, 400000602001a20",
    "fedcba9876543210, 8000, 3964, 3960, 20801000, 400220000000,"
        + " 1020080460004040, 8000a0110002900",
    "0, 17179869184, 8589934592, 8589934593, 480000000004, 82000000200000,"
        + " 810080009002201, 810080009002201",
    "1, 17179869184, 8589934592, 8589934593, 900000000008, 104000000400000,"
        + " 1020100012004402, 1104008860004",
    "8000000000000000, 17179869184, 0, 1, 480000000004, 82000000200000,"
        + " 810080009002201, 810220009000801",
    "ffffffffffffffff, 17179869184, 8589934591, 8589934584, 40020200, 41000000000100,"
        + " 4100000010500290, 4020001001421800",
    "123456789abcdef, 17179869184, 8666289566, 8666289562, 4000408, 4000000000080001,"
        + " 2000800002440c80, 400000602001a20",
    "fedcba9876543210, 17179869184, 8513579617, 8513579621, 20801000, 400220000000,"
        + " 1020080460004040, 8000a0110002900",
  })
  void placesAreThoseOfEveryRelease(
      String hash,
      long words,
      long first,
      long second,
      String firstOfThree,
      String secondOfThree,
      String firstOfEight,
      String secondOfEight) {
    long h = Long.parseUnsignedLong(hash, 16);
    assertEquals(first, first(h, words));
    assertEquals(second, second(h, words));
    assertEquals(firstOfThree, hex(BlockedIndexDerivation.firstMask(h, MASKS_OF_THREE)));
    assertEquals(secondOfThree, hex(BlockedIndexDerivation.secondMask(h, MASKS_OF_THREE)));
    assertEquals(firstOfEight, hex(BlockedIndexDerivation.firstMask(h, MASKS_OF_EIGHT)));
    assertEquals(secondOfEight, hex(BlockedIndexDerivation.secondMask(h, MASKS_OF_EIGHT)));
  }

  private static String hex(long mask) {
    return Long.toHexString(mask);
  }

  /** As bits: see the test of the definition for how counters and quarters of words hold them. */
  @ParameterizedTest
  @CsvSource({
    "0, 2800, 84, 9987, 9987",
    "1, 2800, 84, 9987, 2b96",
    "8000000000000000, 2800, 84, 9987, 9987",
    "ffffffffffffffff, 220, 120, 2ace, 6a5c",
    "123456789abcdef, c0, 202, 9a5a, 4d39",
    "fedcba9876543210, 82, 9, 72ca, 4e36",
  })
  void countersAreThoseOfEveryRelease(
      String hash,
      String firstOfTwo,
      String secondOfTwo,
      String firstOfEight,
      String secondOfEight) {
    long h = Long.parseUnsignedLong(hash, 16);
    int masksOfTwo = BlockedIndexDerivation.maskTable(2);
    assertCounters(firstOfTwo, BlockedIndexDerivation.firstCounterMask(h, masksOfTwo));
    assertCounters(secondOfTwo, BlockedIndexDerivation.secondCounterMask(h, masksOfTwo));
    assertCounters(firstOfEight, BlockedIndexDerivation.firstCounterMask(h, MASKS_OF_EIGHT));
    assertCounters(secondOfEight, BlockedIndexDerivation.secondCounterMask(h, MASKS_OF_EIGHT));
  }

  private static void assertCounters(String bits, long mask) {
    assertEquals(spread(Long.parseLong(bits, 16)), mask);
  }
}
