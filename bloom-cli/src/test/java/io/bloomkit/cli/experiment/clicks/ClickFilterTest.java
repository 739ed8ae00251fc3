package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.experiment.clicks.ClickStream.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClickFilterTest {

  private static final ClickTraffic TRAFFIC = new ClickTraffic(1000, 0.02, 2000);

  /** So rare that none is met. */
  private static final double FPP = 1e-12;

  private static final UUID CLICK = new UUID(1, 2);

  @Test
  void countedClicksAreForgottenAtTheirAgeExactly() {
    ClickFilter filter = ClickPlan.counting(TRAFFIC, FPP).filters().get();
    assertTrue(filter.isFirst(CLICK, 0));
    assertFalse(filter.isFirst(CLICK, 2000));
    assertFalse(filter.isFirst(CLICK, 4000)); // the repeat refreshed its age
    assertTrue(filter.isFirst(CLICK, 6001));
  }

  @Test
  void countedClicksAnswerAsAMapOfTimes() {
    ClickFilter filter = ClickPlan.counting(TRAFFIC, FPP).filters().get();
    Map<UUID, Long> last = new HashMap<>();
    ClickStream stream = new ClickStream(TRAFFIC, 50_000, 1);
    int old = 0;
    for (int i = 0; i < 50_000; i++) {
      Message message = stream.next();
      Long before = last.put(message.id(), message.millis());
      boolean isOld = before != null && message.millis() - before > 2000;
      old += isOld ? 1 : 0;
      assertEquals(before == null || isOld, filter.isFirst(message.id(), message.millis()));
    }
    assertTrue(old > 10);
  }

  @Test
  void expiringClicksAreForgottenAtTheEndOfAnEpoch() {
    ClickFilter filter = ClickPlan.expiring(TRAFFIC, FPP).filters().get();
    assertTrue(filter.isFirst(CLICK, 10));
    assertFalse(filter.isFirst(CLICK, 2143)); // an epoch has 134 ms
    assertFalse(filter.isFirst(CLICK, 4143));
    assertTrue(filter.isFirst(CLICK, (4143 / 134 + 16) * 134));
  }

  @Test
  void exactClicksAreRememberedForEver() {
    ClickFilter filter = ClickPlan.exact(TRAFFIC).filters().get();
    assertTrue(filter.isFirst(CLICK, 0));
    assertFalse(filter.isFirst(CLICK, Long.MAX_VALUE));
  }

  @Test
  void exactSetTakesTwiceTheBytesForReferencesFromThirtyTwoGibibytesOn() {
    assertEquals(32 + 4 * 2, ExactClicks.memoryBytes(1));
    assertEquals(32 * 3 + 4 * 4, ExactClicks.memoryBytes(3));
    assertEquals(32 * 4 + 4 * 8, ExactClicks.memoryBytes(4));
    assertEquals(32 * 805_000_000L + 4 * (1L << 30), ExactClicks.memoryBytes(805_000_000));
    assertEquals(
        32 * ClicksCommand.DAY_MESSAGES + 8 * (1L << 31),
        ExactClicks.memoryBytes(ClicksCommand.DAY_MESSAGES));
  }

  @Test
  void planOfAWindowThatNoFilterHoldsSaysWhich() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ClickPlan.ofExperiment(new ClickTraffic(100_000, 0, 86_400_000), 0.1));
    String message = String.valueOf(e.getMessage());
    assertTrue(
        message.startsWith("counting filter: a window has 8,640,000,102 messages, but"), message);
  }
}
