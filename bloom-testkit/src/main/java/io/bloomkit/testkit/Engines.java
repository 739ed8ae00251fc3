package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceLoader;
import org.junit.platform.engine.TestEngine;

/** Checks that the test engines are present: without its engine, a test is skipped silently. */
public final class Engines {

  private Engines() {}

  /** Fails if a test engine is not on the class path. */
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
