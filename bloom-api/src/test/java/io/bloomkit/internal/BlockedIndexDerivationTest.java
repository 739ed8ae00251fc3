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
    long distance = BlockedIndexDerivation.distance(BlockedIndexDerivation.state(hash));
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

  /** The number in some bits of the state, from the highest on. */
  private static int bitsOfState(long hash, int after, int count) {
    BigInteger state = BigInteger.valueOf(hash).multiply(MULTIPLIER).mod(TWO_TO_64);
    return state.shiftRight(64 - after - count).intValue() & ((1 << count) - 1);
  }

  private static int distance(long hash) {
    return 1 + bitsOfState(hash, 0, 6) * 7 / 64;
  }

  private static long mask(long hash, int perWord, int r, boolean inFirst) {
    int index = inFirst || r <= 4 ? bitsOfState(hash, 6, 8) : bitsOfState(hash, 26, 8);
    int rotation = bitsOfState(hash, inFirst ? 14 : 20, perWord == 64 ? 6 : 4);
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
      long state = BlockedIndexDerivation.state(hash);
      long bits = BlockedIndexDerivation.bits(state, masks);
      assertEquals(mask(hash, 64, r, true), BlockedIndexDerivation.first(bits, state));
      long secondBits = BlockedIndexDerivation.secondBits(state, masks);
      assertEquals(mask(hash, 64, r, false), BlockedIndexDerivation.second(secondBits, state));
      long counters = BlockedIndexDerivation.counters(state, masks);
      assertEquals(
          spread(mask(hash, 16, r, true)), BlockedIndexDerivation.firstOfCounters(counters, state));
      long secondCounters = BlockedIndexDerivation.secondCounters(state, masks);
      assertEquals(
          spread(mask(hash, 16, r, false)),
          BlockedIndexDerivation.secondOfCounters(secondCounters, state));
      long quarters = BlockedIndexDerivation.quarters(state, masks);
      long secondQuarters = BlockedIndexDerivation.secondQuarters(state, masks);
      for (int word = 0; word < 8; word++) {
        int shift = 16 * (word % 4);
        assertEquals(
            mask(hash, 16, r, true) << shift,
            BlockedIndexDerivation.firstOfQuarters(quarters, state, word));
        assertEquals(
            mask(hash, 16, r, false) << shift,
            BlockedIndexDerivation.secondOfQuarters(secondQuarters, state, word));
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
      @ForAll long state, @ForAll @IntRange(min = 1, max = 4) int r) {
    int masks = BlockedIndexDerivation.masks(r);
    assertEquals(
        BlockedIndexDerivation.bits(state, masks), BlockedIndexDerivation.secondBits(state, masks));
  }

  @Test
  void theWeightsOfDistancesAreTheirFrequencies() {
    int[] weights = new int[8];
    for (int i = 0; i < 64; i++) {
      weights[BlockedIndexDerivation.distance((long) i << 58)]++;
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
    "0, 8000, 4000, 4001, 800009, 800009, 1200440210201, 1200440210201",
    "1, 8000, 4000, 4007, 812000, 81200000000, c000400102800440, c24480208000000",
    "8000000000000000, 8000, 0, 4, 800009, 800009, 1200440210201, 1200440210201",
    "ffffffffffffffff, 8000, 3999, 3998, 10001000080, 8000000100010, b800010900000002,"
        + " 6a00200000100028",
    "123456789abcdef, 8000, 4035, 4038, 808010000000, 8080100000, 104000a004140004,"
        + " 18680080002400",
    "0, 17179869184, 8589934592, 8589934593, 800009, 800009, 1200440210201, 1200440210201",
    "1, 17179869184, 8589934592, 8589934599, 812000, 81200000000, c000400102800440,"
        + " c24480208000000",
    "8000000000000000, 17179869184, 0, 4, 800009, 800009, 1200440210201, 1200440210201",
    "ffffffffffffffff, 17179869184, 8589934591, 8589934590, 10001000080, 8000000100010,"
        + " b800010900000002, 6a00200000100028",
    "123456789abcdef, 17179869184, 8666289566, 8666289563, 808010000000, 8080100000,"
        + " 104000a004140004, 18680080002400",
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
    long state = BlockedIndexDerivation.state(h);
    assertMasks(firstOfThree, secondOfThree, state, BlockedIndexDerivation.masks(3));
    assertMasks(firstOfEight, secondOfEight, state, BlockedIndexDerivation.masks(8));
  }

  private static void assertMasks(String first, String second, long state, int masks) {
    long ofFirst = BlockedIndexDerivation.bits(state, masks);
    long ofSecond = BlockedIndexDerivation.secondBits(state, masks);
    assertEquals(first, Long.toHexString(BlockedIndexDerivation.first(ofFirst, state)));
    assertEquals(second, Long.toHexString(BlockedIndexDerivation.second(ofSecond, state)));
  }

  /** As bits: see the test of the definition for how counters and quarters of words hold them. */
  @ParameterizedTest
  @CsvSource({
    "0, 5, 5, 30f3, 30f3",
    "1, 8020, 410, a32d, 56e2",
    "8000000000000000, 5, 5, 30f3, 30f3",
    "ffffffffffffffff, 402, 1020, b6b0, a93a",
    "123456789abcdef, 220, 88, 2ace, 1ae9",
  })
  void countersAreThoseOfEveryRelease(
      String hash,
      String firstOfTwo,
      String secondOfTwo,
      String firstOfEight,
      String secondOfEight) {
    long state = BlockedIndexDerivation.state(Long.parseUnsignedLong(hash, 16));
    assertCounters(firstOfTwo, secondOfTwo, state, BlockedIndexDerivation.masks(2));
    assertCounters(firstOfEight, secondOfEight, state, BlockedIndexDerivation.masks(8));
  }

  private static void assertCounters(String first, String second, long state, int masks) {
    long ofFirst = BlockedIndexDerivation.counters(state, masks);
    long ofSecond = BlockedIndexDerivation.secondCounters(state, masks);
    assertEquals(
        spread(Long.parseLong(first, 16)), BlockedIndexDerivation.firstOfCounters(ofFirst, state));
    assertEquals(
        spread(Long.parseLong(second, 16)),
        BlockedIndexDerivation.secondOfCounters(ofSecond, state));
  }
}
