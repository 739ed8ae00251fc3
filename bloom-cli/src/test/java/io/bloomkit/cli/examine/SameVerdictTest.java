package io.bloomkit.cli.examine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.bloomkit.cli.ExamineRun;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.hash.ExaminationReport;
import io.bloomkit.testkit.hash.HashStrategyContract;
import io.bloomkit.testkit.hash.HashStrategyExamination;
import io.bloomkit.testkit.hash.Verdict;
import io.bloomkit.testkit.keys.KeySource;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A test class, a call, and the command give one verdict, test by test. */
class SameVerdictTest {

  @Tag("deep")
  @Test
  void theyGiveOneVerdictOnAHashThatIsUnfit() {
    ExaminationReport report =
        HashStrategyExamination.of(FaultyStrategies.IDENTITY)
            .elements(KeySource.SEQUENTIAL.longs(1))
            .seed(1)
            .run();
    assertEquals(Verdict.UNFIT, report.verdict());
    Map<String, Boolean> passed = new TreeMap<>();
    report.tests().forEach(test -> passed.put(test.name(), test.passed()));

    ExamineRun command =
        ExamineRun.of("--json", "--strategy", FaultyStrategies.class.getName() + "#IDENTITY");
    assertEquals("UNFIT", command.verdict());
    Map<String, Object> passedByCommand = new TreeMap<>();
    command
        .tests()
        .forEach((name, test) -> passedByCommand.put(name, requireNonNull(test.get("passed"))));
    assertEquals(passed, passedByCommand);

    Map<String, TestExecutionResult> outcomes = outcomes(IdentityOnRowNumbers.class);
    TestExecutionResult verdict = requireNonNull(outcomes.remove("verdict"));
    Set<String> failed = new TreeSet<>();
    outcomes.forEach(
        (name, outcome) -> {
          if (outcome.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            failed.add(name);
          }
        });
    Set<String> found = new TreeSet<>();
    report.findings().forEach(test -> found.add(test.name()));
    assertEquals(found, failed);
    String message = String.valueOf(verdict.getThrowable().orElseThrow().getMessage());
    assertEquals("UNFIT", message.replaceFirst("(?s).*? is (\\w+) on .*", "$1"), message);
  }

  /** How each dynamic test of a contract ended. */
  private static Map<String, TestExecutionResult> outcomes(Class<?> contract) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(contract))
        .execute()
        .testEvents()
        .finished()
        .stream()
        .collect(
            Collectors.toMap(
                event -> event.getTestDescriptor().getDisplayName(),
                event -> event.getRequiredPayload(TestExecutionResult.class)));
  }

  static final class IdentityOnRowNumbers implements HashStrategyContract<Long> {
    @Override
    public HashStrategy<? super Long> strategy() {
      return FaultyStrategies.IDENTITY;
    }

    @Override
    public Long element(long index) {
      return KeySource.SEQUENTIAL.longs(1).apply(index);
    }
  }
}
