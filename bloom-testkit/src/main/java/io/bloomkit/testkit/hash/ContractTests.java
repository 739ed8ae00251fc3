package io.bloomkit.testkit.hash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The tests without statistics: properties that every strategy must have. */
final class ContractTests {

  private static final int THREADS = 4;

  private ContractTests() {}

  /**
   * Tests that hashing all keys again gives the same hashes, in reverse order and concurrently in
   * several threads, each of which begins at another key.
   */
  static <T> ExaminationTest deterministic(KeySample<T> sample) {
    int size = sample.size();
    AtomicInteger firstPlace = new AtomicInteger(size);
    AtomicInteger different = new AtomicInteger();
    for (int place = size - 1; place >= 0; place--) {
      compare(sample, place, firstPlace, different);
    }
    Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      int from = (int) ((long) size * t / THREADS);
      threads[t] =
          new Thread(
              () -> {
                for (int i = 0; i < size; i++) {
                  compare(sample, (int) (((long) from + i) % size), firstPlace, different);
                }
              },
              "examination-" + t);
      threads[t].start();
    }
    joinAll(threads);
    return HashTest.DETERMINISTIC.certain(
        "hashes that differ when computed again"
            + (different.get() == 0
                ? ""
                : ", first that of " + shown(sample.key(firstPlace.get()))),
        different.get(),
        (1L + THREADS) * size);
  }

  private static <T> void compare(
      KeySample<T> sample, int place, AtomicInteger firstPlace, AtomicInteger different) {
    long hash;
    try {
      hash = sample.strategy().hash(sample.key(place));
    } catch (RuntimeException e) {
      hash = ~sample.hash(place); // counts as different, since it did not throw the first time
    }
    if (hash != sample.hash(place)) {
      different.incrementAndGet();
      firstPlace.accumulateAndGet(place, Math::min);
    }
  }

  private static void joinAll(Thread[] threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tests that equal keys have equal hashes. Empty if no equal keys can be created. */
  static <T> List<ExaminationTest> equalElements(KeySample<T> sample) {
    List<T> unequal = new ArrayList<>();
    int queried = 0;
    for (int place = 0; place < sample.size(); place++) {
      T equal = sample.equalKey(place);
      if (equal != null) {
        queried++;
        if (sample.hashOf(equal) != sample.hash(place)) {
          unequal.add(equal);
        }
      }
    }
    return queried == 0
        ? List.of()
        : List.of(
            HashTest.EQUAL_ELEMENTS.certain(
                "equal elements with other hashes"
                    + (unequal.isEmpty() ? "" : ", first " + shown(unequal.get(0))),
                unequal.size(),
                queried));
  }

  static <T> ExaminationTest nullRefused(KeySample<T> sample) {
    String answer = answerToNull(sample);
    return HashTest.NULL_REFUSED.certain(
        answer == null ? "nulls that are hashed" : "null is answered by " + answer,
        answer == null ? 0 : 1,
        1);
  }

  /** Returns a description of what the strategy does for null, or null if that is correct. */
  private static <T> @Nullable String answerToNull(KeySample<T> sample) {
    try {
      return "the hash " + sample.strategy().hash(noElement());
    } catch (NullPointerException e) {
      return null;
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  /** Returns null, although the annotations do not allow it. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T noElement() {
    return null;
  }

  /** Returns a key as text for messages, of limited length. */
  static String shown(Object key) {
    int most = 80;
    String text = key instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(key);
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }
}
