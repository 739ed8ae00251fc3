package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The time of the filters, beside a model that knows the timestamp of each record that passed. */
class StreamTimeTest {

  private static final long START = 1_800_000_000_000L;
  private static final long MINUTE = 60_000;
  private static final long TTL = 10 * MINUTE;
  private static final long BOUND = 10_000;
  private static final long DAY = 24 * 60 * MINUTE;

  private static StreamDeduplicator<CharSequence> tenMinutes() {
    return StreamDeduplicator.of(HashStrategies::utf8)
        .expecting(10_000, 1e-9)
        .timeToLive(Duration.ofMillis(TTL))
        .eventTime(Duration.ofMillis(BOUND));
  }

  /**
   * A stream with all that may happen to it: any speed, watermarks or none, gaps, late records,
   * wrong clocks, and restarts with one to four tasks, of which some may be behind, so that their
   * records are in flight.
   */
  private static final class Stream {

    private final SplittableRandom random;
    private final boolean isLatePassed;
    private final boolean hasWatermarks;
    private final boolean isPlanChanged;
    private final boolean isIncremental;
    private final Map<String, List<Passed>> passed = new HashMap<>();
    private StreamDeduplicator<CharSequence> job;
    private long timeToLive = TTL;
    private long bound = BOUND;

    /** No key group has a later time. */
    private long time = START - BOUND;

    private List<Task> tasks = new ArrayList<>();

    /** The records that wait for each task; or, after a restart, for the tasks before. */
    private List<Queue<Sent>> inFlight = new ArrayList<>();

    /** How many more records each task takes; it stands still when it has taken them. */
    private int[] taken = {Integer.MAX_VALUE};

    private long latest = START;
    private long speed = 100;
    int late;
    int ahead;
    int passedAgain;

    /**
     * A record that was sent.
     *
     * @param latest the latest timestamp before
     * @param time no key group may have a later time when the record comes
     */
    private record Sent(String id, long timestamp, long latest, long time) {}

    /** The time of a record that passed, and the shortest time to live since then. */
    private static final class Passed {

      private final long time;
      private long timeToLive;

      Passed(long time, long timeToLive) {
        this.time = time;
        this.timeToLive = timeToLive;
      }

      @Override
      public String toString() {
        return time + " for " + timeToLive;
      }
    }

    Stream(long seed, boolean isPlanChanged, boolean isIncremental) throws Exception {
      this.random = new SplittableRandom(seed);
      this.isLatePassed = seed % 2 == 0;
      this.job = isLatePassed ? tenMinutes() : tenMinutes().lateRecords(RecordPolicy.DROP);
      this.hasWatermarks = random.nextBoolean();
      this.isPlanChanged = isPlanChanged;
      this.isIncremental = isIncremental;
      tasks.add(new Task(job, 1, 0, null, isIncremental));
      inFlight.add(new ArrayDeque<>());
    }

    void run(int records) throws Exception {
      for (int i = 0; i < records; i++) {
        int event = random.nextInt(2_000);
        if (event == 0 || (isPlanChanged && event > 1_996)) {
          restart(1 + random.nextInt(4));
        } else if (event < 1_100 && event > 1_010 && isIncremental) {
          checkpoint();
        } else if (event == 1) {
          latest += random.nextLong(20 * TTL);
        } else if (event == 2) {
          taken = random.ints(tasks.size(), 0, 2_000).toArray();
        } else if (event < 5) {
          speed = random.nextBoolean() ? 100 : TTL / 20;
        } else if (event < 300 && hasWatermarks) {
          for (int index = 0; index < tasks.size(); index++) {
            if (inFlight.get(index).isEmpty()) {
              tasks.get(index).watermark(latest - BOUND / 2 - 1);
            }
          }
        }
        latest += random.nextLong(2 * speed);
        String id = "id" + random.nextInt(400);
        if (event == 1_000) {
          send(id, latest + DAY + random.nextLong(365 * DAY));
        } else if (event < 1_010 && event > 1_000) {
          send(id, latest - bound - 1 - random.nextLong(3 * TTL));
        } else {
          send(id, latest - random.nextLong(bound + 1));
        }
      }
      close();
    }

    /** Takes a checkpoint, which may fail. */
    private void checkpoint() throws Exception {
      boolean isComplete = random.nextInt(10) > 0;
      for (Task task : tasks) {
        OperatorSubtaskState unused = task.snapshot();
        if (isComplete) {
          task.complete();
        }
      }
    }

    private void restart(int parallelism) throws Exception {
      OperatorSubtaskState[] states = new OperatorSubtaskState[tasks.size()];
      boolean isUnaligned = inFlight.stream().anyMatch(queue -> !queue.isEmpty());
      for (int i = 0; i < states.length; i++) {
        states[i] = isUnaligned ? tasks.get(i).unaligned() : tasks.get(i).snapshot();
      }
      close();
      if (isPlanChanged && random.nextBoolean()) {
        changePlan();
      }
      OperatorSubtaskState all = AbstractStreamOperatorTestHarness.repackageState(states);
      tasks = new ArrayList<>();
      for (int i = 0; i < parallelism; i++) {
        tasks.add(
            new Task(
                job,
                parallelism,
                i,
                AbstractStreamOperatorTestHarness.repartitionOperatorState(
                    all, Task.GROUPS, states.length, parallelism, i),
                isIncremental));
      }
      replay();
    }

