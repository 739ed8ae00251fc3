package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StreamClockTest {

  private static final long STEP = 1_000;
  private static final long BOUND = 10;
  private static final long YEAR = 1_000_000;

  private static StreamClock startedAt(long millis) {
    StreamClock clock = new StreamClock(STEP, BOUND);
    clock.restore(millis);
    return clock;
  }

  @Test
  void theLatestTimestampOrWatermarkIsTheTime() {
    StreamClock clock = startedAt(0);
    assertTrue(clock.observe(500));
    assertTrue(clock.observe(200));
    assertEquals(500, clock.latest());
    clock.advanceTo(700);
    assertEquals(700, clock.latest());
    assertEquals(700, clock.watermark());
    clock.advanceTo(600);
    assertEquals(700, clock.watermark());
  }

  @Test
  void oneTimestampMovesItByAStepAtMost() {
    StreamClock clock = startedAt(0);
    assertTrue(clock.observe(STEP));
    assertFalse(clock.observe(2 * STEP + 1));
    assertEquals(STEP, clock.latest());
  }

  @Test
  void itStartsAfterAHundredTimestamps() {
    StreamClock clock = new StreamClock(STEP, BOUND);
    assertFalse(clock.observe(YEAR), "a wrong one");
    for (int i = 1; i < StreamClock.RUN - 1; i++) {
      assertFalse(clock.observe(i));
    }
    assertFalse(clock.isKnown());
    assertTrue(clock.observe(StreamClock.RUN));
    assertEquals(StreamClock.RUN, clock.latest());
  }

  @Test
  void itStartsWithATimestampThatConfirmsTheWatermark() {
    StreamClock clock = new StreamClock(STEP, BOUND);
    assertFalse(clock.observe(100));
    clock.advanceTo(90);
    assertFalse(clock.isKnown());
    assertTrue(clock.observe(80), "not more than the bound behind");
    assertEquals(90, clock.latest());
    assertEquals(90, clock.watermark());
  }

  @Test
  void itFollowsAWatermarkAfterAGap() {
    StreamClock clock = startedAt(0);
    assertFalse(clock.observe(YEAR));
    clock.advanceTo(YEAR - BOUND);
    assertEquals(0, clock.latest());
    assertTrue(clock.observe(YEAR + 1));
    assertEquals(YEAR + 1, clock.latest());
  }

  @Test
  void itIgnoresAWatermarkThatATimestampRefutes() {
    StreamClock clock = startedAt(0);
    assertFalse(clock.observe(YEAR));
    clock.advanceTo(YEAR - BOUND);
    assertTrue(clock.observe(1));
    assertFalse(clock.observe(YEAR));
    clock.advanceTo(YEAR);
    assertFalse(clock.observe(YEAR));
    assertEquals(1, clock.latest());
    clock.advanceTo(2);
    assertEquals(2, clock.watermark(), "no longer too far ahead");
  }

  @Test
  void itFollowsAHundredInARow() {
    StreamClock clock = startedAt(0);
    clock.advanceTo(YEAR - BOUND);
    assertTrue(clock.observe(1), "refutes the watermark");
    for (int i = 1; i < StreamClock.RUN; i++) {
      assertFalse(clock.observe(YEAR + 50 - i % 50));
    }
    assertTrue(clock.observe(YEAR + 2));
    assertEquals(YEAR + 50, clock.latest());
    assertEquals(YEAR - BOUND, clock.watermark(), "the ignored one");
  }

  @Test
  void ofAHundredInARowItFollowsThoseThatAreAStepApart() {
    StreamClock clock = startedAt(0);
    assertFalse(clock.observe(2 * STEP));
    for (int i = 1; i < StreamClock.RUN - 1; i++) {
      assertFalse(clock.observe(YEAR + i * STEP));
    }
    assertFalse(clock.observe(3 * YEAR));
    assertEquals(YEAR + 98 * STEP, clock.latest());
  }

  @Test
  void oneTimestampInRangeEndsARow() {
    StreamClock clock = startedAt(0);
    for (int i = 0; i < 10 * StreamClock.RUN; i++) {
      assertEquals(i % 50 == 49, clock.observe(i % 50 == 49 ? i : YEAR));
    }
    assertTrue(clock.latest() <= 10 * StreamClock.RUN);
  }

  @Test
  void twoTicksInARowMoveItByMoreThanAStep() {
    StreamClock clock = startedAt(0);
    clock.tick(YEAR);
    assertTrue(clock.observe(1), "the clock was wrong");
    clock.tick(YEAR + 1);
    assertEquals(1, clock.latest());
    assertFalse(clock.observe(YEAR + 1), "records do not confirm a tick");
    clock.tick(YEAR + 1);
    assertEquals(1, clock.latest(), "the same reading");
    clock.tick(YEAR + 2);
    assertEquals(YEAR + 2, clock.latest());
    clock.tick(5);
    assertEquals(YEAR + 2, clock.latest());
  }
}
