package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.flink.IncrementalCheckpoints.Attempt;
import io.bloomkit.flink.IncrementalCheckpoints.Part;
import io.bloomkit.flink.IncrementalCheckpoints.Piece;
import io.bloomkit.flink.IncrementalCheckpoints.SharedFile;
import io.bloomkit.hash.HashStrategies;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IncrementalCheckpointsTest {

  private static final long START = 1_800_000_000_000L;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static StreamDeduplicator<CharSequence> hourly() {
    return StreamDeduplicator.of(HashStrategies::utf8)
        .expecting(100_000, 1e-6)
        .timeToLive(Duration.ofHours(1))
        .eventTime(Duration.ofMinutes(5));
  }

  private static Task incremental(@Nullable OperatorSubtaskState state) throws Exception {
    return new Task(hourly(), 1, 0, state, true);
  }

  private static void assertPassOnce(Task task, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      assertTrue(task.passes("id" + i, START + i), "id" + i);
    }
  }

  private static void assertHas(OperatorSubtaskState state, int ids) throws Exception {
    try (Task task = incremental(state)) {
      for (int i = 0; i < ids; i++) {
        assertFalse(task.passes("id" + i, START + i), "id" + i);
      }
      assertTrue(task.passes("id" + ids, START + ids));
      assertEquals(0, task.operator().late() + task.operator().tooFarAhead());
    }
  }

  private static IncrementalRemoteKeyedStateHandle handleOf(OperatorSubtaskState state) {
    assertEquals(0, state.getRawKeyedState().size());
    return (IncrementalRemoteKeyedStateHandle) state.getManagedKeyedState().iterator().next();
  }

  @Test
  void aCheckpointHasTheAdditionsSinceTheLastOne() throws Exception {
    try (Task task = incremental(null)) {
      assertPassOnce(task, 0, 80_000);
      OperatorSubtaskState state = task.snapshot();
      long whole = handleOf(state).getCheckpointedSize();
      assertHas(state, 80_000);
      task.complete();
      for (int ids = 80_000; ids < 84_000; ids += 500) {
        assertPassOnce(task, ids, ids + 500);
        state = task.snapshot();
        assertTrue(handleOf(state).getCheckpointedSize() < whole / 2);
        task.complete();
      }
      assertTrue(handleOf(state).getSharedState().size() > 5);
      assertHas(state, 84_000);
    }
  }

  /** The last piece has a later time than the whole, which has the filter of an earlier plan. */
  @Test
  void aLongerTimeToLiveBringsBackNoKeyThatIsForgotten() throws Exception {
    Task task = incremental(null);
    assertPassOnce(task, 0, 1_000);
    OperatorSubtaskState state = task.snapshot();
    task.close();
    task = new Task(hourly().expecting(200_000, 1e-6), 1, 0, state, true);
    assertFalse(task.passes("id0", START));
    task.snapshot();
    task.complete();
    assertTrue(task.passes("later", START + 2 * HOUR));
    state = task.snapshot();
    assertEquals(2, handleOf(state).getSharedState().size());
    task.close();
    StreamDeduplicator<CharSequence> longer =
        hourly().expecting(200_000, 1e-6).timeToLive(Duration.ofDays(1));
    try (Task again = new Task(longer, 1, 0, state, true)) {
      assertEquals(1, again.groupOf("later").earlierPlans());
    }
  }

  /** Each group is written whole again, but not all at once, so no file is referred to for ever. */
  @Test
  void theMeanAndTheLengthOfACheckpointAreLimited() throws Exception {
    try (Task task = incremental(null)) {
      assertPassOnce(task, 0, 100_000);
      OperatorSubtaskState state = task.snapshot();
      long whole = handleOf(state).getCheckpointedSize();
      task.complete();
      Set<String> first = namesOf(state);
      long sum = 0;
      long largest = 0;
      int checkpoints = 100;
      for (int i = 0; i < checkpoints; i++) {
        int ids = 100_000 + 1_000 * i;
        task.watermark(START + ids);
        assertPassOnce(task, ids, ids + 1_000);
        state = task.snapshot();
        IncrementalRemoteKeyedStateHandle handle = handleOf(state);
        sum += handle.getCheckpointedSize();
        largest = Math.max(largest, handle.getCheckpointedSize() * 100_000 / (ids + 1_000));
        assertTrue(handle.getStateSize() < 3 * whole, handle.getStateSize() + " in all");
        task.complete();
      }
      assertTrue(sum < 0.15 * checkpoints * whole, sum + " in all, whole " + whole);
      assertTrue(largest < 0.4 * whole, largest + " at once, whole " + whole + " of as many ids");
      Set<String> last = namesOf(state);
      assertTrue(last.size() <= IncrementalCheckpoints.MAX_PIECES);
      last.retainAll(first);
      assertEquals(Set.of(), last);
    }
  }

  private static Set<String> namesOf(OperatorSubtaskState state) {
    Set<String> names = new HashSet<>();
    handleOf(state).getSharedState().forEach(file -> names.add(file.getLocalPath()));
    return names;
  }

  /** What is added is in two filters, until a checkpoint has it. */
  @Test
  void theMemoryOfAdditionsIsShown() throws Exception {
    try (Task task = incremental(null)) {
      assertPassOnce(task, 0, 40_000);
      task.snapshot();
      task.complete();
      KeyGroup<?> group = task.groupOf("id0");
      long before = group.figures().bytes();
      assertPassOnce(task, 40_000, 80_000);
      long added = group.figures().bytes();
      task.snapshot();
      assertTrue(added > 5 * before / 2, added + " after " + before);
      assertTrue(group.figures().bytes() < 5 * added / 6, group.figures() + " after " + added);
    }
  }

  @Test
  void aCompleteCheckpointKeepsNoAdditions() {
    SharedFile file = new SharedFile(0);
    KeyGroup.Planned<Long> additions =
        new KeyGroup.Planned<>(
            new PlannedSize(10, 0.1, HOUR, 0),
            new PlannedSize(10, 0.1, HOUR, 0).builder(HashStrategies.longs(), 1).build());
    Attempt<Long> attempt =
        new Attempt<>(
            1, file, Arrays.asList(null, new Part<>(List.of(new Piece(file)), additions)));
    Attempt<Long> complete = attempt.completed();
    assertNull(complete.parts().get(0));
    Part<Long> part = Objects.requireNonNull(complete.parts().get(1));
    assertNull(part.additions());
    assertEquals(attempt.files().toList(), complete.files().toList());
  }

  /** The additions are so few that only their number is limited. */
  @Test
  void aCheckpointHasSixtyFourFilesAtMost() throws Exception {
    int most = 0;
    try (Task task = new Task(hourly(), Task.GROUPS, 0, null, true)) { // has one key group
      for (int i = 0; i < 1_000_000; i++) {
        assertTrue(!task.has("id" + i) || task.passes("id" + i, START));
      }
      for (int i = 0; i < 2 * IncrementalCheckpoints.MAX_PIECES; i++) {
        most = Math.max(most, handleOf(task.snapshot()).getSharedState().size());
        task.complete();
      }
    }
    assertEquals(IncrementalCheckpoints.MAX_PIECES, most);
  }

  @Test
  void whatACheckpointThatFailedHadIsInTheNextOne() throws Exception {
    try (Task task = incremental(null)) {
      assertPassOnce(task, 0, 10_000);
      OperatorSubtaskState state = task.snapshot();
      long whole = handleOf(state).getCheckpointedSize();
      task.complete();
      boolean isWholeAgain = false;
      for (int ids = 10_000; ids < 11_000; ids += 50) {
        assertPassOnce(task, ids, ids + 50);
        state = task.snapshot();
        isWholeAgain |= handleOf(state).getCheckpointedSize() > whole;
        assertHas(state, ids + 50);
      }
      assertTrue(isWholeAgain, "what was added is not kept without end");
    }
  }

  @Test
  void aFileOfACheckpointThatFailedIsNotReferredTo() throws Exception {
    try (Task task = incremental(null)) {
      assertPassOnce(task, 0, 10_000);
      task.snapshot();
      task.complete();
      assertPassOnce(task, 10_000, 10_100);
      Set<String> failed = namesOf(task.snapshot());
      assertPassOnce(task, 10_100, 10_200);
      OperatorSubtaskState state = task.snapshot();
      failed.retainAll(namesOf(state));
      assertEquals(1, failed.size(), "the first one");
      task.complete();
      assertPassOnce(task, 10_200, 10_300);
      assertHas(task.snapshot(), 10_300);
    }
  }

  /** A file that is not there fails a checkpoint. */
  @Test
  void aCheckpointRefersToNoFileThatTheOneBeforeItDoesNotReferTo() throws Exception {
    try (Task task = new Task(hourly(), Task.GROUPS, 0, null, true)) { // has one key group
      for (int ids = 0, i = 0; ids < 40_000; ids += 200, i++) {
        for (int id = ids; id < ids + 200; id++) {
          assertTrue(!task.has("id" + id) || task.passes("id" + id, START + id));
        }
        task.snapshot();
        if (ids < 10_000 || i % 2 == 0) {
          task.complete();
        } else {
          task.completeUnnoticed();
        }
      }
    }
    try (Task task = incremental(null)) {
      for (int ids = 0; ids < 300; ids += 100) {
        assertPassOnce(task, ids, ids + 100);
        task.snapshot();
      }
      task.harness.notifyOfCompletedCheckpoint(2); // the third one does not know of it
      task.completeUnnoticed();
      assertPassOnce(task, 300, 400);
      assertHas(task.snapshot(), 400);
    }
  }

  private static KeyedStateHandle snapshot(Task task, SnapshotType type) throws Exception {
    OperatorSnapshotFutures futures =
        task.harness
            .getOperator()
            .snapshotState(
                99,
                99,
                new CheckpointOptions(type, CheckpointStorageLocationReference.getDefault()),
                new MemCheckpointStreamFactory(1 << 28));
    futures.getKeyedStateRawFuture().run();
    futures.getKeyedStateManagedFuture().run();
    KeyedStateHandle raw = futures.getKeyedStateRawFuture().get().getJobManagerOwnedSnapshot();
    return raw != null
        ? raw
        : Objects.requireNonNull(
            futures.getKeyedStateManagedFuture().get().getJobManagerOwnedSnapshot());
  }

  @Test
  void aSavepointAndAFullCheckpointReferToNoOther() throws Exception {
    try (Task task = incremental(null)) {
      assertPassOnce(task, 0, 10_000);
      task.snapshot();
      task.complete();
      assertPassOnce(task, 10_000, 10_100);
      KeyedStateHandle savepoint =
          snapshot(task, SavepointType.savepoint(SavepointFormatType.CANONICAL));
      assertTrue(savepoint instanceof KeyGroupsStateHandle);
      assertHas(OperatorSubtaskState.builder().setRawKeyedState(savepoint).build(), 10_100);
      OperatorSubtaskState next = task.snapshot();
      assertEquals(2, handleOf(next).getSharedState().size(), "the savepoint changes nothing");
      assertHas(next, 10_100);
      KeyedStateHandle full = snapshot(task, CheckpointType.FULL_CHECKPOINT);
      assertEquals(1, ((IncrementalRemoteKeyedStateHandle) full).getSharedState().size());
      assertHas(OperatorSubtaskState.builder().setManagedKeyedState(full).build(), 10_100);
    }
  }

  @Test
  void anAdditionExpiresAsWithoutACheckpoint() throws Exception {
    Task task = incremental(null);
    assertPassOnce(task, 0, 100);
    task.snapshot();
    task.complete();
    assertTrue(task.passes("late", START + HOUR / 2));
    OperatorSubtaskState state = task.snapshot();
    task.close();
    long end = START + HOUR / 2 + HOUR;
    try (Task again = incremental(state)) {
      again.passes("other", end);
      assertFalse(again.passes("late", end));
      long after = end + Duration.ofMinutes(5).toMillis() + 2 * (HOUR + HOUR / 12) / 15 + 2;
      again.passes("other", after);
      assertTrue(again.passes("late", after));
    }
  }

  @Test
  void aLateRecordIsInTheNextCheckpoint() throws Exception {
    Task task = incremental(null);
    assertPassOnce(task, 0, 1_000);
    task.watermark(START + 1_000);
    task.snapshot();
    task.complete();
    assertTrue(task.passes("late", START - HOUR));
    assertEquals(1, task.operator().late());
    OperatorSubtaskState state = task.snapshot();
    task.close();
    try (Task again = incremental(state)) {
      assertFalse(again.passes("late", START - HOUR));
    }
  }

  @Test
  void aDamagedIndexIsRefused() throws Exception {
    Task task = incremental(null);
    assertPassOnce(task, 0, 100);
    IncrementalRemoteKeyedStateHandle handle = handleOf(task.snapshot());
    task.close();
    byte[] bytes;
    try (InputStream in = handle.getMetaDataStateHandle().openInputStream()) {
      bytes = in.readAllBytes();
    }
    for (int i = 0; i < bytes.length; i += i < 60 ? 1 : 17) {
      byte[] changed = bytes.clone();
      changed[i] ^= 0x10;
      assertRefused(handle, changed, i < 5 ? "the index must begin with" : "");
    }
    assertRefused(handle, bytes, null);
  }

  private static void assertRefused(
      IncrementalRemoteKeyedStateHandle handle, byte[] index, @Nullable String words)
      throws Exception {
    OperatorSubtaskState state =
        OperatorSubtaskState.builder()
            .setManagedKeyedState(
                new IncrementalRemoteKeyedStateHandle(
                    handle.getBackendIdentifier(),
                    handle.getKeyGroupRange(),
                    handle.getCheckpointId(),
                    handle.getSharedState(),
                    List.of(),
                    new ByteStreamStateHandle("index", index)))
            .build();
    if (words == null) {
      assertHas(state, 100);
      return;
    }
    Throwable e = assertThrows(PermanentFailureException.class, () -> incremental(state));
    StringBuilder messages = new StringBuilder();
    for (; e != null; e = e.getCause()) {
      messages.append(e.getMessage()).append('\n');
    }
    assertTrue(messages.indexOf("cannot restore the filters: ") >= 0, messages::toString);
    assertTrue(messages.indexOf(words) >= 0, messages::toString);
  }

  /** Prints what a key group of the example of the page writes and how long it is restored. */
  static final class Figures {

    private static long cpuNanos() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    public static void main(String[] args) throws Exception {
      int ids = 843_750;
      int step = ids / 288; // five minutes of a day
      StreamDeduplicator<CharSequence> job =
          StreamDeduplicator.of(HashStrategies::utf8)
              .expecting(16L * ids, 0.001)
              .timeToLive(Duration.ofDays(1))
              .eventTime(Duration.ofSeconds(10));
      try (Task task = new Task(job, 1, 0, null, true)) {
        task.harness.setCheckpointStorage(new JobManagerCheckpointStorage(1 << 28));
        long time = START;
        long id = 0;
        for (; id < 16L * ids; id++) {
          task.passes("id" + id, time + id * 86_400_000L / ids / 16);
        }
        task.snapshot();
        task.complete();
        OperatorSubtaskState state = null;
        double sum = 0;
        int checkpoints = Integer.getInteger("checkpoints", 60);
        for (int i = 0; i < checkpoints; i++) {
          long end = id + 16L * step;
          for (; id < end; id++) {
            task.passes("id" + id, time + id * 86_400_000L / ids / 16);
          }
          task.watermark(time + id * 86_400_000L / ids / 16 - 10_000);
          state = task.snapshot();
          task.complete();
          IncrementalRemoteKeyedStateHandle handle = handleOf(state);
          sum += handle.getCheckpointedSize();
          System.out.printf(
              Locale.ROOT,
              "%d: %,d bytes of %,d in %d files, copy %,d%n",
              i,
              handle.getCheckpointedSize(),
              handle.getStateSize(),
              handle.getSharedState().size(),
              task.operator().lastCopyBytes());
        }
        System.out.printf(
            Locale.ROOT,
            "mean %.3f bytes per id of five minutes, %.1f MB for 10,000 a second%n",
            sum / checkpoints / (16.0 * step),
            sum / checkpoints / (16.0 * step) * 3);
        KeyedStateHandle whole =
            snapshot(task, SavepointType.savepoint(SavepointFormatType.CANONICAL));
        OperatorSubtaskState raw = OperatorSubtaskState.builder().setRawKeyedState(whole).build();
        System.out.printf(Locale.ROOT, "whole %,d bytes%n", whole.getStateSize());
        double[] ratios = new double[9];
        for (int round = 0; round < ratios.length; round++) {
          long before = cpuNanos();
          new Task(job, 1, 0, raw, true).close();
          long between = cpuNanos();
          new Task(job, 1, 0, state, true).close();
          ratios[round] = (double) (cpuNanos() - between) / (between - before);
        }
        Arrays.sort(ratios);
        System.out.printf(
            Locale.ROOT,
            "restore, processor time beside that of the whole: %.2f (%.2f to %.2f)%n",
            ratios[4],
            ratios[2],
            ratios[6]);
      }
    }
  }
}
