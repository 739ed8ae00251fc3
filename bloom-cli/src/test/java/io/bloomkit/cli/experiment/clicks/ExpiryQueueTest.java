package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExpiryQueueTest {

  private static final long DAYS_24 = 24L * 24 * 60 * 60 * 1000;

  private record Entry(long hash, long millis) {}

  @Test
  void itAnswersAsAQueueOfObjects() {
    ExpiryQueue queue = new ExpiryQueue(7);
    Deque<Entry> model = new ArrayDeque<>();
    SplittableRandom random = new SplittableRandom(1);
    long now = Integer.MAX_VALUE - 1000; // passes 2^31 and 2^32 on its way
    for (int i = 0; i < 200_000; i++) {
      now += random.nextInt(50_000);
      if (model.size() < 7 && random.nextBoolean()) {
        model.add(new Entry(random.nextLong(), now));
        queue.add(model.getLast().hash, now);
      } else if (!model.isEmpty()) {
        long age = now - model.getFirst().millis;
        assertFalse(queue.isOldestOlderThan(age, now));
        assertTrue(queue.isOldestOlderThan(age - 1, now));
        assertEquals(model.remove().hash, queue.removeOldest());
      }
    }
    assertTrue(now > 1L << 32);
  }

  @Test
  void emptyOneHasNothingOlder() {
    assertFalse(new ExpiryQueue(3).isOldestOlderThan(0, 1000));
  }

  @Test
  void agesOfTwentyFourDaysAreTold() {
    ExpiryQueue queue = new ExpiryQueue(3);
    queue.add(1, 5);
    assertFalse(queue.isOldestOlderThan(DAYS_24, DAYS_24 + 5));
    assertTrue(queue.isOldestOlderThan(DAYS_24, DAYS_24 + 6));
  }

  @Test
  void fullOneRefusesAndIsLeftAsItWas() {
    ExpiryQueue queue = new ExpiryQueue(2);
    queue.add(1, 0);
    queue.add(2, 0);
    assertThrows(IllegalStateException.class, () -> queue.add(3, 0));
    assertEquals(1, queue.removeOldest());
    assertEquals(2, queue.removeOldest());
    assertFalse(queue.isOldestOlderThan(0, 1000));
  }

  @Test
  void memoryIsThatOfItsPlaces() {
    assertEquals(12 * 36, new ExpiryQueue(36).memoryBytes());
    assertEquals(432_000_000, ExpiryQueue.memoryBytes(36_000_000));
  }
}
