package io.bloomkit.cli.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

/** Fields are told by bytes alone: quotes have no meaning, and a separator is never escaped. */
class FieldsTest {

  private static final String NONE = "no such field";

  /** Looks for fields of a line in the middle of others. */
  private static String find(String separator, String line, Integer... numbers) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    byte[] around = (",;::\t," + line + ",;::\t,").getBytes(StandardCharsets.UTF_8);
    Fields fields = new Fields(FieldSeparator.of(separator, (byte) '\n'), List.of(numbers), true);
    return fields.find(around, 6, 6 + bytes.length) ? text(fields) : NONE;
  }

  private static String text(Fields fields) {
    int length = fields.end() - fields.start();
    return new String(fields.bytes(), fields.start(), length, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      nullValues = NONE,
      value = {
        ",|a,b,c|1|a",
        ",|a,b,c|2147483647|no such field",
        ",|''|1|''",
        ",|,|2|''",
        ", |a, b,c|2|b,c",
        "::|a:::b|2|:b",
        "::|a:|2|no such field",
        "→|1→2→3|3|3",
        "aab|1aaab2|2|2",
        ",|\"a,b\",c|2|b\"",
        ",|a\\,b|1|a\\",
      })
  void fieldIsWhatStandsBetweenSeparators(String separator, String line, int number, String field) {
    assertEquals(field == null ? NONE : field, find(separator, line, number));
  }

  @Test
  void aCarriageReturnAtTheEndBelongsToNoField() {
    assertEquals("b", find(",", "a,b\r", 2));
    assertEquals("", find(",", "a,\r", 2));
    assertEquals("", find(",", "\r", 1));
    assertEquals(NONE, find(",", "\r", 2));
    assertEquals("a\r", find(",", "a\r,b\r", 1));
    assertEquals("b\r", find(",", "a,b\r\r", 2));
    assertEquals("", find("\r", "a\r\r", 2));
  }

  @Test
  void fieldsAreThoseOfASplitLine() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      String separator = randomText(random, 1 + random.nextInt(3));
      String line = randomText(random, random.nextInt(12));
      String[] split = line.split(Pattern.quote(separator), -1);
      for (int number = 1; number <= split.length + 1; number++) {
        String expected = number > split.length ? NONE : split[number - 1];
        assertEquals(expected, find(separator, line, number), line + " by " + separator);
      }
    }
  }

  private static String randomText(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("ab,é".charAt(random.nextInt(4)));
    }
    return text.toString();
  }

  @Test
  void blanksSeparateIfTheFirstLineHasNoTab() {
    for (String line : List.of("a b c", "  a  b  c ", "a  b c\r")) {
      assertEquals("a", findByFirstLine("one", line, 1));
      assertEquals("b", findByFirstLine("one two", line, 2));
      assertEquals("c a", findByFirstLine("one", line, 3, 1));
      assertEquals(NONE, findByFirstLine("one", line, 4));
    }
    assertEquals(NONE, findByFirstLine("one", "  ", 1));
    assertEquals(NONE, findByFirstLine("one", "", 1));
    assertEquals("a b", findByFirstLine("1\t2", "a b\tc", 1));
    assertEquals("", findByFirstLine("\t", "", 1));
    assertEquals("a\tc", findByFirstLine("\t", "a\tb\tc", 1, 3));
  }

  /** Looks for fields of a line after another line decided what separates them. */
  private static String findByFirstLine(String firstLine, String line, Integer... numbers) {
    Fields fields = new Fields(FieldSeparator.ofFirstLine(), List.of(numbers), true);
    byte[] first = firstLine.getBytes(StandardCharsets.UTF_8);
    fields.find(first, 0, first.length);
    assertEquals(
        firstLine.contains("\t")
            ? "tabs separate fields, see -t"
            : "blanks separate fields, see -t",
        fields.separatorNote());
    byte[] around = ("x " + line + " y").getBytes(StandardCharsets.UTF_8);
    return fields.find(around, 2, around.length - 2) ? text(fields) : NONE;
  }

  @Test
  void matchesOfARegularExpressionSeparate() {
    assertEquals("b", find("/[,;] */", "a, b;c", 2));
    assertEquals("c", find("/[,;] */", "a, b;c", 3));
    assertEquals("c\na", find("/[,;] */", "a,b;c", 3, 1));
    assertEquals(NONE, find("/[,;] */", "a, b;c", 4));
    assertEquals("", find("/,/", ",b", 1));
    assertEquals("a", find("/^-|,/", "-a,b-", 2));
    assertEquals("b-", find("/^-|,/", "-a,b-", 3));
    assertEquals("é", find("/,/", "è,é", 2));
    assertEquals("b", find("/(?=x)|,/", "axx,b", 2)); // empty matches separate nothing
    assertEquals("a/b", find("//", "c//a/b", 2)); // a text of two slashes
    assertEquals("b", find("/", "a/b", 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "''!--separator must have at least one character, got ''",
        "/[/!--separator /[/ is no regular expression: Unclosed character class",
        "/x*/!--separator /x*/ also matches an empty text; take + instead of *",
        "/é/!--separator /é/ has characters beyond ASCII, and a regular expression is matched with"
            + " bytes",
      })
  void separatorsThatCannotSeparateAreRefused(String separator, String message) {
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class, () -> FieldSeparator.of(separator, (byte) '\n'))
            .getMessage());
  }

  @Test
  void bytesNeedNotBeText() {
    byte[] line = {(byte) 0xff, ',', (byte) 0x80, 0, ',', (byte) 0xc3};
    Fields second = new Fields(FieldSeparator.of(",", (byte) '\n'), List.of(2), true);
    assertTrue(second.find(line, 0, line.length));
    assertEquals(2, second.start());
    assertEquals(4, second.end());
    Fields both = new Fields(FieldSeparator.of(",", (byte) '\n'), List.of(3, 1), true);
    assertTrue(both.find(line, 0, line.length));
    assertArrayEquals(
        new byte[] {(byte) 0xc3, ',', (byte) 0xff},
        Arrays.copyOfRange(both.bytes(), both.start(), both.end()));
  }

  @Test
  void severalAreJoinedByTheSeparatorInTheOrderOfTheList() {
    assertEquals("a,c", find(",", "a,b,c", 1, 3));
    assertEquals("c,a", find(",", "a,b,c", 3, 1));
    assertEquals("a,b,c", find(",", "a,b,c\r", 1, 2, 3));
    assertEquals("\n", find("::", "::::x", 1, 2)); // :: overlaps itself
    assertEquals(NONE, find(",", "a,b,c", 1, 4));
    assertEquals(NONE, find(",", "a,b,c", 4, 1));
  }

  @Test
  void noneIsTheWholeLine() {
    assertEquals("a,b\r", find(",", "a,b\r"));
    assertEquals("", find(",", ""));
  }

  @Test
  void aLineMayLackAFieldThatTheOneBeforeHadAndElementsGrow() {
    Fields fields = new Fields(FieldSeparator.of(",", (byte) '\n'), List.of(2, 1), true);
    String longText = "x".repeat(10_000);
    for (String first : List.of("a", longText, "b")) {
      byte[] line = (first + ",1").getBytes(StandardCharsets.UTF_8);
      assertTrue(fields.find(line, 0, line.length));
      assertEquals("1," + first, text(fields));
      assertFalse(fields.find(line, 0, first.length()));
      assertEquals(2, fields.missing());
    }
  }

  private static List<Integer> numbers(String list) {
    return new FieldList.Converter().convert(list).numbers();
  }

  @Test
  void rangesAreThoseOfCut() {
    assertEquals(List.of(1, 2, 3), numbers("1-3"));
    assertEquals(List.of(5, 2, 3, 4), numbers("5,2-4"));
    assertEquals(List.of(1, 2), numbers("-2"));
    assertEquals(List.of(7), numbers("7-7"));
    assertEquals("b,c,d,a", find(",", "a,b,c,d", numbers("2-4,1").toArray(Integer[]::new)));
    for (String wrong :
        List.of("", "0", "3-1", "2-", "-", "1-3,2", "0-3", "1-100000", "1--3", "a-b")) {
      String refusal =
          String.valueOf(
              assertThrows(TypeConversionException.class, () -> numbers(wrong)).getMessage());
      assertTrue(
          refusal.startsWith(
              "must list fields from 1 to 65536, each once, such as 1,3 or 1-3, got '"),
          refusal);
    }
  }
}
