package io.bloomkit.testkit.internal;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EnginesTest {

  @Test
  void bothEnginesComeWithTheTestkit() {
    Engines.requireEngine("jqwik");
    Engines.requireEngine("junit-jupiter");
  }

  @Test
  void anEngineThatIsMissingIsAFailureThatNamesIt() {
    AssertionError failure =
        assertThrows(AssertionError.class, () -> Engines.requireEngine("no-such-engine"));
    assertTrue(failure.toString().contains("no-such-engine"));
  }
}
