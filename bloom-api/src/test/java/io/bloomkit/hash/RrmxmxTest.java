package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The mixer of numbers against its formula, computed in another language, and its inverse. */
class RrmxmxTest {

  private static final long FACTOR = 0x9fb21c651e98df25L;
  private static final long INVERSE = 0x02ab9c720d1024adL;

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 23085d6f7a569905",
    "-1, 8bc57fddf83265bd",
    "42, e2627122a3a672cb",
    "81985529216486895, c337a528d7e42497",
    "4294967297, 6816a6898a8b79c3",
    "-9223372036854775808, 5e2d59ded82568fc",
    "9223372036854775807, 91b750beb6849d8f",
  })
  void hashesAreThoseOfTheFormula(long number, String hash) {
    assertEquals(Long.parseUnsignedLong(hash, 16), HashStrategies.longs().hashLong(number));
    assertEquals(Long.parseUnsignedLong(hash, 16), HashStrategies.longs().hash(number));
  }

  /** What has an inverse is a bijection. */
  @Property(seed = "20")
  void everyStepCanBeUndone(@ForAll long number) {
    assertEquals(number, number * FACTOR * INVERSE);
    long bits = unshifted(HashStrategies.longs().hashLong(number)) * INVERSE;
    bits = unrotated(unshifted(bits) * INVERSE);
    assertEquals(number, bits);
  }

  private static long unshifted(long bits) {
    return bits ^ (bits >>> 28) ^ (bits >>> 56);
  }

  /**
   * The sum of three rotations is a polynomial of odd weight, whose 64th power modulo x^64 + 1 is
   * 1: 63 more applications undo one.
   */
  private static long unrotated(long bits) {
    long number = bits;
    for (int i = 0; i < Long.SIZE - 1; i++) {
      number ^= Long.rotateRight(number, 49) ^ Long.rotateRight(number, 24);
    }
    return number;
  }
}
