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

  @ParameterizedTest
  @ValueSource(
      longs = {8, 16, 24, 8000, 1L << 28, (1L << 31) - 8, 1L << 31, (1L << 32) + 8, 1L << 34})
  void wordsEqualTheirDefinition(long words) {
    for (long hash : EDGE_HASHES) {
      assertWordsEqualTheirDefinition(hash, words);
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      assertWordsEqualTheirDefinition(random.nextLong(), words);
    }
  }

  private static void assertWordsEqualTheirDefinition(long hash, long words) {
    long first = firstWordByDefinition(hash, words);
    assertEquals(first, BlockedIndexDerivation.firstWord(hash, words));
    BigInteger top = stateByDefinition(hash, 1).shiftRight(32);
    long distance = 1 + top.multiply(BigInteger.valueOf(7)).shiftRight(32).longValueExact();
    // The word that is so far, counted by exclusive or, within the block.
    long second = first - first % 8 + ((first % 8) ^ distance);
    assertEquals(second, BlockedIndexDerivation.secondWord(hash, words));
  }

  private static long firstWordByDefinition(long hash, long words) {
    BigInteger half = BigInteger.valueOf(hash).mod(TWO_TO_64).shiftRight(1);
    return half.multiply(BigInteger.valueOf(words)).shiftRight(63).longValueExact();
  }

  /** The state after so many steps of the generator. */
  private static BigInteger stateByDefinition(long hash, int steps) {
    BigInteger state = BigInteger.valueOf(hash).mod(TWO_TO_64).setBit(0);
    return state.multiply(MULTIPLIER.pow(steps)).mod(TWO_TO_64);
  }

  @Test
  void positionsEqualTheirDefinition() {
    for (long hash : EDGE_HASHES) {
      assertPositionsEqualTheirDefinition(hash);
    }
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 1000; i++) {
      assertPositionsEqualTheirDefinition(random.nextLong());
    }
  }

  private static void assertPositionsEqualTheirDefinition(long hash) {
    long firstState = BlockedIndexDerivation.firstState(hash);
    long secondState = BlockedIndexDerivation.secondState(hash);
    assertEquals(stateByDefinition(hash, 2), new BigInteger(Long.toUnsignedString(firstState)));
    assertEquals(stateByDefinition(hash, 3), new BigInteger(Long.toUnsignedString(secondState)));
    for (long state : new long[] {firstState, secondState}) {
      for (int count = 1; count <= 8; count++) {
        assertEquals(
            masksByDefinition(state, count, 6, 1), BlockedIndexDerivation.bits(state, count));
        assertEquals(
            masksByDefinition(state, count, 4, 4), BlockedIndexDerivation.counters(state, count));
        assertEquals(
            masksByDefinition(state, count, 4, 1),
            BlockedIndexDerivation.counterBits(state, count));
      }
    }
  }

  /** From the top, a window of bits for each position, which is some bits wide. */
  private static long masksByDefinition(long state, int count, int window, int width) {
    String digits = Long.toBinaryString(state);
    String bits = "0".repeat(64 - digits.length()) + digits;
    BigInteger mask = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      int position = Integer.parseInt(bits.substring(i * window, (i + 1) * window), 2);
      mask = mask.setBit(position * width);
    }
    return mask.longValue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, (1L << 61) + 1, (1L << 62) - 1})
  void theFirstWordIsRightForAnyNumberOfWords(long words) {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 1000; i++) {
      long hash = i < EDGE_HASHES.length ? EDGE_HASHES[i] : random.nextLong();
      assertEquals(
          firstWordByDefinition(hash, words), BlockedIndexDerivation.firstWord(hash, words));
    }
  }

  @Property(tries = 2000, seed = "16")
  void bothWordsLieInOneBlockOfTheFilterAndDiffer(
      @ForAll long hash, @ForAll @LongRange(min = 1, max = 1L << 31) long blocks) {
    long first = BlockedIndexDerivation.firstWord(hash, 8 * blocks);
    long second = BlockedIndexDerivation.secondWord(hash, 8 * blocks);
    assertTrue(first >= 0 && first < 8 * blocks);
    assertEquals(first / 8, second / 8);
    assertNotEquals(first, second);
  }

  @Property(tries = 500, seed = "17")
  void theLowestBitOfAHashIsIgnored(@ForAll long hash) {
    assertEquals(
        BlockedIndexDerivation.firstWord(hash & -2, 1L << 34),
        BlockedIndexDerivation.firstWord(hash | 1, 1L << 34));
    assertEquals(
        BlockedIndexDerivation.secondWord(hash & -2, 1L << 34),
        BlockedIndexDerivation.secondWord(hash | 1, 1L << 34));
    assertEquals(
        BlockedIndexDerivation.firstState(hash & -2), BlockedIndexDerivation.firstState(hash | 1));
  }

  @Property(tries = 500, seed = "18")
  void countersAreCounterBitsSpreadOut(
      @ForAll long state, @ForAll @IntRange(min = 1, max = 8) int count) {
    long counters = BlockedIndexDerivation.counters(state, count);
    long bits = BlockedIndexDerivation.counterBits(state, count);
    for (int i = 0; i < 16; i++) {
      assertEquals((bits >>> i) & 1, (counters >>> (4 * i)) & 1);
    }
    assertEquals(0, bits >>> 16);
    assertEquals(0, counters & ~0x1111111111111111L);
  }

  /** Computed by a few lines in another language. They stand in files: never to be changed. */
  @ParameterizedTest
  @CsvSource({
    "0, 8000, 0, 7, 40000024, 20006040b20000",
    "1, 8000, 0, 7, 40000024, 20006040b20000",
    "8000000000000000, 8000, 4000, 4004, 2040000004, 20006040920000",
    "ffffffffffffffff, 8000, 7999, 7998, 2400000200000000, 4d0206000400",
    "123456789abcdef, 8000, 35, 38, 201040000, 10201000c8100",
    "0, 17179869184, 0, 7, 40000024, 20006040b20000",
    "1, 17179869184, 0, 7, 40000024, 20006040b20000",
    "8000000000000000, 17179869184, 8589934592, 8589934596, 2040000004, 20006040920000",
    "ffffffffffffffff, 17179869184, 17179869183, 17179869182, 2400000200000000, 4d0206000400",
    "123456789abcdef, 17179869184, 76354974, 76354971, 201040000, 10201000c8100",
  })
  void placesAreThoseOfEveryRelease(
      String hash, long words, long first, long second, String firstBits, String secondBits) {
    long h = Long.parseUnsignedLong(hash, 16);
    assertEquals(first, BlockedIndexDerivation.firstWord(h, words));
    assertEquals(second, BlockedIndexDerivation.secondWord(h, words));
    assertEquals(
        firstBits,
        Long.toHexString(BlockedIndexDerivation.bits(BlockedIndexDerivation.firstState(h), 3)));
    assertEquals(
        secondBits,
        Long.toHexString(BlockedIndexDerivation.bits(BlockedIndexDerivation.secondState(h), 8)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 10010, 1010110000",
    "1, 10010, 1010110000",
    "8000000000000000, 1000010000, 10001010110000",
    "ffffffffffffffff, 100100000000000, 110101000000",
    "123456789abcdef, 100100000, 11100010100",
  })
  void countersAreThoseOfEveryRelease(String hash, String first, String second) {
    long h = Long.parseUnsignedLong(hash, 16);
    assertEquals(
        first,
        Long.toHexString(BlockedIndexDerivation.counters(BlockedIndexDerivation.firstState(h), 2)));
    assertEquals(
        second,
        Long.toHexString(
            BlockedIndexDerivation.counters(BlockedIndexDerivation.secondState(h), 8)));
  }
}
