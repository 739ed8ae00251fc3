package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The protocol of {@link SnapshotGate} in all orders of its steps. Two additions and a removal meet
 * a snapshot: A takes the counters 0 and 1, B takes 0 and 2, and Y, which takes 1 and 2, is
 * removed. The number of elements is a sum of two stripes, as in a {@code LongAdder}.
 */
class SnapshotGateModelTest {

  /** A way to get it wrong. */
  private enum Fault {
    NO_SECOND_COUNT,
    NO_SUM,
    NO_WAIT_FOR_REMOVALS,
    REMOVALS_IGNORE_THE_GATE
  }

  private static final int A = 0;
  private static final int B = 1;

  /** The index of the step of a thread: additions A and B, the removal, the snapshot. */
  private static final int REMOVAL = 2;

  private static final int SNAPSHOT = 3;
  private static final int COUNTER = 4;
  private static final int STRIPE = 7;
  private static final int IS_CLOSED = 9;
  private static final int IS_LOCKED = 10;

  /** What the snapshot has read: the count, and the counters. */
  private static final int BEFORE = 11;

  private static final int COPY = 12;

  /** A second reading of the count. */
  private static final int AFTER = 15;

  /** Which of the three updates had ended when the snapshot began. */
  private static final int ENDED = 16;

  private static final int LENGTH = 19;
  private static final int DONE = 99;

  private final EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
  private final Set<IntBuffer> seen = new HashSet<>();
  private final Deque<int[]> open = new ArrayDeque<>();
  private int taken;
  private int broken;

  /** Tries all orders. Returns the number of states in which a snapshot is broken. */
  private int run() {
    int[] first = new int[LENGTH];
    first[COUNTER + 1] = 1; // Y
    first[COUNTER + 2] = 1;
    first[STRIPE] = 1;
    reach(first);
    while (!open.isEmpty()) {
      int[] state = open.pop();
      boolean isStuck = true;
      for (int thread = A; thread <= SNAPSHOT; thread++) {
        int[] next = state.clone();
        if (state[thread] != DONE && step(thread, next)) {
          isStuck = false;
          reach(next);
        }
      }
      boolean isOver = Arrays.stream(state, A, SNAPSHOT + 1).allMatch(step -> step == DONE);
      assertEquals(isOver, isStuck, () -> "threads wait for each other: " + Arrays.toString(state));
    }
    return broken;
  }

  private void reach(int[] state) {
    if (seen.add(IntBuffer.wrap(state))) {
      open.push(state);
    }
  }

  /** Takes the next step of a thread. Returns false if the thread waits. */
  private boolean step(int thread, int[] state) {
    return switch (thread) {
      case SNAPSHOT -> snapshot(state);
      case REMOVAL -> remove(state);
      default -> add(thread, state);
    };
  }

  private static boolean add(int thread, int[] state) {
    switch (state[thread]++) {
      case 0 -> {
        return state[IS_CLOSED] == 0;
      }
      case 1 -> state[STRIPE + thread]++;
      case 2 -> state[COUNTER]++;
      default -> {
        state[COUNTER + 1 + thread]++;
        state[thread] = DONE;
      }
    }
    return true;
  }

  private boolean remove(int[] state) {
    switch (state[REMOVAL]++) {
      case 0 -> {
        if (state[IS_LOCKED] == 1) {
          return false;
        }
        state[IS_LOCKED] = 1;
      }
      case 1 -> {
        if (state[IS_CLOSED] == 1 && !faults.contains(Fault.REMOVALS_IGNORE_THE_GATE)) {
          state[IS_LOCKED] = 0;
          state[REMOVAL] = 5;
        }
      }
      case 2 -> state[COUNTER + 1]--;
      case 3 -> state[COUNTER + 2]--;
      case 4 -> {
        state[STRIPE + 1]--;
        state[IS_LOCKED] = 0;
        state[REMOVAL] = DONE;
      }
      default -> { // waits at the gate, then begins again
        state[REMOVAL] = 0;
        return state[IS_CLOSED] == 0;
      }
    }
    return true;
  }

  private boolean snapshot(int[] state) {
    int step = state[SNAPSHOT]++;
    switch (step) {
      case 0 -> {
        for (int thread = A; thread < SNAPSHOT; thread++) {
          state[ENDED + thread] = state[thread] == DONE ? 1 : 0;
        }
      }
      case 1 -> state[IS_CLOSED] = 1;
      case 2 -> {
        return state[IS_LOCKED] == 0 || faults.contains(Fault.NO_WAIT_FOR_REMOVALS);
      }
      case 3 -> state[BEFORE] = state[STRIPE];
      case 4 -> state[BEFORE] += state[STRIPE + 1];
      case 5, 6, 7 -> state[COPY + step - 5] = state[COUNTER + step - 5];
      case 8 -> state[AFTER] = state[STRIPE];
      case 9 -> state[AFTER] += state[STRIPE + 1];
      default -> {
        state[IS_CLOSED] = 0;
        int sum = state[COPY] + state[COPY + 1] + state[COPY + 2];
        boolean isAccepted =
            (state[AFTER] == state[BEFORE] || faults.contains(Fault.NO_SECOND_COUNT))
                && (sum == 2 * state[BEFORE] || faults.contains(Fault.NO_SUM));
        state[SNAPSHOT] = isAccepted ? DONE : 1;
        taken += isAccepted ? 1 : 0;
        broken += isAccepted && !isWhole(state) ? 1 : 0;
      }
    }
    return true;
  }

  private static boolean isWhole(int[] state) {
    for (int updates = 0; updates < 8; updates++) {
      int a = updates & 1;
      int b = (updates >> 1) & 1;
      int y = updates >> 2;
      if (state[COPY] == a + b
          && state[COPY + 1] == a + y
          && state[COPY + 2] == b + y
          && state[BEFORE] == a + b + y
          && a >= state[ENDED + A]
          && b >= state[ENDED + B]
          && 1 - y >= state[ENDED + REMOVAL]) {
        return true;
      }
    }
    return false;
  }

  @Test
  void inEveryOrderASnapshotHasWholeUpdates() {
    assertEquals(0, run());
    assertTrue(taken > 100, () -> taken + " snapshots");
  }

  @Test
  void eachPartOfTheProtocolIsNeeded() {
    for (Fault fault : Fault.values()) {
      SnapshotGateModelTest model = new SnapshotGateModelTest();
      model.faults.add(fault);
      assertNotEquals(0, model.run(), fault.name());
    }
  }
}
