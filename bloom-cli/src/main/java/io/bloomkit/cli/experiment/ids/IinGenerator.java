package io.bloomkit.cli.experiment.ids;

import java.time.LocalDate;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Makes distinct valid {@linkplain Iin IINs} of people born from 1920 to 2025, in an order that
 * follows from a seed and looks random.
 *
 * <p>It scrambles a counter by steps that are one to one on thirty bits, and leaves out what is no
 * number. So no number comes twice, nothing is remembered, and the last of the space is made as
 * quickly as the first.
 */
final class IinGenerator {

  private static final LocalDate FIRST_BIRTH = LocalDate.of(1920, 1, 1);
  private static final LocalDate LAST_BIRTH = LocalDate.of(2025, 12, 31);

  private static final int SERIALS = 10_000;

  private static final int[] PREFIXES = prefixes();

  /** How many numbers the generator can make. */
  static final int SPACE = issued(PREFIXES);

  /** Days, sexes and serials are 774,340,000, just below two to this power. */
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
    throw new IllegalStateException("there are no more than " + SPACE + " numbers");
  }

  /** Additions, odd multipliers and shifts to the right that are xored in can all be undone. */
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
   * Returns how many numbers begin with seven given digits. Whether a number is issued depends on
   * its serial and on what the first digits add to the two check sums, one of 121 pairs: so the
   * serials are tried once a pair.
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
