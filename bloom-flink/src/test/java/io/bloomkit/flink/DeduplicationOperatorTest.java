package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.function.SerializableSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DeduplicationOperatorTest {

  private static final int GROUPS = Task.GROUPS;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long START = 1_800_000_000_000L;

  private static StreamDeduplicator<CharSequence> hourly() {
    return StreamDeduplicator.of(HashStrategies::utf8)
        .expecting(10_000, 1e-6)
        .timeToLive(Duration.ofHours(1))
        .eventTime(Duration.ofMinutes(5));
  }

  private static StreamDeduplicator<CharSequence> byTheClock() {
    return hourly().processingTime();
  }

  private static Task alone(StreamDeduplicator<CharSequence> job) throws Exception {
    return new Task(job, 1, 0, null);
  }

  private static List<Task> restored(
      StreamDeduplicator<CharSequence> job, OperatorSubtaskState state, int from, int to)
      throws Exception {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < to; i++) {
      tasks.add(
          new Task(
              job,
              to,
              i,
              AbstractStreamOperatorTestHarness.repartitionOperatorState(
                  state, GROUPS, from, to, i)));
    }
    return tasks;
  }

  private static OperatorSubtaskState snapshotAndClose(List<Task> tasks) throws Exception {
    OperatorSubtaskState[] states = new OperatorSubtaskState[tasks.size()];
    for (int i = 0; i < states.length; i++) {
      states[i] = tasks.get(i).snapshot();
      tasks.get(i).close();
    }
    return AbstractStreamOperatorTestHarness.repackageState(states);
  }

  @Test
  void theFirstOfEachKeyPassesOnceInItsTimeToLive() throws Exception {
    try (Task task = alone(hourly())) {
      assertTrue(task.passes("a", START));
      assertFalse(task.passes("a", START));
      assertTrue(task.passes("b", START + 1));
      task.watermark(START + HOUR - 1);
      assertFalse(task.passes("a", START + HOUR - 1));
      task.watermark(START + HOUR + 3 * HOUR / 15);
      assertTrue(task.passes("a", START + HOUR + 3 * HOUR / 15), "a repeat prolongs nothing");
    }
  }

  @Test
  void processingTimeIsFlinks() throws Exception {
    try (Task task = alone(byTheClock())) {
      task.harness.setProcessingTime(START);
      assertTrue(task.passes("a", 7));
      task.harness.setProcessingTime(START + HOUR);
      assertFalse(task.passes("a", 7));
      task.watermark(START + 100 * HOUR);
      assertFalse(task.passes("a", 7), "watermarks do not matter");
      task.harness.setProcessingTime(START + HOUR + 3 * HOUR / 15);
      assertTrue(task.passes("a", 7));
    }
  }

  /** A record ahead of the watermark is remembered from its own time on. */
  @Test
  void aRepeatWithinTheTimeToLiveNeverPassesWhereverTheWatermarkIs() throws Exception {
    Random random = new Random(43);
    long ahead = Duration.ofMinutes(5).toMillis();
    Map<String, Long> lastPassed = new HashMap<>();
    int passedAgain = 0;
    Task task = alone(hourly());
    long watermark = START;
    for (int i = 0; i < 50_000; i++) {
      if (i % 1_000 == 0) { // and the watermark is not known
        OperatorSubtaskState state = task.snapshot();
        task.close();
        task = new Task(hourly(), 1, 0, state);
      } else if (i % 10 == 0) {
        watermark += random.nextInt(20_000);
        task.watermark(watermark);
      }
      String id = "id" + random.nextInt(500);
      long time = watermark + 1 + random.nextInt((int) ahead);
      Long last = lastPassed.get(id);
      if (task.passes(id, time)) {
        assertTrue(last == null || time - last > HOUR, () -> id + " at " + time + " and " + last);
        lastPassed.put(id, time);
        passedAgain += last == null ? 0 : 1;
      } else {
        assertNotNull(last, "a first record was dropped");
        long most = HOUR + ahead + 2 * ((HOUR + ahead) / 15 + 1);
        assertTrue(time - last <= most, () -> id + " at " + time + " and " + last);
      }
      assertEquals(0, task.operator().tooFarAhead() + task.operator().late());
    }
    task.close();
    assertTrue(passedAgain > 5_000, passedAgain + " passed again");
  }

  @Test
  void stateMovesFromOneTaskToFourToTwo() throws Exception {
    Set<String> seen = new TreeSet<>();
    Task one = alone(hourly());
    one.watermark(START);
    for (int i = 0; i < 3_000; i++) {
      assertTrue(one.passes("first" + i, START + i));
      seen.add("first" + i);
    }
    OperatorSubtaskState state = snapshotAndClose(List.of(one));
    for (int step = 0; step < 2; step++) {
      int from = step == 0 ? 1 : 4;
      int to = step == 0 ? 4 : 2;
      List<Task> tasks = restored(hourly(), state, from, to);
      for (Task task : tasks) {
        for (String id : seen) {
          assertFalse(task.has(id) && task.passes(id, START + 4_000), id);
        }
      }
      for (int i = 0; i < 1_000; i++) {
        String id = "of " + to + ":" + i;
        for (Task task : tasks) {
          assertTrue(!task.has(id) || task.passes(id, START + 5_000), id);
        }
        seen.add(id);
      }
      state = snapshotAndClose(tasks);
    }
    Task last = restored(hourly(), state, 2, 1).get(0);
    last.watermark(START + 2 * HOUR);
    for (String id : seen) {
      assertTrue(last.passes(id, START + 2 * HOUR), () -> id + " is not forgotten");
    }
    last.close();
  }

  static String inTheGroupOf(String id) {
    int group = KeyGroupRangeAssignment.assignToKeyGroup(id, GROUPS);
    int i = 0;
    while (KeyGroupRangeAssignment.assignToKeyGroup("other" + i, GROUPS) != group) {
      i++;
    }
    return "other" + i;
  }

  @Test
  void aFilterWithoutRecordsHasTheTimeOfTheCheckpoint() throws Exception {
    long ahead = Duration.ofMinutes(5).toMillis();
    String other = inTheGroupOf("a");
    Task task = alone(hourly());
    task.watermark(START);
    task.passes("a", START);
    task.watermark(START + HOUR / 2);
    OperatorSubtaskState state = snapshotAndClose(List.of(task));
    try (Task again = new Task(hourly(), 1, 0, state)) {
      assertTrue(again.passes(other, START + HOUR / 2 + ahead));
      again.watermark(START + HOUR / 2 + ahead + HOUR - 1);
      assertFalse(again.passes(other, START + HOUR / 2 + ahead + HOUR));
    }
  }

  @Test
  void aSnapshotIsThatOfItsBarrierAndWrittenLater() throws Exception {
    String after = inTheGroupOf("before");
    Task task = alone(hourly());
    task.watermark(START);
    task.passes("before", START);
    OperatorSnapshotFutures futures =
        task.harness
            .getOperator()
            .snapshotState(
                1,
                1,
                CheckpointOptions.forCheckpointWithDefaultLocation(),
                new MemCheckpointStreamFactory(1 << 20));
    task.passes(after, START);
    task.watermark(START + 3 * HOUR);
    RunnableFuture<SnapshotResult<KeyedStateHandle>> written = futures.getKeyedStateRawFuture();
    written.run();
    OperatorSubtaskState state =
        OperatorSubtaskState.builder()
            .setRawKeyedState(Objects.requireNonNull(written.get().getJobManagerOwnedSnapshot()))
            .build();
    task.close();
    try (Task again = new Task(hourly(), 1, 0, state)) {
      assertFalse(again.passes("before", START));
      assertTrue(again.passes(after, START));
    }
    Task empty = alone(hourly());
    OperatorSubtaskState nothing = empty.snapshot();
    empty.close();
    assertEquals(0, nothing.getRawKeyedState().size());
  }

  @Test
  void aWatermarkMayJumpAYearIfAHundredRecordsConfirmIt() throws Exception {
    long year = START + 365 * 24 * HOUR;
    try (Task task = alone(hourly())) {
      StreamTimeTest.start(task, START);
      assertTrue(task.passes("a", START));
      task.watermark(year);
      assertFalse(task.passes("a", START + 1));
      assertTrue(task.passes("a", year), "all is forgotten");
      StreamTimeTest.start(task, year);
      assertFalse(task.passes("a", year));
      assertEquals(year, task.operator().filters().latest());
      long ahead = task.operator().tooFarAhead();
      task.watermark(Long.MAX_VALUE);
      assertFalse(task.passes("a", year), "the end of the stream is no time");
      assertEquals(ahead, task.operator().tooFarAhead());
      assertEquals(0, task.operator().late());
    }
  }

  @Test
  void timesAtTheEndsOfTheNumbersAreNearestTimes() throws Exception {
    try (Task task = alone(hourly())) {
      assertTrue(task.passes("a", Long.MIN_VALUE + 1));
      assertTrue(task.passes("b", Long.MAX_VALUE));
      task.watermark(Long.MAX_VALUE - 1);
      assertTrue(task.passes("a", Long.MAX_VALUE));
      assertFalse(task.passes("a", Long.MAX_VALUE));
    }
  }

  @Test
  void aKeyOfTheEarliestTimeIsForgottenInTime() throws Exception {
    StreamDeduplicator<CharSequence> job = hourly().eventTime(Duration.ofHours(1));
    try (Task task = alone(job)) {
      StreamTimeTest.start(task, Long.MIN_VALUE + 1);
      assertTrue(task.passes("a", Long.MIN_VALUE + 1));
      assertFalse(task.passes("a", -PlannedSize.MAX_MILLIS + HOUR));
      assertTrue(task.passes("a", -PlannedSize.MAX_MILLIS + 2 * HOUR + 3 * HOUR / 10));
    }
  }

  @Test
  void recordsTooFarAheadAreCounted() throws Exception {
    try (Task task = alone(hourly().maxTimeStep(Duration.ofHours(3)))) {
      StreamTimeTest.start(task, START);
      task.passes("b", START + 3 * HOUR);
      assertEquals(0, task.operator().tooFarAhead());
      task.passes("c", START + 6 * HOUR + 1);
      assertEquals(1, task.operator().tooFarAhead());
    }
  }

  @Test
  void aRecordWithoutTimestampStopsTheJob() throws Exception {
    try (Task task = alone(hourly())) {
      assertThrows(PermanentFailureException.class, () -> task.passes("a", Long.MIN_VALUE));
      Exception noTime =
          assertThrows(
              PermanentFailureException.class,
              () -> task.process(new StreamRecord<>(new Click("a", 0, 0))));
      assertTrue(
          String.valueOf(noTime.getMessage()).contains("a record has no timestamp"),
          noTime.getMessage());
      assertEquals(0, task.harness.getOutput().size());
    }
    try (Task task = alone(byTheClock())) {
      assertTrue(task.process(new StreamRecord<>(new Click("a", 0, 0))));
    }
  }

  @Test
  void aKeyOfAnotherTaskStopsTheJob() throws Exception {
    try (Task task = new Task(hourly(), 4, 0, null)) {
      for (int i = 0; i < 20; i++) {
        String id = "id" + i;
        if (task.has(id)) {
          assertTrue(task.passes(id, START));
        } else {
          Exception e = assertThrows(PermanentFailureException.class, () -> task.passes(id, START));
          assertTrue(
              String.valueOf(e.getMessage()).contains("must be partitioned by keyBy"),
              e.getMessage());
        }
      }
    }
  }

  @Test
  void anotherJobIsRefusedBeforeItsFirstRecord() throws Exception {
    OperatorSubtaskState state = stateOf(hourly(), "a");
    SerializableSupplier<HashStrategy<CharSequence>> other =
        () -> HashStrategies.seeded(HashStrategies.utf8(), 42);
    assertRefused(
        StreamDeduplicator.of(other)
            .expecting(10_000, 1e-6)
            .timeToLive(Duration.ofHours(1))
            .eventTime(Duration.ofMinutes(5)),
        state,
        "strategy");
    assertRefused(
        hourly().processingTime(), state, "the time must be as when the state was written: EVENT");
  }

  private static final AtomicInteger STRATEGIES = new AtomicInteger();

  private static HashStrategy<CharSequence> counted() {
    STRATEGIES.incrementAndGet();
    return HashStrategies.utf8();
  }

  @Test
  void aTaskHasOneStrategy() throws Exception {
    STRATEGIES.set(0);
    StreamDeduplicator<CharSequence> job =
        StreamDeduplicator.of(DeduplicationOperatorTest::counted)
            .expecting(10_000, 1e-6)
            .timeToLive(Duration.ofHours(1))
            .processingTime();
    assertEquals(1, STRATEGIES.get(), "on the client");
    OperatorSubtaskState state = stateOf(job, "a", "b", "c", "d", "e");
    assertEquals(2, STRATEGIES.get());
    new Task(job, 1, 0, state).close();
    assertEquals(3, STRATEGIES.get());
  }

  @Test
  void aFilterBehindTheFieldsOfAnotherJobIsRefused() throws Exception {
    KeyGroupsStateHandle one = handleOf(stateOf(hourly(), "a"));
    byte[] fields = Arrays.copyOf(bytesOf(one), lengthOfFields(bytesOf(one)));
    byte[] other = bytesOf(handleOf(stateOf(hourly().timeToLive(Duration.ofHours(2)), "a")));
    System.arraycopy(fields, 0, other, 0, fields.length);
    assertRefused(hourly(), with(one, other), "the filter does not fit");
  }

  /** Returns the length of the fields of a state with one filter. */
  private static int lengthOfFields(byte[] state) {
    int ofClock = state[19];
    int ahead = state[44 + 8 * ofClock];
    return 45 + 8 * ofClock + 16 * ahead + 1 + 32 + 4;
  }

  private static OperatorSubtaskState stateOf(StreamDeduplicator<CharSequence> job, String... ids)
      throws Exception {
    Task task = alone(job);
    for (String id : ids) {
      task.passes(id, START);
    }
    return snapshotAndClose(List.of(task));
  }

  private static KeyGroupsStateHandle handleOf(OperatorSubtaskState state) {
    return (KeyGroupsStateHandle) state.getRawKeyedState().iterator().next();
  }

  private static byte[] bytesOf(KeyGroupsStateHandle handle) throws IOException {
    try (InputStream in = handle.openInputStream()) {
      return in.readAllBytes();
    }
  }

  private static void assertRefused(
      StreamDeduplicator<CharSequence> job, OperatorSubtaskState state, String name) {
    Exception refused =
        assertThrows(PermanentFailureException.class, () -> new Task(job, 1, 0, state));
    StringBuilder messages = new StringBuilder();
    for (Throwable e = refused; e != null; e = e.getCause()) {
      messages.append(e.getMessage()).append('\n');
    }
    assertTrue(messages.indexOf("cannot restore the filter of key group") >= 0, messages::toString);
    assertTrue(messages.indexOf(name) >= 0, messages::toString);
  }

  @Test
  void aDamagedStateIsRefused() throws Exception {
    String[] ids = IntStream.range(0, 100).mapToObj(i -> "id" + i).toArray(String[]::new);
    KeyGroupsStateHandle handle = handleOf(stateOf(hourly(), ids));
    byte[] bytes = bytesOf(handle);
    Random random = new Random(43);
    assertRefused(hourly(), with(handle, Arrays.copyOf(bytes, bytes.length - 1)), "");
    assertRefused(hourly(), with(handle, changed(bytes, 0)), "must begin with");
    assertRefused(hourly(), with(handle, changed(bytes, 4)), "another version of Bloomkit");
    for (int i = 5; i < lengthOfFields(bytes); i++) {
      assertRefused(hourly(), with(handle, changed(bytes, i)), "the state is damaged");
    }
    for (int i = 0; i < 200; i++) {
      assertRefused(hourly(), with(handle, changed(bytes, random.nextInt(bytes.length))), "");
    }
  }

  /** An empty file, in a file system that refuses to seek behind its end. */
  private static final class EmptyStream extends FSDataInputStream {

    @Override
    public void seek(long target) throws IOException {
      if (target > 0) {
        throw new EOFException("cannot seek to " + target);
      }
    }

    @Override
    public long getPos() {
      return 0;
    }

    @Override
    public int read() {
      return -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      return -1;
    }
  }

  /** A stream that waits until it is closed, whatever interrupts it. */
  private static final class WaitingStream extends FSDataInputStream {

    final CountDownLatch isRead = new CountDownLatch(1);
    private final CountDownLatch isClosed = new CountDownLatch(1);

    @Override
    public void seek(long target) {}

    @Override
    public long getPos() {
      return 0;
    }

    @Override
    public int read() throws IOException {
      isRead.countDown();
      awaitUninterruptibly(isClosed);
      throw new IOException("closed");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return read();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
      while (true) {
        try {
          latch.await();
          return;
        } catch (InterruptedException e) {
          // as a socket
        }
      }
    }

    @Override
    public void close() {
      isClosed.countDown();
    }
  }

  private static OperatorSubtaskState with(KeyGroupsStateHandle handle, FSDataInputStream in) {
    ByteStreamStateHandle file =
        new ByteStreamStateHandle("file", new byte[0]) {
          private static final long serialVersionUID = 1;

          @Override
          public FSDataInputStream openInputStream() {
            return in;
          }
        };
    return OperatorSubtaskState.builder()
        .setRawKeyedState(new KeyGroupsStateHandle(handle.getGroupRangeOffsets(), file))
        .build();
  }

  /** The task has the later key groups, which are behind the end. */
  @Test
  void aStateThatWasCutIsRefused() throws Exception {
    KeyGroupsStateHandle handle = handleOf(stateOf(hourly(), "a", "b", "c", "d", "e"));
    OperatorSubtaskState cut = with(handle, new EmptyStream());
    Exception refused =
        assertThrows(PermanentFailureException.class, () -> new Task(hourly(), 2, 1, cut));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("cannot restore the filter of key group"),
        refused.getMessage());
  }

  /** Reading may take minutes, and mostly does not end by an interrupt. */
  @Test
  @Timeout(60)
  void aTaskThatIsCancelledDoesNotReadOn() throws Exception {
    KeyGroupsStateHandle handle = handleOf(stateOf(hourly(), "a"));
    WaitingStream file = new WaitingStream();
    OneInputStreamOperatorTestHarness<Click, Click> harness =
        new OneInputStreamOperatorTestHarness<>(
            hourly().operator(Click::id, null, null), GROUPS, 1, 0);
    harness.setup();
    CompletableFuture<Exception> failure =
        CompletableFuture.supplyAsync(
            () ->
                assertThrows(IOException.class, () -> harness.initializeState(with(handle, file))));
    file.isRead.await();
    DeduplicationOperator<?, ?> operator = (DeduplicationOperator<?, ?>) harness.getOperator();
    operator.getContainingTask().getCancelables().close(); // as Flink does when it cancels a task
    assertEquals("closed", failure.get(30, TimeUnit.SECONDS).getMessage());
    harness.close();
  }

  private static byte[] changed(byte[] bytes, int index) {
    byte[] changed = bytes.clone();
    changed[index] ^= 0x10;
    return changed;
  }

  private static OperatorSubtaskState with(KeyGroupsStateHandle handle, byte[] bytes) {
    KeyedStateHandle changed =
        new KeyGroupsStateHandle(
            handle.getGroupRangeOffsets(), new ByteStreamStateHandle("changed", bytes));
    return OperatorSubtaskState.builder().setRawKeyedState(changed).build();
  }
}
