package io.bloomkit.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.testkit.stat.Interval;
import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void percentagesHaveFourDigits() {
    assertEquals("0 %", Figures.percent(0));
    assertEquals("100.0 %", Figures.percent(1));
    assertEquals("0.1803 %", Figures.percent(0.00180278));
    assertEquals("0.0002500 %", Figures.percent(2.5e-6));
    assertEquals("1.000e-10 %", Figures.percent(1e-12));
    assertEquals("1.235e-10 %", Figures.percent(1.23456e-12));
    assertEquals("0.9924 to 1.013 %", Figures.percent(new Interval(0.0099241, 0.010131)));
  }

  @Test
  void terminalControlCharactersAreEscaped() {
    assertEquals("plain, ü, 漢, 😀", Figures.printable("plain, ü, 漢, 😀"));
    assertEquals(
        "\\u001b[2J\\u0007\\u000a\\u007f\\u009b\\u202e\\u200b\\u2028\\ud800",
        Figures.printable(
            "\033[2J\007\n"
                + (char) 0x7f
                + (char) 0x9b
                + (char) 0x202e
                + (char) 0x200b
                + (char) 0x2028
                + (char) 0xd800));
    TextTable table = new TextTable("name");
    table.row("a\033b");
    assertEquals("name    \na\\u001bb\n", table.toString());
  }

  @Test
  void tableIsAlignedToItsWidestCells() {
    TextTable table = new TextTable("filter", "m");
    table.row("a", "1,000");
    table.row("longer name", "7");
    table.row("unknown");
    assertEquals(
        """
        filter           m
        a            1,000
        longer name      7
        unknown          -
        """,
        table.toString());
  }

  @Test
  void otherFiguresHaveFourDigitsAndAnExponentIfTheyAreVerySmallOrLarge() {
    assertEquals("0", Figures.fourDigits(0));
    assertEquals("1", Figures.fourDigits(1));
    assertEquals("0.01236", Figures.fourDigits(0.0123556));
    assertEquals("0.001", Figures.fourDigits(0.001));
    assertEquals("9.9e-04", Figures.fourDigits(0.00099));
    assertEquals("5.0e-08", Figures.fourDigits(5e-8));
    assertEquals("262100", Figures.fourDigits(262_144));
    assertEquals("-343.8", Figures.fourDigits(-343.82));
    assertEquals("6.7e+07", Figures.fourDigits(66_846_720));
    assertEquals("-", Figures.fourDigits(Double.NaN));
  }
}