    /** First all of one task before, then all of another; a restart may come between. */
    private void replay() throws Exception {
      Collections.shuffle(inFlight, new Random(random.nextLong()));
      for (Queue<Sent> queue : inFlight) {
        for (int left = random.nextInt(2 * queue.size() + 1); !queue.isEmpty(); left--) {
          if (left == 0) {
            restart(1 + random.nextInt(4));
            return;
          }
          process(queue.remove());
        }
      }
      inFlight = new ArrayList<>();
      tasks.forEach(task -> inFlight.add(new ArrayDeque<>()));
      taken = new int[tasks.size()];
      Arrays.fill(taken, Integer.MAX_VALUE);
    }

    private void send(String id, long timestamp) throws Exception {
      time = Math.max(time, latest - bound);
      int index = tasks.indexOf(taskOf(id));
      inFlight.get(index).add(new Sent(id, timestamp, latest, time));
      if (taken[index] > 0) {
        taken[index]--;
        process(inFlight.get(index).remove());
      }
    }

    private Sent withBound(Sent record) {
      long after = Math.max(record.time, record.latest - bound);
      return new Sent(record.id, record.timestamp, record.latest, after);
    }

    private Task taskOf(String id) {
      return tasks.stream().filter(task -> task.has(id)).findFirst().orElseThrow();
    }

    private void changePlan() {
      timeToLive = TTL / 2 + random.nextLong(TTL);
      bound = BOUND / 2 + random.nextLong(random.nextBoolean() ? BOUND : TTL);
      time = Math.max(time, latest - bound); // for what is replayed before the next record
      inFlight.replaceAll(
          queue ->
              queue.stream()
                  .map(this::withBound)
                  .collect(Collectors.toCollection(ArrayDeque::new)));
      job =
          job.expecting(5_000 + random.nextInt(10_000), 1e-9)
              .timeToLive(Duration.ofMillis(timeToLive))
              .eventTime(Duration.ofMillis(bound));
      passed
          .values()
          .forEach(
              times -> times.forEach(one -> one.timeToLive = Math.min(one.timeToLive, timeToLive)));
    }

    private void close() {
      tasks.forEach(Task::close);
    }

    private void process(Sent record) throws Exception {
      String id = record.id;
      long timestamp = record.timestamp;
      Task task = taskOf(id);
      long lateBefore = task.operator().late();
      long aheadBefore = task.operator().tooFarAhead();
      boolean isPassed = task.passes(id, timestamp);
      boolean isLate = task.operator().late() > lateBefore;
      boolean isAhead = task.operator().tooFarAhead() > aheadBefore;
      late += isLate ? 1 : 0;
      ahead += isAhead ? 1 : 0;
      assertFalse(isLate && timestamp >= record.time, "a record within the bound is late");
      List<Passed> times = passed.computeIfAbsent(id, none -> new ArrayList<>());
      if (isPassed) {
        assertTrue(isLatePassed || !isLate);
        for (Passed one : times) {
          assertTrue(
              isLate || Math.abs(timestamp - one.time) > one.timeToLive,
              () -> id + " passed at " + one + " and at " + timestamp);
        }
        passedAgain += times.isEmpty() ? 0 : 1;
        times.add(new Passed(timestamp, timeToLive));
        if (isLate) { // it is remembered from the present time on
          times.add(new Passed(task.groupOf(id).latest(), 0));
        }
      } else if (!isLate && !(isAhead && task.groupOf(id).isAheadFull())) {
        long longest = isPlanChanged ? 3 * TTL / 2 + TTL + BOUND : TTL + BOUND;
        long slack = longest + 2 * (longest / 15 + 1);
        assertTrue(
            times.stream().anyMatch(one -> Math.abs(timestamp - one.time) <= slack),
            () -> "a first record was dropped: " + id + " at " + timestamp + ", others " + times);
      }
    }
  }

  private static void run(long seeds, int records, boolean isPlanChanged, boolean isIncremental)
      throws Exception {
    int late = 0;
    int ahead = 0;
    int passedAgain = 0;
    for (long seed = 0; seed < seeds; seed++) {
      Stream stream = new Stream(seed, isPlanChanged, isIncremental);
      stream.run(records);
      late += stream.late;
      ahead += stream.ahead;
      passedAgain += stream.passedAgain;
    }
    assertTrue(late > seeds && ahead > seeds, late + " late, " + ahead + " too far ahead");
    assertTrue(passedAgain > seeds * 100, passedAgain + " passed again");
  }

  @Test
  void noRepeatPassesThatIsNotLate() throws Exception {
    run(10, 10_000, false, false);
  }

  @Test
  void noRepeatPassesWithAnotherPlan() throws Exception {
    run(10, 10_000, true, false);
  }

  @Test
  void noRepeatPassesWithIncrementalCheckpoints() throws Exception {
    run(4, 10_000, false, true);
    run(4, 10_000, true, true);
  }

