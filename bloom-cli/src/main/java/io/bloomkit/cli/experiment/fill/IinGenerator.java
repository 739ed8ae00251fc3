package io.bloomkit.cli.experiment.fill;

import java.time.LocalDate;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Generates distinct valid {@linkplain Iin IINs} of people born from 1920 to 2025, in a
 * pseudorandom order that depends on a seed.
 *
 * <p>It scrambles a counter by bijections on 30 bits and skips results that are not valid numbers.
 * Therefore, no number is generated twice, no numbers are stored, and the last numbers of the space
 * are generated as quickly as the first ones.
 */
final class IinGenerator {

  private static final LocalDate FIRST_BIRTH = LocalDate.of(1920, 1, 1);
  private static final LocalDate LAST_BIRTH = LocalDate.of(2025, 12, 31);

  private static final int SERIALS = 10_000;

  private static final int[] PREFIXES = prefixes();

  /** The number of distinct values that the generator can return. */
  static final int SPACE = issued(PREFIXES);

  /**
   * The number of bits of the counter: there are 774,340,000 combinations of day, sex and serial
   * number, just below 2<sup>30</sup>.
   */
  private static final int BITS = 30;

  private static final int MASK = (1 << BITS) - 1;

  private final int[] keys;
  private int counter;

  IinGenerator(long seed) {
    this.keys = new SplittableRandom(seed).ints(3).toArray();
  }

  /**
   * Returns the next number.
   *
   * @throws IllegalStateException if all {@link #SPACE} were returned
   */
  long next() {
    while (counter <= MASK) {
      int candidate = scramble(counter++);
      int prefix = candidate / SERIALS;
      if (prefix < PREFIXES.length) {
        long elevenDigits = (long) PREFIXES[prefix] * SERIALS + candidate % SERIALS;
        int checkDigit = Iin.checkDigit(elevenDigits);
        if (checkDigit != Iin.NOT_ISSUED) {
          return elevenDigits * 10 + checkDigit;
        }
      }
    }
    throw new IllegalStateException("all " + SPACE + " numbers were returned");
  }

  /**
   * Permutes the numbers of 30 bits. Additions, odd multipliers and xorshifts to the right are
   * invertible.
   */
  private int scramble(int number) {
    int x = number;
    for (int key : keys) {
      x = (x + key) * 0x2c1b3c6d & MASK;
      x ^= x >>> 12;
      x = x * 0x297a2d39 & MASK;
      x ^= x >>> 15;
    }
    return x;
  }

  private static int[] prefixes() {
    return FIRST_BIRTH
        .datesUntil(LAST_BIRTH.plusDays(1))
        .flatMapToInt(day -> IntStream.of(Iin.prefix(day, false), Iin.prefix(day, true)))
        .toArray();
  }

  /**
   * Returns the number of valid numbers with given first seven digits. The validity depends on the
   * serial number and on the contributions of the first digits to the two check sums. There are 121
   * pairs of such contributions, so the serial numbers are tried once per pair.
   */
  static int issued(int... prefixes) {
    int[] issuedByResidues = new int[Iin.MODULUS * Iin.MODULUS];
    int count = 0;
    for (int prefix : prefixes) {
      long first = (long) prefix * SERIALS;
      int residues = Iin.residue(first) * Iin.MODULUS + Iin.secondResidue(first);
      if (issuedByResidues[residues] == 0) {
        issuedByResidues[residues] = issuedSerials(first);
      }
      count += issuedByResidues[residues];
    }
    return count;
  }

  private static int issuedSerials(long first) {
    int issued = 0;
    for (int serial = 0; serial < SERIALS; serial++) {
      issued += Iin.checkDigit(first + serial) == Iin.NOT_ISSUED ? 0 : 1;
    }
    return issued;
  }
}
