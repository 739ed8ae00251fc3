package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of an element in blocks, against its definition in whole numbers of any size. */
class BlockedIndexDerivationTest {

  private static final long[] EDGE_HASHES = {0, 1, 2, 3, Long.MIN_VALUE, Long.MAX_VALUE, -1, -2};

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
    return BlockedIndexDerivation.word(BlockedIndexDerivation.place(hash, words), words);
  }

  private static long second(long hash, long words) {
    long distance = BlockedIndexDerivation.distance(hash);
    return BlockedIndexDerivation.word(BlockedIndexDerivation.place(hash, words) ^ distance, words);
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
    BigInteger product = BigInteger.valueOf(hash).multiply(MULTIPLIER).mod(TWO_TO_64);
    int index = inFirst || r <= 4 ? bits(hash, 18, 8) : product.shiftRight(56).intValue();
    int lowest = inFirst ? 0 : 6;
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
    int masks = BlockedIndexDerivation.masks(r);
    for (long hash : hashes(2)) {
      long bits = BlockedIndexDerivation.bits(hash, masks);
      assertEquals(mask(hash, 64, r, true), BlockedIndexDerivation.first(bits, hash));
      long secondBits = BlockedIndexDerivation.secondBits(hash, masks);
      assertEquals(mask(hash, 64, r, false), BlockedIndexDerivation.second(secondBits, hash));
      long counters = BlockedIndexDerivation.counters(hash, masks);
      assertEquals(
          spread(mask(hash, 16, r, true)), BlockedIndexDerivation.firstOfCounters(counters, hash));
      long secondCounters = BlockedIndexDerivation.secondCounters(hash, masks);
      assertEquals(
          spread(mask(hash, 16, r, false)),
          BlockedIndexDerivation.secondOfCounters(secondCounters, hash));
      long quarters = BlockedIndexDerivation.quarters(hash, masks);
      long secondQuarters = BlockedIndexDerivation.secondQuarters(hash, masks);
      for (int word = 0; word < 8; word++) {
        int shift = 16 * (word % 4);
        assertEquals(
            mask(hash, 16, r, true) << shift,
            BlockedIndexDerivation.firstOfQuarters(quarters, hash, word));
        assertEquals(
            mask(hash, 16, r, false) << shift,
            BlockedIndexDerivation.secondOfQuarters(secondQuarters, hash, word));
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

  @Property(tries = 500, seed = "17")
  void upToFourPositionsAWordBothTakeTheSameMask(
      @ForAll long hash, @ForAll @IntRange(min = 1, max = 4) int r) {
    int masks = BlockedIndexDerivation.masks(r);
    assertEquals(
        BlockedIndexDerivation.bits(hash, masks), BlockedIndexDerivation.secondBits(hash, masks));
  }

  @Test
  void theWeightsOfDistancesAreTheirFrequencies() {
    int[] weights = new int[8];
    for (int i = 0; i < 64; i++) {
      weights[BlockedIndexDerivation.distance((long) i << 26)]++;
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
    "0, 8000, 4000, 4001, 800009, 800009, 1200440210201," + " 1200440210201",
    "1, 8000, 4000, 4001, 1000012, 800009, 2400880420402," + " 10c0008000220801",
    "8000000000000000, 8000, 0, 1, 800009, 800009, 1200440210201," + " 21020440012001",
    "ffffffffffffffff, 8000, 3999, 3992, 8000000000100080, 8000000000100080, a410400000041400,"
        + " 800a10c002010000",
    "123456789abcdef, 8000, 4035, 4039, 8000810000000000, 81000000000080, 4881900400100000,"
        + " 800000c0400344",
    "fedcba9876543210, 8000, 3964, 3960, 8000000000010400, 80000000000104, 200810040230002,"
        + " 140220005200100",
    "0, 17179869184, 8589934592, 8589934593, 800009, 800009, 1200440210201," + " 1200440210201",
    "1, 17179869184, 8589934592, 8589934593, 1000012, 800009, 2400880420402," + " 10c0008000220801",
    "8000000000000000, 17179869184, 0, 1, 800009, 800009, 1200440210201," + " 21020440012001",
    "ffffffffffffffff, 17179869184, 8589934591, 8589934584, 8000000000100080, 8000000000100080, a410400000041400,"
        + " 800a10c002010000",
    "123456789abcdef, 17179869184, 8666289566, 8666289562, 8000810000000000, 81000000000080, 4881900400100000,"
        + " 800000c0400344",
    "fedcba9876543210, 17179869184, 8513579617, 8513579621, 8000000000010400, 80000000000104, 200810040230002,"
        + " 140220005200100",
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
    assertMasks(firstOfThree, secondOfThree, h, BlockedIndexDerivation.masks(3));
    assertMasks(firstOfEight, secondOfEight, h, BlockedIndexDerivation.masks(8));
  }

  private static void assertMasks(String first, String second, long hash, int masks) {
    long ofFirst = BlockedIndexDerivation.bits(hash, masks);
    long ofSecond = BlockedIndexDerivation.secondBits(hash, masks);
    assertEquals(first, Long.toHexString(BlockedIndexDerivation.first(ofFirst, hash)));
    assertEquals(second, Long.toHexString(BlockedIndexDerivation.second(ofSecond, hash)));
  }

  /** As bits: see the test of the definition for how counters and quarters of words hold them. */
  @ParameterizedTest
  @CsvSource({
    "0, 5, 5, 30f3, 30f3",
    "1, 5, 5, 30f3, 72c5",
    "8000000000000000, 5, 5, 30f3, 30f3",
    "ffffffffffffffff, 8800, 8800, b38a, e352",
    "123456789abcdef, 1800, 6000, 4b53, 29a7",
    "fedcba9876543210, 410, 104, 9653, c9c6",
  })
  void countersAreThoseOfEveryRelease(
      String hash,
      String firstOfTwo,
      String secondOfTwo,
      String firstOfEight,
      String secondOfEight) {
    long h = Long.parseUnsignedLong(hash, 16);
    assertCounters(firstOfTwo, secondOfTwo, h, BlockedIndexDerivation.masks(2));
    assertCounters(firstOfEight, secondOfEight, h, BlockedIndexDerivation.masks(8));
  }

  private static void assertCounters(String first, String second, long hash, int masks) {
    long ofFirst = BlockedIndexDerivation.counters(hash, masks);
    long ofSecond = BlockedIndexDerivation.secondCounters(hash, masks);
    assertEquals(
        spread(Long.parseLong(first, 16)), BlockedIndexDerivation.firstOfCounters(ofFirst, hash));
    assertEquals(
        spread(Long.parseLong(second, 16)),
        BlockedIndexDerivation.secondOfCounters(ofSecond, hash));
  }
}
