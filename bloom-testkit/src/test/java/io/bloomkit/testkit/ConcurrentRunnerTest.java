package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.testkit.internal.ConcurrentRunner;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ConcurrentRunnerTest {

  private static boolean meets(CyclicBarrier others) {
    try {
      others.await(20, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      return false;
    }
  }

  @Test
  void partsRunAtTheSameTimeAndResultsKeepTheirOrder() {
    CyclicBarrier all = new CyclicBarrier(3);
    boolean[] results =
        ConcurrentRunner.runAll(() -> meets(all), () -> !meets(all), () -> meets(all));
    assertArrayEquals(new boolean[] {true, false, true}, results);
    assertEquals(0, ConcurrentRunner.runAll().length);
  }

  @Test
  void interruptedRaceFails() {
    CountDownLatch end = new CountDownLatch(1);
    Thread.currentThread().interrupt(); // the flag is cleared when the race notices it
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () ->
                ConcurrentRunner.runAll(
                    () -> {
                      try {
                        return end.await(20, TimeUnit.SECONDS);
                      } catch (InterruptedException unexpected) {
                        return false;
                      }
                    }));
    end.countDown();
    assertInstanceOf(InterruptedException.class, e.getCause());
  }
}
