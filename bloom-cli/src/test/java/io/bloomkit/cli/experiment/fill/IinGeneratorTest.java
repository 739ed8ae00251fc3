package io.bloomkit.cli.experiment.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.time.LocalDate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IinGeneratorTest {

  private static final int SOME = 300_000;

  @Test
  void numbersAreDistinctAndValid() {
    IinGenerator generator = new IinGenerator(1);
    LongOpenHashSet numbers = new LongOpenHashSet();
    for (int i = 0; i < SOME; i++) {
      long number = generator.next();
      assertTrue(isValid(number), () -> IdsCommand.TEXTS.text(number));
      assertTrue(numbers.add(number), () -> IdsCommand.TEXTS.text(number));
    }
  }

  @Test
  void numbersFollowFromTheSeed() {
    assertEquals(sumOfSome(new IinGenerator(7)), sumOfSome(new IinGenerator(7)));
    assertNotEquals(sumOfSome(new IinGenerator(7)), sumOfSome(new IinGenerator(8)));
  }

  private static long sumOfSome(IinGenerator generator) {
    return LongStream.generate(generator::next).limit(100).sum();
  }

  @Test
  void numbersSpreadOverYearsAndSexes() {
    IinGenerator generator = new IinGenerator(1);
    long women = 0;
    long bornFrom2000On = 0;
    for (int i = 0; i < SOME; i++) {
      int centuryAndSex = (int) (generator.next() / 100_000 % 10);
      women += centuryAndSex % 2 == 0 ? 1 : 0;
      bornFrom2000On += centuryAndSex > 4 ? 1 : 0;
    }
    // Fixed seed; the tolerance is five standard deviations of independent draws.
    assertEquals(0.5, (double) women / SOME, 5 * 0.5 / Math.sqrt(SOME));
    assertEquals(26.0 / 106, (double) bornFrom2000On / SOME, 5 * 0.43 / Math.sqrt(SOME));
  }

  /** Whether the check digit is right; throws if there is no such date. */
  private static boolean isValid(long number) {
    int yearMonthDay = (int) (number / 1_000_000);
    long centuryAndSex = number / 100_000 % 10;
    assertTrue(centuryAndSex >= 1 && centuryAndSex <= 6, () -> number + " has no century");
    int century = 1800 + ((int) (number / 100_000 % 10) - 1) / 2 * 100;
    LocalDate.of(century + yearMonthDay / 10_000, yearMonthDay / 100 % 100, yearMonthDay % 100);
    return Iin.checkDigit(number / 10) == number % 10;
  }

  @Test
  void issuedNumbersOfADayAreCountedAsTryingAllDoes() {
    int prefix = Iin.prefix(LocalDate.of(1985, 1, 1), false);
    int issued = 0;
    for (long number = prefix * 100_000L; number < (prefix + 1) * 100_000L; number++) {
      issued += isValid(number) ? 1 : 0;
    }
    assertEquals(issued, IinGenerator.issued(prefix));
    assertEquals(3 * issued, IinGenerator.issued(prefix, prefix, prefix));
  }

  @Test
  void spaceLacksTheNumbersThatAreNotIssued() {
    // 38,717 days, 2 sexes, 10,000 serials; about one in 121 gives ten twice
    assertEquals(774_340_000 * 120.0 / 121, IinGenerator.SPACE, 100_000);
  }
}