  @Test
  @Tag("campaign")
  void noRepeatPassesThatIsNotLateInManyStreams() throws Exception {
    for (boolean isIncremental : new boolean[] {false, true}) {
      run(100, 30_000, false, isIncremental);
      run(100, 30_000, true, isIncremental);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLargerOutOfOrdernessDoesNotMoveTheTimeBack(boolean isIncremental) throws Exception {
    Task task = new Task(tenMinutes(), 1, 0, null, isIncremental);
    start(task, START);
    assertTrue(task.passes("id", START));
    task.snapshot();
    task.complete();
    task.watermark(START + 2 * TTL);
    OperatorSubtaskState state = task.snapshot();
    task.close();
    StreamDeduplicator<CharSequence> larger =
        tenMinutes().eventTime(Duration.ofMillis(2 * TTL)).lateRecords(RecordPolicy.DROP);
    for (int restart = 0; restart < 2; restart++) { // the second time, the bound is the same
      task = new Task(larger, 1, 0, state, isIncremental);
      assertFalse(task.passes("id", START + TTL), "forgotten, so it must not be in time again");
      assertTrue(task.passes("other" + restart, START + 2 * TTL - BOUND));
      assertEquals(1, task.operator().late());
      state = task.snapshot();
      task.close();
    }
    try (Task again = new Task(tenMinutes(), 1, 0, state, isIncremental)) {
      assertTrue(again.passes("smaller", START + 2 * TTL - BOUND));
      assertTrue(again.passes("a step ahead", START + 4 * TTL + 2 * BOUND));
      assertEquals(0, again.operator().late() + again.operator().tooFarAhead());
    }
    try (Task again = new Task(larger, 1, 0, state, isIncremental)) {
      String near = DeduplicationOperatorTest.inTheGroupOf("id");
      assertTrue(again.passes("id", START + 5 * TTL));
      assertTrue(again.passes(near, START + 3 * TTL));
      assertEquals(0, again.operator().late());
      assertFalse(again.passes(near, START + 3 * TTL - 1));
      assertEquals(1, again.operator().late());
    }
  }

  /** A backlog is read in no time, so there are no watermarks for minutes of event time. */
  @Test
  void aBacklogPassesNoRepeat() throws Exception {
    try (Task task = new Task(tenMinutes(), 1, 0, null)) {
      for (int i = 0; i < 20_000; i++) { // each key twice, nine minutes apart
        boolean isRepeat = i / 540 % 2 == 1;
        String id = "id" + (i / 1_080 * 540 + i % 540);
        assertEquals(!isRepeat, task.passes(id, START + i * 1_000L), () -> id);
        if (i % 3_000 == 0) {
          task.watermark(START + i * 1_000L - 5_001);
        }
      }
      assertEquals(0, task.operator().late() + task.operator().tooFarAhead());
    }
  }

  /** In steady traffic, also the records of the source behind are remembered, though late. */
  @Test
  void twoSourcesThreeHoursApartPassNoRepeatASecondLater() throws Exception {
    for (boolean isAheadFirst : new boolean[] {true, false}) {
      try (Task task = new Task(tenMinutes(), 1, 0, null)) {
        long apart = 180 * MINUTE;
        int passedAgain = 0;
        for (int i = 0; i < 10_000; i++) {
          String id = (i / 1_000) + "id" + i % 500;
          boolean isRepeat = i >= 1_000 && i % 1_000 >= 500;
          long time = START + 2L * i;
          if (isAheadFirst || i > 200) {
            passedAgain += task.passes("ahead" + id, time + apart) && isRepeat ? 1 : 0;
          }
          if (!isAheadFirst || i > 200) {
            passedAgain += task.passes("behind" + id, time) && isRepeat ? 1 : 0;
          }
          if (i % 100 == 99) {
            task.watermark(time - 5_001);
          }
        }
        assertEquals(0, passedAgain);
        assertEquals(isAheadFirst, task.operator().late() > 5_000);
        assertEquals(!isAheadFirst, task.operator().tooFarAhead() > 5_000);
      }
    }
  }

  /** At some time the later source has had a hundred records more, so that the time jumps to it. */
  @Test
  void twoSourcesInRandomOrderPassRepeatsOnlyWhenTheTimeJumps() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    try (Task task = new Task(tenMinutes(), 1, 0, null)) {
      long apart = 180 * MINUTE;
      int[] counts = {0, 0};
      int jump = Integer.MAX_VALUE;
      for (int i = 0; i < 20_000; i++) {
        int source = random.nextInt(2);
        int count = counts[source]++;
        String id = source + " " + count / 1_000 + " " + count % 500;
        boolean isPassed = task.passes(id, START + i + source * apart);
        boolean isJump = jump > i && task.operator().filters().latest() > START + apart;
        jump = isJump ? i : jump;
        boolean isRepeat = count % 1_000 >= 500;
        boolean isAfterJump = i >= jump && i < jump + 1_500;
        assertTrue(!isPassed || !isRepeat || isAfterJump, id + " at " + i + ", jump at " + jump);
      }
      assertTrue(jump > 500 && jump < 10_000, "jump at " + jump);
    }
  }

  /** By the watermark, which is the earlier one of both, all thousand would be forgotten. */
  @Test
  void aSourceThreeHoursBehindThatCatchesUpMakesNoRepeatPass() throws Exception {
    for (boolean isBehindFirst : new boolean[] {true, false}) {
      try (Task task = new Task(tenMinutes(), 1, 0, null)) {
        long apart = 180 * MINUTE;
        if (isBehindFirst) {
          start(task, START);
          task.watermark(START);
        }
        for (int i = 0; i < 1_000; i++) {
          assertTrue(task.passes("id" + i, START + apart + i));
        }
        for (int i = 0; i < 1_000; i++) {
          long time = START + apart * i / 1_000;
          task.passes("behind" + i, time);
          task.watermark(time - 5_001);
        }
        int passedAgain = 0;
        for (int i = 0; i < 1_000; i++) {
          passedAgain += task.passes("id" + i, START + apart + i + 1_000) ? 1 : 0;
        }
        assertEquals(0, passedAgain);
      }
    }
  }

  @Test
  void aLongerHorizonMakesSourcesExactThatAreApart() throws Exception {
    long apart = 180 * MINUTE;
    StreamDeduplicator<CharSequence> job = tenMinutes().eventTime(Duration.ofMillis(apart + BOUND));
    try (Task task = new Task(job, 1, 0, null)) {
      for (int i = 0; i < 4_000; i++) { // at full speed
        long time = START + i * 1_000L;
        String id = i / 1_080 * 540 + "id" + i % 540;
        boolean isFirst = i % 1_080 < 540;
        assertEquals(isFirst, task.passes("ahead" + id, time + apart));
        assertEquals(isFirst, task.passes("behind" + id, time));
      }
      assertEquals(0, task.operator().late() + task.operator().tooFarAhead());
    }
  }

  /** Sends as many records as a task needs to know the time. */
  static void start(Task task, long time) throws Exception {
    for (int i = 0; i < StreamClock.MAJORITY; i++) {
      task.passes("start" + i, time);
    }
  }

  private static Task started(StreamDeduplicator<CharSequence> job) throws Exception {
    Task task = new Task(job, 1, 0, null);
    start(task, START);
    task.watermark(START);
    task.passes("first", START);
    assertEquals(START, task.operator().filters().latest());
    return task;
  }

  @ParameterizedTest
  @EnumSource
  void lateRecordsGoByTheirPolicy(RecordPolicy policy) throws Exception {
    try (Task task = started(tenMinutes().lateRecords(policy))) {
      assertTrue(task.passes("in time", START - BOUND));
      assertFalse(task.passes("first", START - BOUND - 1), "a repeat");
      assertFalse(task.isUntimely());
      assertPolicy(policy, task, "late", START - BOUND - 1);
      assertEquals(policy == RecordPolicy.PASS ? 3 : 2, task.operator().late());
    }
  }

  @ParameterizedTest
  @EnumSource
  void recordsTooFarAheadGoByTheirPolicy(RecordPolicy policy) throws Exception {
    try (Task task = started(tenMinutes().recordsTooFarAhead(policy))) {
      assertPolicy(policy, task, "too far ahead", START + DAY);
      assertEquals(START, task.operator().filters().latest());
    }
  }

  private static void assertPolicy(RecordPolicy policy, Task task, String what, long timestamp)
      throws Exception {
    if (policy == RecordPolicy.FAIL) {
      Exception e =
          assertThrows(PermanentFailureException.class, () -> task.passes("other", timestamp));
      assertTrue(String.valueOf(e.getMessage()).contains("a record is " + what), e.getMessage());
      return;
    }
    assertEquals(policy == RecordPolicy.PASS, task.passes("other", timestamp));
    assertEquals(policy == RecordPolicy.SIDE_OUTPUT, task.isUntimely());
    if (policy == RecordPolicy.PASS) {
      assertFalse(task.passes("other", timestamp), "remembered");
    }
  }

  @Test
  void oneTimestampAYearAheadChangesNothing() throws Exception {
    for (boolean isFirst : new boolean[] {true, false}) {
      try (Task task = new Task(tenMinutes(), 1, 0, null)) {
        if (!isFirst) {
          start(task, START);
          task.watermark(START);
        }
        for (int i = 0; i < 40; i++) { // in many groups
          assertTrue(task.passes("wrong" + i, START + 365 * DAY));
        }
        for (int i = 0; i < 8_000; i++) { // each key again after three hours
          assertTrue(task.passes("id" + i % 1_000, START + i * 10_800L));
          if (i % 100 == 0) {
            task.watermark(START + i * 10_800L - BOUND / 2);
          }
        }
        assertFalse(task.passes("wrong0", START + 365 * DAY), "the last ones are remembered");
        assertEquals(0, task.operator().late());
      }
    }
  }

  /**
   * A generator keeps the wrong timestamp in all its watermarks, and a second one seems to confirm
   * it.
   */
  @Test
  void aFewWrongTimestampsAndTheirWatermarkChangeNothing() throws Exception {
    try (Task task = started(tenMinutes())) {
      for (int i = 0; i < 1_000; i++) {
        assertTrue(task.passes("id" + i, START + i));
      }
      for (int i = 0; i < 20; i++) {
        task.passes("wrong" + i, START + DAY + i);
        task.watermark(START + DAY - 5_000);
      }
      for (int i = 0; i < 1_000; i++) {
        assertFalse(task.passes("id" + i, START + 1_000 + i));
      }
      assertEquals(0, task.operator().late());
    }
  }

  /** Each restart begins to count anew, but the records before it are remembered. */
  @Test
  void aTaskThatRestartsBeforeItHasATimePassesNoRepeat() throws Exception {
    Task task = new Task(tenMinutes(), 1, 0, null);
    for (int i = 0; i < 8_000; i++) {
      assertTrue(task.passes("id" + i, START + i));
      if (i < 4_000 && i % 90 == 0) {
        OperatorSubtaskState state = task.snapshot();
        task.close();
        task = new Task(tenMinutes(), 1, 0, state);
      }
    }
    for (int i = 0; i < 8_000; i++) {
      assertFalse(task.passes("id" + i, START + 8_000), "id" + i);
    }
    task.close();
  }

  @Test
  void theTimeFollowsAfterAGapThoughRecordsWithoutATimeCome() throws Exception {
    try (Task task = started(tenMinutes())) {
      long after = START + DAY / 8;
      for (int i = 0; i < 10_000; i++) {
        task.passes("id" + i, i % 5 == 0 ? 0 : after + i);
        if (i == 200) {
          task.watermark(after);
        }
      }
      assertTrue(task.operator().tooFarAhead() < 200, task.operator().tooFarAhead() + " ahead");
      assertEquals(after + 9_999, task.operator().filters().latest());
    }
  }

  /** The records of the task are more than a step apart, but those of all tasks are not. */
  @Test
  void watermarksLeadToTheTimeOfATaskWithFewRecords() throws Exception {
    StreamDeduplicator<CharSequence> job =
        tenMinutes()
            .timeToLive(Duration.ofSeconds(10))
            .eventTime(Duration.ofSeconds(1))
            .recordsTooFarAhead(RecordPolicy.FAIL);
    try (Task task = new Task(job, 1, 0, null)) {
      for (int i = 0; i < 1_200; i++) {
        long time = START + i * MINUTE / 2;
        assertTrue(i % 4 > 0 || task.passes("id" + i, time));
        task.watermark(time - 1_001);
      }
    }
  }

  /** Bad clocks that fill what remembers them are remembered by the filter, as long as it can. */
  @Test
  void manyTimestampsTooFarAheadAreRememberedForATimeToLive() throws Exception {
    try (Task task = started(tenMinutes())) {
      for (int i = 0; i < 4_000; i++) {
        assertTrue(task.passes("wrong" + i, START + DAY + i));
        assertTrue(task.passes("good" + i, START + i));
      }
      for (int i = 0; i < 4_000; i++) {
        assertFalse(task.passes("wrong" + i, START + DAY + i));
        assertFalse(task.passes("good" + i, START + i));
      }
    }
  }

  /** Returns ids of the key group of an id, or of others. */
  static List<String> ids(String id, boolean isSameGroup, int count) {
    int group = KeyGroupRangeAssignment.assignToKeyGroup(id, Task.GROUPS);
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> (isSameGroup ? "same" : "other") + i)
        .filter(
            it ->
                isSameGroup == (KeyGroupRangeAssignment.assignToKeyGroup(it, Task.GROUPS) == group))
        .limit(count)
        .toList();
  }

