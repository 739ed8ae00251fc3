package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InsertionClockTest {

  private static InsertionClock[] clocks(long epochLength) {
    return new InsertionClock[] {
      new InsertionClock(epochLength, 0),
      new InsertionClock(epochLength, 0, 0, 64),
      new InsertionClock(epochLength, 0, 1, 2),
      new InsertionClock(epochLength, 0, 4, 8),
      new InsertionClock(epochLength, 0, 16, 64)
    };
  }

  @Test
  void theEpochIsThatOfTheNumberOfInsertions() {
    for (long length : new long[] {1, 2, 3, 31, 33, 100, 1025, 10_000}) {
      for (InsertionClock clock : clocks(length)) {
        for (long insertions = 1; insertions < 30_000; insertions++) {
          assertEquals((insertions - 1) / length, clock.beginAddition(0));
          assertEquals(insertions / length, clock.now());
          if (insertions % 1013 == 0) {
            assertEquals(insertions, clock.position());
          }
        }
      }
    }
  }

  @Test
  void insertionsOfAllThreadsAreCountedExactly() throws InterruptedException {
    long each = 50_000;
    for (int threads = 2; threads <= 8; threads += 2) {
      for (long length : new long[] {1, 100, 9_999, each * threads - 1, each * threads}) {
        for (InsertionClock clock : clocks(length)) {
          List<Thread> all = new ArrayList<>();
          for (int i = 0; i < threads; i++) {
            Thread thread =
                new Thread(
                    () -> {
                      for (long j = 0; j < each; j++) {
                        clock.beginAddition(0);
                      }
                    });
            all.add(thread);
            thread.start();
          }
          for (Thread thread : all) {
            thread.join();
          }
          assertEquals(each * threads / length, clock.now());
          assertEquals(each * threads, clock.position());
        }
      }
    }
  }
}
