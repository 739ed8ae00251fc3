package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

/** What the metrics show, and what memory and other plans do. */
class FiguresTest {

  private static final long START = 1_800_000_000_000L;
  private static final long MINUTE = 60_000;

  private static StreamDeduplicator<CharSequence> job(long expected, double fpp) {
    return StreamDeduplicator.of(HashStrategies::utf8)
        .expecting(expected, fpp)
        .timeToLive(Duration.ofMinutes(1))
        .eventTime(Duration.ofSeconds(1));
  }

  private static KeyGroupFilters.Figures figures(Task task) throws InterruptedException {
    Thread.sleep(110); // figures may be a tenth of a second old
    return task.operator().filters().figures();
  }

  @Test
  void theRateOfTheWorstGroupIsThatOfItsFirsts() throws Exception {
    try (Task task = new Task(job(20_000, 0.01), 1, 0, null)) {
      int lost = 0;
      int firsts = 0;
      for (int i = 0; firsts < 40_000; i++) {
        String id = "id" + i;
        if (KeyGroupRangeAssignment.assignToKeyGroup(id, Task.GROUPS) == 5) {
          boolean isPassed = task.passes(id, START);
          firsts++;
          lost += firsts > 30_000 && !isPassed ? 1 : 0;
        }
      }
      task.passes("a", START); // in another group
      KeyGroupFilters.Figures figures = figures(task);
      double rate = lost / 10_000.0;
      assertTrue(rate > 0.1, rate + " lost");
      assertEquals(rate, figures.worstRate(), 0.2 * figures.worstRate());
      assertEquals(figures.worstRate(), figures.rate(), 0.001, "weighted by records");
      long planned = job(20_000, 0.01).planOfKeyGroup(Task.GROUPS).expectedInsertions();
      assertEquals(Task.GROUPS * planned, figures.planned(), "also of groups without records");
      assertTrue(figures.live() > 10 * planned);
    }
  }

  @Test
  void theMemoryOfSilentGroupsComesBack() throws Exception {
    for (boolean isEventTime : new boolean[] {true, false}) {
      StreamDeduplicator<CharSequence> job = job(100_000, 0.001);
      try (Task task = new Task(isEventTime ? job : job.processingTime(), 1, 0, null)) {
        for (int i = 0; i < 100_000; i++) {
          if (i % 1_000 == 0) {
            moveTo(START + i / 2, task, isEventTime);
          }
          task.passes("id" + i, START + i / 2);
        }
        long full = figures(task).bytes();
        moveTo(START + 60 * MINUTE, task, isEventTime);
        for (int i = 0; i < StreamClock.MAJORITY; i++) { // after a gap
          task.passes("a", START + 60 * MINUTE);
        }
        for (int i = 0; i < 1_000; i++) { // on a slow machine, each sweeps one group
          moveTo(START + 60 * MINUTE + 1_000 + i * 30L, task, isEventTime);
        }
        assertFalse(task.passes("a", START + 60 * MINUTE));
        assertTrue(figures(task).bytes() < full / 10, figures(task) + " of " + full);
      }
    }
  }

  /** One wrong timestamp ends the watermarks of Flink's own generators. */
  @Test
  void theMemoryOfSilentGroupsComesBackWithoutWatermarks() throws Exception {
    try (Task task = new Task(job(100_000, 0.001), 1, 0, null)) {
      for (int i = 0; i < 100_000; i++) {
        task.passes("id" + i, START + i / 2);
      }
      long full = figures(task).bytes();
      for (int i = 0; i < 3_600; i++) {
        task.passes("a", START + MINUTE + i * 1_000L);
        if (i % 30 == 0) {
          task.harness.setProcessingTime(START + i * 1_000L);
        }
      }
      assertTrue(figures(task).bytes() < full / 10, figures(task) + " of " + full);
    }
  }

  private static void moveTo(long millis, Task task, boolean isEventTime) throws Exception {
    task.harness.setProcessingTime(millis);
    if (isEventTime) {
      task.watermark(millis - 1_001);
    }
  }

  /** Returns the state with the ids 0 to 999, a millisecond each. */
  private static OperatorSubtaskState filled(StreamDeduplicator<CharSequence> job)
      throws Exception {
    Task task = new Task(job, 1, 0, null);
    for (int i = 0; i < 1_000; i++) {
      assertTrue(task.passes("id" + i, START + i));
    }
    OperatorSubtaskState state = task.snapshot();
    task.close();
    return state;
  }

