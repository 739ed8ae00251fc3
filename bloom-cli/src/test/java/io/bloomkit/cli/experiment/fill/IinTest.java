package io.bloomkit.cli.experiment.fill;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IinTest {

  @Test
  void checkDigitIsTheWeightedSumModulo11() {
    // 8·1 + 5·2 + 1·4 + 1·6 + 3·7 + 1·11 = 60 = 5·11 + 5
    assertEquals(5, Iin.checkDigit(85010130001L));
  }

  @Test
  void secondWeightsDecideWhereTheFirstGiveTen() {
    // 8·1 + 5·2 + 1·4 + 1·6 + 3·7 + 6·10 = 109 = 9·11 + 10
    // 8·3 + 5·4 + 1·6 + 1·8 + 3·9 + 6·1 = 91 = 8·11 + 3
    assertEquals(3, Iin.checkDigit(85010130060L));
  }

  @Test
  void numberThatGivesTenTwiceIsNotIssued() {
    // 109 + 9·11 = 208 = 18·11 + 10, and 91 + 9·2 = 109 = 9·11 + 10
    assertEquals(Iin.NOT_ISSUED, Iin.checkDigit(85010130069L));
    for (int last = 0; last <= 9; last++) {
      assertFalse(Iin.isValid(850101300690L + last));
    }
  }

  @Test
  void firstDigitsTellDateCenturyAndSex() {
    assertEquals(1231_1, Iin.prefix(LocalDate.of(1800, 12, 31), false));
    assertEquals(850101_4, Iin.prefix(LocalDate.of(1985, 1, 1), true));
    assertEquals(101_5, Iin.prefix(LocalDate.of(2000, 1, 1), false));
    assertEquals(251231_6, Iin.prefix(LocalDate.of(2025, 12, 31), true));
  }

  @ParameterizedTest
  @ValueSource(longs = {850101300015L, 850101300603L})
  void numbersByTheRuleAreValid(long number) {
    assertTrue(Iin.isValid(number));
  }

  @ParameterizedTest
  @ValueSource(longs = {850101300014L, 850101300604L, 850102300015L, -1, 1_850_101_300_015L})
  void numbersWithAnotherCheckDigitOrLengthAreNot(long number) {
    assertFalse(Iin.isValid(number));
  }

  @ParameterizedTest
  @ValueSource(longs = {8502293_0001L, 8513013_0001L, 8500013_0001L, 8501010_0001L, 8501017_0001L})
  void datesAndCenturiesThatDoNotExistAreNotValid(long elevenDigits) {
    assertFalse(isValidWithACheckDigit(elevenDigits));
  }

  @Test
  void leapDayIsOneOfItsCentury() {
    assertTrue(isValidWithACheckDigit(229_5_0001L)); // 29 February 2000
    assertFalse(isValidWithACheckDigit(229_3_0001L)); // 1900 was no leap year
  }

  private static boolean isValidWithACheckDigit(long elevenDigits) {
    assertNotEquals(Iin.NOT_ISSUED, Iin.checkDigit(elevenDigits));
    return Iin.isValid(elevenDigits * 10 + Iin.checkDigit(elevenDigits));
  }

  @Test
  void textHasTwelveDigits() {
    byte[] text = "################".getBytes(US_ASCII);
    Iin.write(1_020_003_004L, text, 2);
    assertEquals("##001020003004##", new String(text, US_ASCII));
  }
}