  /** The key group had no record, or none in a backlog that moved the time far. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHundredKeysAheadPushNoneOutOfAGroupWithAnOldTime(boolean hasTime) throws Exception {
    List<String> same = ids("X", true, 101);
    List<String> others = ids("X", false, 400);
    try (Task task = new Task(tenMinutes(), 1, 0, null)) {
      for (String id : others.subList(0, 150)) {
        task.passes(id, START);
      }
      if (hasTime) {
        task.passes(same.get(100), START);
      }
      long now = START;
      for (String id : others.subList(150, 250)) {
        now += 20 * MINUTE;
        task.passes(id, now);
      }
      assertTrue(task.passes("X", now + DAY));
      for (int i = 0; i < 100; i++) {
        task.passes(same.get(i), now + DAY);
        task.passes(others.get(250 + i), now);
      }
      assertFalse(task.passes("X", now + DAY));
      task.harness.setProcessingTime(1_001);
      assertFalse(task.passes("X", now + DAY), "a second later");
    }
  }

  /** The list is nearly full when the task gets its time, and then come wrong clocks. */
  @Test
  void aListedKeyWhoseTimeHasComeIsNotPushedOut() throws Exception {
    List<String> same = ids("X", true, 101);
    try (Task task = new Task(tenMinutes(), 1, 0, null)) {
      assertTrue(task.passes("X", START));
      for (String id : same.subList(0, 98)) {
        assertTrue(task.passes(id, START));
      }
      assertTrue(task.passes(ids("X", false, 1).get(0), START), "the hundredth of the task");
      for (String id : same.subList(98, 101)) {
        assertTrue(task.passes(id, START + DAY));
      }
      assertFalse(task.passes("X", START + 1_000));
      assertFalse(task.passes(same.get(98), START + DAY), "still listed");
    }
  }

