package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task warns once of each thing that an operator of the job must know. */
class LogTest {

  private static final long START = 1_800_000_000_000L;
  private static final long MINUTE = 60_000;

  @BeforeEach
  void clear() {
    Warnings.clear();
  }

  private static Task started(int expected) throws Exception {
    Task task =
        new Task(
            StreamDeduplicator.of(HashStrategies::utf8)
                .expecting(expected, 1e-6)
                .timeToLive(Duration.ofMinutes(1))
                .eventTime(Duration.ofSeconds(1))
                .lateRecords(RecordPolicy.DROP),
            1,
            0,
            null);
    StreamTimeTest.start(task, START);
    task.watermark(START);
    return task;
  }

  private static String only(String words) {
    List<String> all = Warnings.with(words);
    assertEquals(1, all.size(), all::toString);
    assertEquals(1, Warnings.with("").size(), "others");
    return all.get(0);
  }

  @Test
  void theFirstLateRecordIsLogged() throws Exception {
    try (Task task = started(10_000)) {
      task.passes("in time", START - 1_000);
      assertEquals(List.of(), Warnings.with(""));
      task.passes("late", START - 1_001);
      task.passes("another", START - 2_000);
    }
    String warning =
        only("The first late record of this task: its timestamp is 2027-01-15T07:59:5");
    assertTrue(warning.contains("outOfOrderness is PT1S. Late records are dropped"), warning);
  }

  @Test
  void theFirstRecordTooFarAheadIsLogged() throws Exception {
    try (Task task = started(10_000)) {
      task.passes("a step ahead", START + 2 * MINUTE);
      assertEquals(List.of(), Warnings.with(""));
      task.passes("ahead", START + 10 * MINUTE);
      task.passes("another", START + 20 * MINUTE);
    }
    String warning = only("too far ahead: its time is 2027-01-15T08:10:00Z");
    assertTrue(warning.contains("a record may move it by PT2M2S. Such records pass"), warning);
  }

  @Test
  void aTaskThatBecomesOverfullIsLogged() throws Exception {
    try (Task task = started(200)) {
      for (int i = 0; i < 5_000; i++) {
        task.passes("id" + i, START + i);
        if (i % 100 == 0) {
          task.watermark(START + i - 1);
        }
      }
      task.snapshot();
    }
    assertTrue(only("A key group has").contains("call expecting(...) with more keys"));
  }

  /** A bounded stream may end before a tick, a watermark or a checkpoint. */
  @Test
  void aTaskThatIsOverfullAtItsEndIsLogged() throws Exception {
    try (Task task = started(200)) {
      for (int i = 0; i < 5_000; i++) {
        task.passes("id" + i, START + i);
      }
      assertEquals(List.of(), Warnings.with(""));
      task.operator().finish();
    }
    only("A key group has");
  }

  /** The scheduler of a batch gives a task any key groups. */
  @Test
  void aGroupOfABatchThatIsOverfullIsFound() {
    DeduplicationPlan<CharSequence> plan =
        DeduplicationPlan.<CharSequence>of(HashStrategies::utf8)
            .withSize(200, 1e-6)
            .withTimeToLive(Duration.ofMinutes(1))
            .withTime(DeduplicationPlan.Time.PROCESSING, Duration.ZERO);
    KeyGroupFilters<CharSequence> filters =
        new KeyGroupFilters<>(
            plan, HashStrategies.utf8(), new KeyGroupRange(0, 0), Task.GROUPS, true);
    KeyGroup<CharSequence> group = filters.groupOf("id");
    assertNotEquals(group, filters.group(0));
    group.advanceTo(START);
    for (int i = 0; i < 5_000; i++) {
      group.add(HashStrategies.longs().hash((long) i), START);
    }
    assertEquals(group, filters.overfull());
  }
}
