package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.junit.jupiter.api.Test;

class StreamClockTest {

  private static final long STEP = 1_000;
  private static final long YEAR = 1_000_000;

  private static StreamClock newClock() {
    return new StreamClock(KeyGroupRange.of(0, 7), STEP);
  }

  private static StreamClock startedAt(long millis) {
    StreamClock clock = newClock();
    clock.restore(new StreamClock.State(clock.range(), false, millis, List.of()));
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
    StreamClock clock = newClock();
    assertFalse(clock.observe(YEAR), "a wrong one");
    for (int i = 1; i < StreamClock.MAJORITY - 1; i++) {
      assertFalse(clock.observe(i));
    }
    assertFalse(clock.isKnown());
    assertTrue(clock.observe(StreamClock.MAJORITY));
    assertEquals(StreamClock.MAJORITY, clock.latest());
  }

  /** Flink's own generators keep the latest timestamp, so a wrong one stays in the watermark. */
  @Test
  void aWrongWatermarkAndAFewWrongTimestampsDoNotMoveIt() {
    StreamClock clock = startedAt(0);
    for (int i = 0; i < 100 * StreamClock.MAJORITY; i++) {
      boolean isWrong = i % 9 < 4;
      assertEquals(!isWrong, clock.observe(isWrong ? YEAR : 1));
      clock.advanceTo(YEAR - 10);
    }
    assertEquals(1, clock.latest());
    clock.advanceTo(2);
    assertEquals(2, clock.watermark(), "no longer too far ahead");
  }

  @Test
  void itFollowsAHundredMoreThanOthers() {
    StreamClock clock = startedAt(0);
    clock.advanceTo(YEAR - 10);
    int observed = 0;
    for (int i = 0; clock.latest() < YEAR; i++, observed++) { // one in five has no time
      clock.observe(i % 5 == 4 ? -YEAR : YEAR + i % 50);
    }
    assertEquals(164, observed);
    assertTrue(clock.latest() <= YEAR + 50);
    assertEquals(YEAR - 10, clock.watermark(), "the last one");
  }

  @Test
  void itIsSettledAStepBehindOrAtTheWatermark() {
    StreamClock clock = newClock();
    assertEquals(StreamClock.UNKNOWN, clock.settled());
    clock.restore(startedAt(0).state(false));
    assertEquals(-STEP, clock.settled());
    clock.advanceTo(-5);
    assertEquals(-5, clock.settled());
  }

  @Test
  void whatWasAheadIsRestoredOnceAndForTheSameKeyGroups() {
    StreamClock clock = startedAt(0);
    clock.observe(YEAR);
    StreamClock.State state = clock.state(true);
    StreamClock same = newClock();
    same.restore(state);
    same.restore(state);
    assertEquals(state, same.state(true));
    StreamClock half = new StreamClock(KeyGroupRange.of(0, 3), STEP);
    half.restore(state);
    assertEquals(0, half.latest());
    assertEquals(List.of(), half.state(true).ahead());
  }

  @Test
  void aClockThatJoinsAnotherFollowsTheLastWatermark() {
    StreamClock clock = newClock();
    clock.advanceTo(STEP / 2);
    assertEquals(StreamClock.UNKNOWN, clock.settled());
    clock.join(startedAt(0));
    assertEquals(STEP / 2, clock.settled());
    clock.join(startedAt(STEP));
    assertEquals(STEP, clock.latest());
  }

  @Test
  void ofAHundredInARowItFollowsThoseThatAreAStepApart() {
    StreamClock clock = startedAt(0);
    assertFalse(clock.observe(2 * STEP));
    for (int i = 1; i < StreamClock.MAJORITY - 1; i++) {
      assertFalse(clock.observe(YEAR + i * STEP));
    }
    assertFalse(clock.observe(3 * YEAR));
    assertEquals(YEAR + 98 * STEP, clock.latest());
  }

  @Test
  void aMajorityFromBeforeItMovedOnDoesNotMoveItBack() {
    StreamClock clock = startedAt(0);
    for (int i = 1; i < StreamClock.MAJORITY; i++) {
      assertFalse(clock.observe(STEP + 1));
    }
    assertTrue(clock.observe(STEP));
    assertTrue(clock.observe(2 * STEP));
    for (int i = 0; i < 3; i++) {
      assertFalse(clock.observe(YEAR));
    }
    assertEquals(2 * STEP, clock.latest());
  }

  @Test
  void theTimestampThatCompletesAMajorityMovesIt() {
    StreamClock clock = startedAt(0);
    clock.advanceTo(YEAR + STEP / 2); // too far ahead at first
    for (int i = 1; i < StreamClock.MAJORITY; i++) {
      assertFalse(clock.observe(YEAR));
    }
    assertTrue(clock.observe(YEAR + STEP + STEP / 2));
    assertEquals(YEAR + STEP + STEP / 2, clock.latest());
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

  @Test
  void ticksConfirmEachOtherThoughTheStepIsShort() {
    StreamClock clock = new StreamClock(KeyGroupRange.of(0, 7), 500);
    for (long tick = 0; tick <= 10_010; tick += 1_001) { // a timer is late by a millisecond
      clock.tick(tick);
    }
    assertTrue(clock.latest() >= 9_009, "moved to " + clock.latest());
  }

  /** A device whose clock is a year ahead moves the watermark by small steps, for three years. */
  @Test
  void aWatermarkThatStaysAheadIsNotFollowed() {
    for (long apart : new long[] {STEP / 2, 10 * STEP}) {
      StreamClock clock = newClock();
      for (long now = 0; now < 3 * YEAR; now += apart) {
        clock.observe(now);
        if (now % (4 * apart) == 0) {
          clock.observe(now + YEAR);
        }
        for (long millis = 0; millis < apart; millis += STEP / 2) {
          clock.advanceTo(now + YEAR + millis);
        }
        assertTrue(clock.latest() <= now, "moved to " + clock.latest() + " at " + now);
      }
    }
  }
}
