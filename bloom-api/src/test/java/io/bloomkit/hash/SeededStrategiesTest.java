package io.bloomkit.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A seed mixes the bits of a strategy anew, one to one. */
class SeededStrategiesTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @Property(tries = 500, seed = "21")
  void anotherSeedGivesAnotherHash(@ForAll long number, @ForAll long seed) {
    long hash = HashStrategies.seeded(LONGS, seed).hashLong(number);
    assertNotEquals(hash, HashStrategies.seeded(LONGS, seed + 1).hashLong(number));
    assertNotEquals(hash, LONGS.hashLong(number));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, 42})
  void unboxedEqualsBoxedAndPartsEqualArrays(long seed) {
    LongHashStrategy longs = HashStrategies.seeded(LONGS, seed);
    HashStrategy<Long> boxed = HashStrategies.seeded((HashStrategy<Long>) LONGS, seed);
    assertEquals(StrategyIdentity.of(longs), StrategyIdentity.of(boxed));
    for (long number = -10; number < 10; number++) {
      assertEquals(longs.hashLong(number), longs.hash(number));
      assertEquals(longs.hashLong(number), boxed.hash(number));
    }
    BytesHashStrategy bytes = HashStrategies.seeded(HashStrategies.bytes(), seed);
    assertEquals(bytes.hash("oom".getBytes(UTF_8)), bytes.hashBytes("bloom".getBytes(UTF_8), 2, 3));
    assertEquals(
        HashStrategies.seeded(HashStrategies.utf8(), seed).hash("text"),
        bytes.hash("text".getBytes(UTF_8)));
  }

  @Test
  @Tag("deep")
  void theMixingIsOneToOneOnASample() {
    // A random function of 64 bits would collide here with probability 3e-8.
    LongHashStrategy identity = LongHashStrategy.of("identity", number -> number);
    Set<Long> hashes = new HashSet<>();
    for (long number = 0; number < 1_000_000; number++) {
      hashes.add(HashStrategies.seeded(identity, 5).hashLong(number));
    }
    assertEquals(1_000_000, hashes.size());
  }

  @Test
  void equalHashesStayEqualUnderEverySeed() {
    HashStrategy<String> lengths = HashStrategy.of("length", String::length);
    assertEquals(
        HashStrategies.seeded(lengths, 9).hash("abc"),
        HashStrategies.seeded(lengths, 9).hash("xyz"));
  }

  @Test
  void theSeedIsPartOfTheId() {
    assertEquals("seeded(longs(rrmxmx),0x2a)", HashStrategies.seeded(LONGS, 42).id());
    assertEquals(
        "seeded(utf8(md5),0xffffffffffffffff)",
        HashStrategies.seeded(HashStrategies.utf8(HashStrategies.md5()), -1).id());
    assertEquals(
        "seeded(seeded(xxh3,0x1),0x2)",
        HashStrategies.seeded(HashStrategies.seeded(HashStrategies.bytes(), 1), 2).id());
    assertNotEquals(
        HashStrategies.seeded(LONGS, 1).fingerprint(),
        HashStrategies.seeded(LONGS, 2).fingerprint());
  }

  /** Two seeds give unrelated positions: half of the bits differ. */
  @Test
  void halfOfAllBitsDifferBetweenSeeds() {
    long differing = 0;
    int numbers = 10_000;
    for (long number = 0; number < numbers; number++) {
      differing +=
          Long.bitCount(
              HashStrategies.seeded(LONGS, 1).hashLong(number)
                  ^ HashStrategies.seeded(LONGS, 2).hashLong(number));
    }
    // Binomial(640000, 1/2): standard deviation 400; six of them are passed with 2e-9.
    assertEquals(32.0 * numbers, (double) differing, 6.0 * 400);
  }

  @Test
  void theFingerprintDependsOnTheStrategyWithin() {
    BytesHashStrategy one = HashStrategies.sipHash24(new byte[16]);
    BytesHashStrategy other = HashStrategies.sipHash24("0123456789abcdef".getBytes(UTF_8));
    assertEquals(HashStrategies.seeded(one, 1).id(), HashStrategies.seeded(other, 1).id());
    assertNotEquals(
        HashStrategies.seeded(one, 1).fingerprint(), HashStrategies.seeded(other, 1).fingerprint());
  }
}
