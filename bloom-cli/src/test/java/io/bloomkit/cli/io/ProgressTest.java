package io.bloomkit.cli.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  @Test
  void logHasALineAPhase() {
    StringWriter log = new StringWriter();
    try (Progress progress = new LineProgress(new PrintWriter(log))) {
      progress.phase("first", 1000);
      progress.advance(500);
      progress.advance(500);
      progress.phase("second", 1);
    }
    assertEquals("first (1,000)\nsecond (1)\n", log.toString().replace("\r\n", "\n"));
  }

  @Test
  void logOfALongPhaseHasPercentages() {
    StringWriter log = new StringWriter();
    AtomicLong nanos = new AtomicLong();
    Progress progress = new LineProgress(new PrintWriter(log), nanos::get);
    progress.phase("first", 1000);
    for (int i = 0; i < 10; i++) {
      nanos.addAndGet(4_000_000_000L);
      progress.advance(99);
    }
    progress.phase("second", 100);
    nanos.addAndGet(4_000_000_000L);
    progress.advance(50);
    assertEquals(
        "first (1,000)\nfirst: 29 %\nfirst: 59 %\nfirst: 89 %\nsecond (100)\n",
        log.toString().replace("\r\n", "\n"));
  }

  @Test
  void logOfAStreamHasOneLineForEachChange() {
    StringWriter log = new StringWriter();
    AtomicLong nanos = new AtomicLong();
    StreamProgress progress =
        new StreamProgress(new PrintWriter(log), true, InputSource.UNKNOWN, nanos::get);
    for (int lines : new int[] {0, 0, 0, 1, 1, 2}) {
      nanos.addAndGet(10_000_000_000L);
      progress.advanced(lines, lines / 2, 1000);
    }
    assertEquals(
        "0 lines, 0 repeats\n1 line, 0 repeats\n2 lines, 1 repeat\n",
        log.toString().replace("\r\n", "\n"));
  }

  @Test
  void barOfAPhaseEndsAtOneHundredPercentWithinTheWidth() {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    try (Progress progress =
        new BarProgress(new PrintStream(screen, true, StandardCharsets.UTF_8))) {
      progress.phase("first", 1000);
      progress.advance(1000);
      progress.phase("second", 10);
      progress.advance(10);
    }
    String text = screen.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("first 100% ["), text);
    assertTrue(text.contains("second 100% ["), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 79), text);
  }
}
