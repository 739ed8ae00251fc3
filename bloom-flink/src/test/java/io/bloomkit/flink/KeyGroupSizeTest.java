package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyGroupSizeTest {

  private static final int ASSIGNMENTS = 100_000;

  /** Returns in how many of 10^5 random assignments some group gets more keys than planned. */
  private static int overflows(int keys, int groups, double overflow) {
    SplittableRandom random = new SplittableRandom(43);
    long planned = KeyGroupSize.of(keys, groups, overflow);
    int overflows = 0;
    int[] counts = new int[groups];
    for (int i = 0; i < ASSIGNMENTS; i++) {
      Arrays.fill(counts, 0);
      int most = 0;
      for (int key = 0; key < keys; key++) {
        most = Math.max(most, ++counts[random.nextInt(groups)]);
      }
      overflows += most > planned ? 1 : 0;
    }
    return overflows;
  }

  @Test
  void noneOfAHundredThousandAssignmentsExceedsThePlan() {
    assertEquals(0, overflows(2_000, 16, KeyGroupSize.OVERFLOW));
    assertEquals(0, overflows(500, 128, KeyGroupSize.OVERFLOW));
  }

  @Test
  void thePlanHasNotMuchMoreRoomThanItNeeds() {
    for (int groups : new int[] {16, 128}) {
      int overflows = overflows(1_000, groups, 0.1);
      assertTrue(
          overflows > ASSIGNMENTS / 10_000 && overflows <= ASSIGNMENTS / 10,
          () -> overflows + " of " + ASSIGNMENTS + " in " + groups + " groups");
    }
  }

  @Test
  void largePlansAreCloseToTheMean() {
    assertEquals(849_674, KeyGroupSize.of(864_000_000, 1_024));
    assertEquals(1_000, KeyGroupSize.of(1_000, 1));
    assertEquals(1, KeyGroupSize.of(1, 32_768));
  }
}