  @Test
  void aLargerPlanRemembersWhatTheOldOneDid() throws Exception {
    OperatorSubtaskState state = filled(job(1_000, 1e-6));
    for (int round = 0; round < 2; round++) { // the state says both
      try (Task task = new Task(job(10_000 << round, 1e-7), 1, 0, state)) {
        for (int i = 0; i < 1_000; i++) {
          assertFalse(task.passes("id" + i, START + i + MINUTE));
          assertTrue(task.passes("new" + round + "of" + i, START + i + MINUTE));
        }
        long both = figures(task).bytes();
        state = task.snapshot();
        task.passes("later", START + 2 * MINUTE);
        task.watermark(START + 3 * MINUTE);
        task.passes("later", START + 3 * MINUTE);
        assertTrue(figures(task).bytes() < both);
        assertTrue(task.passes("id0", START + 3 * MINUTE));
      }
    }
  }

  @Test
  void aShorterTimeToLiveHoldsForOldKeysToo() throws Exception {
    OperatorSubtaskState state = filled(job(1_000, 1e-6).timeToLive(Duration.ofMinutes(10)));
    try (Task task = new Task(job(1_000, 1e-6), 1, 0, state)) {
      assertFalse(task.passes("id0", START + MINUTE));
      assertTrue(task.passes("id1", START + 3 * MINUTE));
    }
  }

  @Test
  void aLongerTimeToLiveHoldsForOldKeysThatAreNotForgotten() throws Exception {
    OperatorSubtaskState state = filled(job(1_000, 1e-6));
    try (Task task = new Task(job(1_000, 1e-6).timeToLive(Duration.ofMinutes(10)), 1, 0, state)) {
      assertFalse(task.passes("id0", START + 10 * MINUTE));
      assertTrue(task.passes("id1", START + 13 * MINUTE));
    }
  }

  @Test
  void plansWithoutEndAreRefused() throws Exception {
    OperatorSubtaskState state = filled(job(1_000, 1e-6));
    List<String> ids = StreamTimeTest.ids("id0", true, KeyGroupFilters.MAX_FILTERS);
    for (int plan = 1; plan < KeyGroupFilters.MAX_FILTERS; plan++) {
      try (Task task = new Task(job(1_000 + plan, 1e-6), 1, 0, state)) {
        assertFalse(task.passes("id0", START + MINUTE));
        assertTrue(task.passes(ids.get(plan), START + MINUTE), "a filter without keys is dropped");
        state = task.snapshot();
      }
    }
    OperatorSubtaskState last = state;
    Throwable e = assertThrows(Exception.class, () -> new Task(job(2_000, 1e-6), 1, 0, last));
    while (e.getCause() != null) {
      e = e.getCause();
    }
    assertTrue(String.valueOf(e.getMessage()).contains("other plans"), e.toString());
  }

  @Test
  void theDistanceOfTimesIsThatOfATimeThatStands() throws Exception {
    OperatorSubtaskState state = filled(job(1_000, 1e-6));
    StreamDeduplicator<CharSequence> larger = job(1_000, 1e-6).eventTime(Duration.ofMinutes(5));
    for (int restart = 0; restart < 2; restart++) {
      try (Task task = new Task(larger, 1, 0, state)) {
        task.harness.setProcessingTime(START + 999);
        assertEquals(1_000, task.operator().timeLag());
        task.passes("id", START + 3 * MINUTE);
        assertEquals(1_000, task.operator().timeLag());
        state = task.snapshot();
        task.passes("id", START + 5 * MINUTE);
        task.passes("id", START + 6 * MINUTE);
        assertEquals(999 - MINUTE, task.operator().timeLag());
      }
    }
  }

  @Test
  void theDistanceOfTimesAndTheLastCopyAreShown() throws Exception {
    try (Task task = new Task(job(1_000, 1e-6), 1, 0, null)) {
      task.harness.setProcessingTime(START + MINUTE);
      assertEquals(0, task.operator().timeLag());
      for (int i = 0; i < 200; i++) {
        task.passes("id" + i, START);
      }
      assertEquals(MINUTE + 1_000, task.operator().timeLag());
      task.snapshot();
      assertTrue(task.operator().lastCopyBytes() > 0);
    }
  }
}
