package io.bloomkit.testkit.internal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceLoader;
import org.junit.platform.engine.TestEngine;

/** Checks that a test engine is present. JUnit skips the tests of a missing engine silently. */
public final class Engines {

  private Engines() {}

  /**
   * Checks that a test engine is on the class path.
   *
   * @param id the id of the engine, such as {@code junit-jupiter} or {@code jqwik}
   * @throws AssertionError if the engine is missing
   */
  public static void requireEngine(String id) {
    boolean present =
        ServiceLoader.load(TestEngine.class).stream().anyMatch(e -> e.get().getId().equals(id));
    assertTrue(
        present,
        () ->
            "the test engine "
                + id
                + " is not on the class path: half of the contract would not run");
  }
}