  /** Each restart comes before the keys have expired. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void restartsDoNotProlongTheTimeOfKeysThatWerePushedOut(boolean isIncremental) throws Exception {
    List<String> same = ids("X", true, 110);
    Task task = new Task(tenMinutes(), 1, 0, null, isIncremental);
    start(task, START);
    task.watermark(START);
    for (String id : same) {
      assertTrue(task.passes(id, START + 400 * DAY));
      task.passes("start0", START);
    }
    long now = START;
    for (; now < START + 4 * TTL; now += TTL / 4) {
      task.passes("start0", now);
      task.watermark(now);
      OperatorSubtaskState state = task.snapshot();
      task.close();
      task = new Task(tenMinutes(), 1, 0, state, isIncremental);
    }
    assertTrue(task.passes("X", now));
    assertTrue(task.passes("X", START + 300 * DAY), "by its timestamp, it is the first");
    task.close();
  }

  /**
   * A key pushed out under a smaller out-of-orderness does not shorten the time of earlier ones.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSmallerOutOfOrdernessForgetsNoKeyThatWasPushedOut(boolean isIncremental) throws Exception {
    List<String> same = ids("X", true, 110);
    Task task = new Task(tenMinutes(), 1, 0, null, isIncremental);
    start(task, START);
    task.passes(same.get(105), START);
    task = restored(task, tenMinutes().eventTime(Duration.ofHours(1)), isIncremental);
    assertTrue(task.passes("X", START + 400 * DAY));
    for (String id : same.subList(0, 100)) {
      task.passes(id, START + 400 * DAY);
      task.passes("start0", START);
    }
    task = restored(task, tenMinutes(), isIncremental);
    task.passes(same.get(101), START + 400 * DAY);
    task.passes("start0", START);
    task.passes(same.get(106), START + 15 * MINUTE);
    assertFalse(task.passes("X", START + 400 * DAY));
    task.close();
  }

  private static Task restored(
      Task task, StreamDeduplicator<CharSequence> job, boolean isIncremental) throws Exception {
    OperatorSubtaskState state = task.snapshot();
    task.close();
    return new Task(job, 1, 0, state, isIncremental);
  }

  /** Without watermarks, the key groups without records are a step behind the latest record. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTaskOfOtherKeyGroupsKnowsTheTime(boolean isIncremental) throws Exception {
    StreamDeduplicator<CharSequence> job = tenMinutes().recordsTooFarAhead(RecordPolicy.FAIL);
    Task task = new Task(job, 1, 0, null, isIncremental);
    start(task, START);
    long now = START;
    for (; now < START + 60 * MINUTE; now += MINUTE) {
      task.passes("X", now);
      task.harness.setProcessingTime(now);
    }
    OperatorSubtaskState state = task.snapshot();
    task.close();
    for (int index = 0; index < 2; index++) {
      OperatorSubtaskState half =
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              AbstractStreamOperatorTestHarness.repackageState(state), Task.GROUPS, 1, 2, index);
      Task first = new Task(job, 2, index, half, isIncremental);
      OperatorSubtaskState again = first.snapshot();
      first.close();
      try (Task second = new Task(job, 2, index, again, isIncremental)) {
        for (int i = 0; i < 10; i++) {
          assertTrue(!second.has("id" + i) || second.passes("id" + i, now));
        }
        assertEquals(0, second.operator().tooFarAhead());
      }
    }
  }

  @Test
  void aListThatRestartsHaveFilledLosesNoKeyToOneWrongClock() throws Exception {
    List<String> same = ids("X", true, 100);
    Task task = new Task(tenMinutes(), 1, 0, null);
    assertTrue(task.passes("X", START));
    for (int i = 0; i < 60; i++) {
      task.passes(same.get(i), START + i);
    }
    OperatorSubtaskState state = task.snapshot();
    task.close();
    try (Task again = new Task(tenMinutes(), 1, 0, state)) {
      for (int i = 60; i < 99; i++) {
        again.passes(same.get(i), START + i);
      }
      again.passes(same.get(99), START + 400 * DAY);
      assertFalse(again.passes("X", START + 1_000));
    }
  }

  /** The restart comes before the task has a time, and the list spans several steps. */
  @Test
  void aListThatRestartsHaveFilledMakesNoSteadyRecordTooFarAhead() throws Exception {
    StreamDeduplicator<CharSequence> job = tenMinutes().recordsTooFarAhead(RecordPolicy.FAIL);
    Task task = new Task(job, 1, 0, null);
    long now = START;
    for (String id : ids("X", true, 120)) {
      if (now == START + 60 * MINUTE) {
        OperatorSubtaskState state = task.snapshot();
        task.close();
        task = new Task(job, 1, 0, state);
      }
      assertTrue(task.passes(id, now));
      now += MINUTE;
    }
    task.close();
  }

