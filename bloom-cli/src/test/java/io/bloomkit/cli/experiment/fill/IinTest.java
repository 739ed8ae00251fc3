package io.bloomkit.cli.experiment.fill;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

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
  }

  @Test
  void firstDigitsTellDateCenturyAndSex() {
    assertEquals(1231_1, Iin.prefix(LocalDate.of(1800, 12, 31), false));
    assertEquals(850101_4, Iin.prefix(LocalDate.of(1985, 1, 1), true));
    assertEquals(101_5, Iin.prefix(LocalDate.of(2000, 1, 1), false));
    assertEquals(251231_6, Iin.prefix(LocalDate.of(2025, 12, 31), true));
  }

  @Test
  void textHasTwelveDigits() {
    byte[] text = "################".getBytes(US_ASCII);
    Iin.write(1_020_003_004L, text, 2);
    assertEquals("##001020003004##", new String(text, US_ASCII));
  }
}
