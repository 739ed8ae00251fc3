package io.bloomkit.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.bench.result.Goals;
import io.bloomkit.bench.run.Case;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

  @Test
  void whatTheGoalsCompareIsPlanned() {
    List<Case> planned = Plan.goals();
    for (Goals.Goal goal : Goals.planned()) {
      Case wanted = Case.duel(goal.run(), goal.peer());
      assertTrue(planned.contains(wanted), wanted::toString);
    }
  }
}
