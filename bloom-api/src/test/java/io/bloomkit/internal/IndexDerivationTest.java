package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The index derivation against its definition in whole numbers of any size. */
class IndexDerivationTest {

  private static final int MAX_HASHES = 64;
  private static final long[] EDGE_HASHES = {0, 1, 2, Long.MIN_VALUE, Long.MAX_VALUE, -1, -2};

  /** Written down again here, from the definition of the file format. */
  private static final BigInteger MULTIPLIER = new BigInteger("f1357aea2e62a9c5", 16);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 96, 1000, 1L << 28, (1L << 32) + 1, (1L << 37) - 1, 1L << 37})
  void equalsItsDefinition(long m) {
    SplittableRandom random = new SplittableRandom(1);
    for (long hash : EDGE_HASHES) {
      assertArrayEquals(byDefinition(hash, m), positions(hash, m, MAX_HASHES));
    }
    for (int i = 0; i < 200; i++) {
      long hash = random.nextLong();
      assertArrayEquals(byDefinition(hash, m), positions(hash, m, MAX_HASHES));
    }
  }

  private static long[] byDefinition(long hash, long m) {
    BigInteger twoTo64 = BigInteger.ONE.shiftLeft(64);
    BigInteger state = BigInteger.valueOf(hash).mod(twoTo64).setBit(0);
    long[] positions = new long[MAX_HASHES];
    for (int i = 0; i < MAX_HASHES; i++) {
      positions[i] =
          state.shiftRight(1).multiply(BigInteger.valueOf(m)).shiftRight(63).longValueExact();
      state = state.multiply(MULTIPLIER).mod(twoTo64);
    }
    return positions;
  }

  @Test
  void aLeapIsAsManySteps() {
    long state = IndexDerivation.start(0x5eedL);
    long stepped = state;
    for (int i = 0; i < 64; i++) {
      assertEquals(stepped, state * IndexDerivation.jumpFactor(i), "factor of " + i);
      stepped = IndexDerivation.next(stepped);
    }
  }

  static long[] positions(long hash, long m, int k) {
    long[] positions = new long[k];
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < k; i++) {
      positions[i] = IndexDerivation.position(state, m);
      state = IndexDerivation.next(state);
    }
    return positions;
  }

  /** Computed by a few lines in another language. They stand in files: never to be changed. */
  @ParameterizedTest
  @CsvSource({
    "0, 1000, 0 942 78 341 957 227 472 898",
    "1, 1000, 0 942 78 341 957 227 472 898",
    "8000000000000000, 1000, 500 442 578 841 457 727 972 398",
    "ffffffffffffffff, 1000, 999 57 921 658 42 772 527 101",
    "0123456789abcdef, 1000, 4 679 520 510 102 476 694 130",
    "0, 137438953472, 0 129498045765 10820740518 46884647740"
        + " 131656152989 31241453409 64907187879 123553564972",
    "1, 137438953472, 0 129498045765 10820740518 46884647740"
        + " 131656152989 31241453409 64907187879 123553564972",
    "8000000000000000, 137438953472, 68719476736 60778569029 79540217254 115604124476"
        + " 62936676253 99960930145 133626664615 54834088236",
    "ffffffffffffffff, 137438953472, 137438953471 7940907706 126618212953 90554305731"
        + " 5782800482 106197500062 72531765592 13885388499",
    "0123456789abcdef, 137438953472, 610839793 93412325732 71483996476 70116772126"
        + " 14134939162 65492978625 95403934037 17926992869",
  })
  void positionsAreThoseOfEveryRelease(String hash, long m, String positions) {
    long[] expected = Arrays.stream(positions.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    assertArrayEquals(expected, positions(Long.parseUnsignedLong(hash, 16), m, expected.length));
  }

  @Property(tries = 2000, seed = "12")
  void everyPositionLiesInTheFilter(
      @ForAll long hash, @ForAll @LongRange(min = 1, max = 1L << 37) long m) {
    for (long position : positions(hash, m, MAX_HASHES)) {
      assertTrue(position >= 0 && position < m);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, Long.MIN_VALUE, -1})
  void aHashOfFewBitsMovesAllTheSame(long hash) {
    for (long m : new long[] {64, 1000, 1L << 37}) {
      long distinct = Arrays.stream(positions(hash, m, 23)).distinct().count();
      assertTrue(distinct >= 15, () -> "only " + distinct + " of 23 positions differ");
    }
  }

  @Property(tries = 200, seed = "13")
  void theLowestBitOfAHashIsIgnored(@ForAll long hash) {
    assertArrayEquals(positions(hash & -2, 1L << 37, 8), positions(hash | 1, 1L << 37, 8));
  }

  @Test
  void positionsBeyond32BitsAreReachedInProportion() {
    SplittableRandom random = new SplittableRandom(2);
    int hashes = 100_000;
    int[] inPartOf2To32 = new int[32];
    for (int i = 0; i < hashes; i++) {
      for (long position : positions(random.nextLong(), 1L << 37, 8)) {
        inPartOf2To32[(int) (position >>> 32)]++;
      }
    }
    // Binomial(800000, 1/32): seven standard deviations of 156; any of 32 fails by chance at 1e-10.
    for (int part : inPartOf2To32) {
      assertEquals(25_000, part, 7 * 156);
    }
  }

  @Property(tries = 300, seed = "14")
  void aPositionIsAmongTheFirstAsOftenAsTheyAreIt(
      @ForAll long hash, @ForAll @LongRange(min = 1, max = 20) long m) {
    for (int count = 0; count <= 8; count++) {
      long[] first = positions(hash, m, count);
      for (long p = 0; p < m; p++) {
        long position = p;
        assertEquals(
            Arrays.stream(first).filter(one -> one == position).count(),
            IndexDerivation.timesAmongFirst(position, hash, count, m));
      }
    }
  }
}
