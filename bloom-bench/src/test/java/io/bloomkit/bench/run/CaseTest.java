package io.bloomkit.bench.run;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.bench.subject.Subject;
import org.junit.jupiter.api.Test;

class CaseTest {

  private static final Run RUN = Run.of(Subject.BLOCKED, Keys.LONGS, 1000, 0.01);

  private static boolean isDelayed(Case it) {
    return it.options().getJvmArgs().get().stream()
        .anyMatch(flag -> flag.startsWith("-XX:Tier3DelayOn="));
  }

  @Test
  void virtualMachineHasTheUsualFlagsOnlyOnRequest() {
    assertTrue(isDelayed(Case.pair(RUN, RUN)));
    assertTrue(isDelayed(Case.single(Subject.BLOCKED, Keys.LONGS, 1000, 0.01)));
    assertFalse(isDelayed(Case.pair(RUN.withUsualFlags(), RUN.withUsualFlags())));
  }
}