  /** The next record of the key group moves its time on by as long as the group was silent. */
  @Test
  void aLateKeyIsRememberedThoughItsKeyGroupIsSilent() throws Exception {
    List<String> same = ids("X", true, 1);
    List<String> others = ids("X", false, 1);
    try (Task task = new Task(tenMinutes(), 1, 0, null)) {
      start(task, START);
      task.passes(same.get(0), START);
      task.passes(others.get(0), START + TTL - MINUTE);
      assertTrue(task.passes("X", START - MINUTE), "late, but a first");
      task.passes(same.get(0), START + TTL + MINUTE);
      assertFalse(task.passes("X", START + MINUTE));
      assertEquals(2, task.operator().late());
    }
  }

  /** Two sources are hours apart, and the later one is read faster or more slowly. */
  @ParameterizedTest
  @CsvSource({"2, 4, false", "2, 7, true", "0.1, 90, false", "0.1, 140, true"})
  void aLateKeyLivesByTheTimeOfTheLatestSource(double speed, int minutes, boolean passes)
      throws Exception {
    List<String> same = ids("X", true, (int) (minutes * speed));
    try (Task task = new Task(tenMinutes(), 1, 0, null)) {
      start(task, START + DAY);
      assertTrue(task.passes("X", START));
      for (int i = 0; i < same.size(); i++) {
        assertTrue(task.passes(same.get(i), START + DAY + (i + 1) * MINUTE));
      }
      assertEquals(passes, task.passes("X", START + minutes * MINUTE));
      assertEquals(2, task.operator().late());
    }
  }

  @Test
  void aSilentKeyGroupFollowsItsTaskByAStep() throws Exception {
    List<String> same = ids("X", true, 2);
    List<String> others = ids("X", false, 200);
    StreamDeduplicator<CharSequence> job = tenMinutes().lateRecords(RecordPolicy.DROP);
    for (boolean hasRecord : new boolean[] {false, true}) {
      try (Task task = new Task(job, 1, 0, null)) {
        for (int i = 0; i < 200; i++) {
          task.passes(others.get(i), START + i * MINUTE);
        }
        long step = 2 * (TTL + BOUND);
        long earliest = START + 199 * MINUTE - step - BOUND;
        assertTrue(!hasRecord || task.passes(same.get(0), earliest));
        assertFalse(task.passes("X", earliest - 1));
        assertEquals(1, task.operator().late());
        assertTrue(task.passes("X", earliest));
      }
    }
  }

