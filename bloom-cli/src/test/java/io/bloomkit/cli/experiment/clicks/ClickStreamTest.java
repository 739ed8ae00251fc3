package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.experiment.clicks.ClickStream.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClickStreamTest {

  private static final int MESSAGES = 300_000;
  private static final ClickTraffic TRAFFIC = new ClickTraffic(10_000, 0.1, 5000);

  private static ClickStream stream(long messages, long seed) {
    return new ClickStream(TRAFFIC, messages, seed);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.02, 0.5})
  void itKnowsWhichMessagesRepeatAnotherAndWhenThatCame(double doubleClick) {
    ClickTraffic traffic = new ClickTraffic(1000, doubleClick, 5000);
    ClickStream stream = new ClickStream(traffic, MESSAGES, 1);
    Map<UUID, Long> last = new HashMap<>();
    for (int i = 0; i < MESSAGES; i++) {
      Message message = stream.next();
      assertEquals(i, message.millis());
      Long before = last.put(message.id(), message.millis());
      assertEquals(before == null, message.isFirst());
      assertEquals(before == null ? i : before, message.previousMillis());
    }
    assertEquals(doubleClick == 0, last.size() == MESSAGES);
  }

  @Test
  void asManyIdsComeAsTheTrafficSays() {
    ClickStream stream = stream(MESSAGES, 2);
    int first = 0;
    int old = 0;
    for (int i = 0; i < MESSAGES; i++) {
      Message message = stream.next();
      first += message.isFirst() ? 1 : 0;
      old += message.millis() - message.previousMillis() > 5000 ? 1 : 0;
    }
    // Six standard deviations of the number of repeats, at most 11 % of the messages.
    assertEquals(TRAFFIC.idsWithin(30_000), first, 6 * Math.sqrt(0.11 * MESSAGES));
    // Late repeats are 1 % of the messages, those of the first 22.5 seconds on average come.
    assertEquals(2250, old, 6 * Math.sqrt(2250));
  }

  @Test
  void seedDecidesEverything() {
    ClickStream one = stream(MESSAGES, 3);
    ClickStream same = stream(MESSAGES, 3);
    ClickStream shorter = stream(1000, 3);
    ClickStream other = stream(MESSAGES, 4);
    for (int i = 0; i < MESSAGES; i++) {
      Message message = one.next();
      assertEquals(message, same.next());
      assertNotEquals(message.id(), other.next().id());
      if (i < 1000) {
        assertEquals(message, shorter.next());
      }
    }
  }

  @Test
  void idsAreRandomUuids() {
    ClickStream stream = stream(MESSAGES, 5);
    int[] ones = new int[Long.SIZE];
    for (int i = 0; i < MESSAGES; i++) {
      Message message = stream.next();
      assertEquals(4, message.id().version());
      assertEquals(2, message.id().variant());
      for (int bit = 0; bit < Long.SIZE; bit++) {
        ones[bit] += (int) (message.id().getMostSignificantBits() >>> bit & 1);
      }
    }
    for (int bit = 0; bit < Long.SIZE; bit++) {
      if (bit < 12 || bit > 15) {
        // Ten standard deviations: repeats bring the same bits again.
        assertEquals(MESSAGES / 2.0, ones[bit], 5 * Math.sqrt(MESSAGES), "bit " + bit);
      }
    }
  }

  @Test
  void noMoreRepeatsArePendingThanWasSaid() {
    ClickStream stream = stream(MESSAGES, 6);
    int most = 0;
    for (int i = 0; i < MESSAGES; i++) {
      stream.next();
      most = Math.max(most, stream.pendingRepeats());
    }
    double expected = TRAFFIC.pendingRepeats(30_000);
    assertEquals(expected, most, 6 * Math.sqrt(expected));
    assertEquals(0, stream.pendingRepeats(), "repeats that nobody will see");
    assertTrue(TRAFFIC.pendingRepeats(100) < expected);
  }
}
