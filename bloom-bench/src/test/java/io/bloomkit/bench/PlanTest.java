package io.bloomkit.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.bench.result.Goal;
import io.bloomkit.bench.result.Goals;
import io.bloomkit.bench.result.Leaders;
import io.bloomkit.bench.run.Case;
import io.bloomkit.bench.run.Run;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class PlanTest {

  private static void assertPlanned(List<Case> plan, Goal goal, UnaryOperator<Run> condition) {
    Case wanted = Case.duel(condition.apply(goal.run()), condition.apply(goal.peer()));
    assertTrue(plan.contains(wanted), wanted::toString);
  }

  @Test
  void everyGoalIsPlanned() {
    List<Case> plan = Plan.goals();

    Goals.planned().forEach(goal -> assertPlanned(plan, goal, run -> run));
    assertTrue(plan.containsAll(Plan.leaders()));
  }

  @Test
  void leadersArePlannedUnderFurtherConditions() {
    List<Case> plan = Plan.leaders();

    for (Goal goal : Leaders.planned()) {
      assertPlanned(plan, goal, run -> run);
      if (Leaders.hasConditions(goal)) {
        assertPlanned(plan, goal, Run::withUsualFlags);
        assertPlanned(plan, goal, Run::withTwoKinds);
      }
    }
  }
}