  /**
   * Two tasks three hours apart are joined, and the slower one's records are in flight, also across
   * a second restart. An aligned checkpoint comes after them, or a watermark near the latest time.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordsInFlightOfJoinedTasksAreInTime(boolean isEndedByWatermark) throws Exception {
    StreamDeduplicator<CharSequence> job = tenMinutes().lateRecords(RecordPolicy.DROP);
    List<String> slower = new ArrayList<>();
    OperatorSubtaskState[] states = new OperatorSubtaskState[2];
    for (int index = 0; index < 2; index++) {
      try (Task task = new Task(job, 2, index, null)) {
        for (int i = 0; i < 360; i++) {
          if (task.has("id" + i)) {
            assertTrue(task.passes("id" + i, START + index * (i * MINUTE / 2)));
            slower.addAll(index == 0 ? List.of("id" + i) : List.of());
          }
        }
        states[index] = task.unaligned();
      }
    }
    OperatorSubtaskState state = AbstractStreamOperatorTestHarness.repackageState(states);
    long time = START;
    for (boolean isAligned : new boolean[] {false, true}) {
      try (Task joined = new Task(job, 1, 0, state)) {
        joined.harness.setProcessingTime(time);
        assertEquals(BOUND, joined.operator().timeLag());
        joined.watermark(time);
        for (String id : slower) {
          assertFalse(joined.passes(id, time + TTL), id);
        }
        time += 2 * TTL;
        for (String id : slower) {
          assertTrue(joined.passes(id, time), id);
        }
        assertEquals(0, joined.operator().late());
        if (isAligned && isEndedByWatermark) {
          long step = 2 * (TTL + BOUND);
          joined.harness.setProcessingTime(START + 179 * MINUTE);
          for (int i = 1; i <= 3; i++) { // the last one ends it
            joined.watermark(START + 179 * MINUTE + i * (step / 2 + 1));
            assertEquals(i < 3, joined.operator().timeLag() > BOUND, i + " watermarks");
          }
        }
        state = isAligned && !isEndedByWatermark ? joined.snapshot() : joined.unaligned();
      }
    }
    try (Task aligned = new Task(job, 1, 0, state)) {
      assertFalse(aligned.passes("new" + slower.get(0), time));
      assertEquals(1, aligned.operator().late());
    }
  }

  /** The middle one of three tasks is divided, one half replays three hours, and all are joined. */
  @Test
  void recordsInFlightOfADividedTaskAreInTime() throws Exception {
    StreamDeduplicator<CharSequence> job = tenMinutes().lateRecords(RecordPolicy.DROP);
    List<String> ofMiddle = new ArrayList<>();
    OperatorSubtaskState[] three = new OperatorSubtaskState[3];
    for (int index = 0; index < 3; index++) {
      try (Task task = new Task(job, 3, index, null)) {
        for (int i = 0; i < 600; i++) {
          if (task.has("id" + i)) {
            assertTrue(task.passes("id" + i, START));
            ofMiddle.addAll(index == 1 ? List.of("id" + i) : List.of());
          }
        }
        three[index] = task.unaligned();
      }
    }
    OperatorSubtaskState[] halves = new OperatorSubtaskState[2];
    List<String> behind = new ArrayList<>();
    for (int index = 0; index < 2; index++) {
      OperatorSubtaskState half =
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              AbstractStreamOperatorTestHarness.repackageState(three), Task.GROUPS, 3, 2, index);
      try (Task task = new Task(job, 2, index, half)) {
        List<String> own = ofMiddle.stream().filter(task::has).toList();
        assertTrue(own.size() > 20, own::toString);
        for (long now = START; index == 0 && now < START + 180 * MINUTE; now += MINUTE) {
          task.passes(own.get(0), now);
        }
        behind = own;
        halves[index] = task.unaligned();
      }
    }
    OperatorSubtaskState state = AbstractStreamOperatorTestHarness.repackageState(halves);
    try (Task joined = new Task(job, 1, 0, state)) {
      for (String id : behind) {
        assertFalse(joined.passes(id, START + TTL), id);
      }
      for (String id : behind) {
        assertTrue(joined.passes(id, START + 3 * TTL), id);
      }
      assertEquals(0, joined.operator().late());
    }
  }

  /** So is a key of the hundred that are listed, whose time did not come. */
  @Test
  void aKeyThatWasPushedOutIsRememberedThoughItsKeyGroupIsSilent() throws Exception {
    List<String> same = ids("X", true, 101);
    List<String> others = ids("X", false, 1);
    try (Task task = new Task(tenMinutes(), 1, 0, null)) {
      start(task, START);
      task.passes(same.get(100), START);
      long now = START + TTL + MINUTE;
      assertTrue(task.passes("X", START + DAY));
      for (String id : same.subList(0, 100)) {
        task.passes(others.get(0), now);
        task.passes(id, START + DAY);
      }
      task.passes(same.get(100), now);
      assertFalse(task.passes("X", START + DAY));
    }
  }

  /** Else more than a hundred records come before the time follows, and push keys out. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRestartAfterAGapPassesNoRepeat(boolean isIncremental) throws Exception {
    List<String> same = ids("X", true, 170);
    Task task = new Task(tenMinutes(), 1, 0, null, isIncremental);
    start(task, START);
    long now = START + DAY;
    for (String id : same) {
      if (id.equals(same.get(60))) {
        task = restored(task, tenMinutes(), isIncremental);
      }
      assertTrue(task.passes(id, now++));
      task.watermark(now - BOUND);
    }
    for (String id : same) {
      assertFalse(task.passes(id, now++), id);
    }
    assertEquals(0, task.operator().late());
    task.close();
  }

  /** The hundredth record passes, of all that the task had before; a new task begins anew. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theTimeFollowsAfterAGapThoughTheJobRestarts(boolean isIncremental) throws Exception {
    StreamDeduplicator<CharSequence> job = tenMinutes().recordsTooFarAhead(RecordPolicy.DROP);
    Task task = new Task(job, 1, 0, null, isIncremental);
    start(task, START);
    for (int i = 0; i < 60; i++) {
      assertFalse(task.passes("one" + i, START + DAY + i));
      task = i % 25 == 24 ? restored(task, job, isIncremental) : task;
    }
    OperatorSubtaskState state = task.snapshot();
    task.close();
    try (Task same = new Task(job, 1, 0, state, isIncremental)) {
      for (int i = 61; i < 120; i++) {
        assertEquals(i >= 100, same.passes("same" + i, START + DAY + i));
      }
    }
    for (int index = 0; index < 2; index++) {
      OperatorSubtaskState half =
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              AbstractStreamOperatorTestHarness.repackageState(state), Task.GROUPS, 1, 2, index);
      try (Task later = new Task(job, 2, index, half, isIncremental)) {
        int sent = 0;
        for (int i = 0; sent < 120; i++) {
          if (later.has("two" + i)) {
            sent++;
            assertEquals(sent >= 100, later.passes("two" + i, START + DAY + 60 + i));
          }
        }
      }
    }
  }

  /** Those that were listed come in time and empty the list; what it pushed out stays. */
  @Test
  void aKeyThatWasPushedOutIsRememberedWhenTheListIsEmpty() throws Exception {
    List<String> same = ids("X", true, 104);
    List<String> others = ids("X", false, 250);
    StreamDeduplicator<CharSequence> job =
        tenMinutes().eventTime(Duration.ofMillis(TTL)).maxTimeStep(Duration.ofMillis(TTL));
    try (Task task = new Task(job, 1, 0, null)) {
      for (String id : others.subList(0, 150)) {
        task.passes(id, START);
      }
      task.passes(same.get(101), START);
      assertTrue(task.passes("X", START + 400 * DAY));
      for (int i = 0; i < 100; i++) {
        task.passes(same.get(i), START + TTL + 1 + i);
        task.passes(others.get(150 + i), START);
      }
      assertFalse(task.passes("X", START + 400 * DAY));
      task.passes(same.get(102), START + MINUTE);
      task.passes(same.get(103), START + TTL + 1_000);
      assertFalse(task.passes("X", START + 400 * DAY), "the list is empty");
    }
  }

  /** Two plans at most overlap, but each restart lies within a time to live of the last one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void plansThatHaveExpiredDoNotCount(boolean isIncremental) throws Exception {
    Task task = new Task(tenMinutes(), 1, 0, null, isIncremental);
    long now = START;
    for (int plan = 1; plan < 20; plan++) {
      StreamDeduplicator<CharSequence> job = tenMinutes().expecting(10_000 + plan, 1e-9);
      for (int restart = 0; restart < 8; restart++) {
        for (int i = 0; i < 100; i++) {
          now += TTL / 200;
          task.passes(plan + " " + restart + " " + i, now);
        }
        OperatorSubtaskState state = task.snapshot();
        task.close();
        task = new Task(job, 1, 0, state, isIncremental);
      }
    }
    task.close();
  }

  @Test
  void plansOfATaskWithoutATimeDoNotCount() throws Exception {
    Task task = new Task(tenMinutes(), 1, 0, null);
    assertTrue(task.passes("id", START));
    for (int plan = 1; plan < 20; plan++) {
      OperatorSubtaskState state = task.snapshot();
      task.close();
      task = new Task(tenMinutes().expecting(10_000 + plan, 1e-9), 1, 0, state);
    }
    assertFalse(task.passes("id", START));
    task.close();
  }

  @Test
  void whatWasTooFarAheadIsRememberedWhenItsTimeComes() throws Exception {
    Task task = started(tenMinutes());
    assertTrue(task.passes("early", START + DAY));
    OperatorSubtaskState state = task.snapshot();
    task.close();
    try (Task again = new Task(tenMinutes(), 1, 0, state)) {
      for (long time = START; time <= START + DAY; time += MINUTE) {
        again.passes("tick" + time, time);
      }
      assertTrue(again.passes("early", START + DAY - TTL - MINUTE) || again.operator().late() > 0);
      assertFalse(again.passes("early", START + DAY + TTL));
    }
  }

  @Test
  void processingTimeADayAheadForOneRecordLosesNothing() throws Exception {
    try (Task task = new Task(tenMinutes().processingTime(), 1, 0, null)) {
      task.harness.setProcessingTime(START);
      task.passes("first", 0);
      task.harness.setProcessingTime(START + 2_000);
      for (int i = 0; i < 40; i++) {
        task.passes("id" + i, 0);
      }
      task.harness.setProcessingTime(START + DAY);
      assertTrue(task.passes("wrong", 0));
      for (int i = 0; i < 8_000; i++) { // each key again after three hours
        task.harness.setProcessingTime(START + 3_000 + (i + 100) * 10_800L);
        assertTrue(task.passes("id" + i % 1_000, 0), "record " + i);
        assertFalse(task.passes("id" + i % 1_000, 0));
      }
    }
  }

  /** The record is judged by the time that stands still, not by the reading. */
  @Test
  void aProcessingTimeThatIsSetBackPassesNoRepeatOfARecordAhead() throws Exception {
    try (Task task = new Task(tenMinutes().processingTime(), 1, 0, null)) {
      for (long time : new long[] {START, START + 1_000, START + DAY, START + 2_000}) {
        task.harness.setProcessingTime(time);
        assertTrue(task.passes("id" + time, 0));
      }
      task.harness.setProcessingTime(START + DAY - 5_000);
      start(task, 0);
      task.harness.setProcessingTime(START + DAY - 6_000 - TTL);
      assertFalse(task.passes("id" + (START + DAY), 0));
    }
  }

  @Test
  void aProcessingTimeThatStaysAheadIsFollowed() throws Exception {
    try (Task task = new Task(tenMinutes().processingTime(), 1, 0, null)) {
      for (long time : new long[] {START, START + 1_000, START + DAY}) {
        task.harness.setProcessingTime(time);
        assertTrue(task.passes("id", 0) || time == START + 1_000);
        assertFalse(task.passes("id", 0));
      }
      task.harness.setProcessingTime(START + DAY + 1_000);
      assertFalse(task.passes("id", 0));
      assertEquals(START + DAY + 1_000, task.operator().filters().latest());
    }
  }
}
