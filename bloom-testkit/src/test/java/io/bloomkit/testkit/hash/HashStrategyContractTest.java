package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** The contract finds what the examination finds, by tests of the same names. */
@Deep
class HashStrategyContractTest {

  static final class IdentityOnRowNumbers implements HashStrategyContract<Long> {
    @Override
    public HashStrategy<Long> strategy() {
      return BadStrategies.identity();
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  static final class CountingOnRowNumbers implements HashStrategyContract<Long> {

    private static final HashStrategy<Long> STRATEGY = BadStrategies.everyCallAnother();

    @Override
    public HashStrategy<Long> strategy() {
      return STRATEGY;
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  static final class HundredsOnRowNumbers implements HashStrategyContract<Long> {
    @Override
    public HashStrategy<Long> strategy() {
      return BadStrategies.hundreds();
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  static final class FewKeys implements HashStrategyContract<Long> {
    @Override
    public HashStrategy<Long> strategy() {
      return HashStrategies.longs();
    }

    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public HashStrategyExamination<Long> examination() {
      return HashStrategyContract.super.examination().keys(5000);
    }
  }

  private static Events testsOf(Class<?> contract, String engine) {
    return EngineTestKit.engine(engine)
        .configurationParameter("jqwik.database", "target/.jqwik-database")
        .configurationParameter("jqwik.reporting.usejunitplatform", "true") // not to the console
        .selectors(selectClass(contract))
        .execute()
        .testEvents();
  }

  private static Set<String> names(Events events) {
    return events.stream()
        .map(event -> event.getTestDescriptor().getDisplayName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String message(Events failures, String test) {
    Event failure =
        failures.stream()
            .filter(event -> event.getTestDescriptor().getDisplayName().equals(test))
            .findFirst()
            .orElseThrow(() -> new AssertionError(test + " did not fail: " + names(failures)));
    return failure
        .getPayload(TestExecutionResult.class)
        .flatMap(TestExecutionResult::getThrowable)
        .map(Throwable::toString)
        .orElseThrow();
  }

  @Test
  void theContractFindsWhatTheExaminationFinds() {
    IdentityOnRowNumbers contract = new IdentityOnRowNumbers();
    ExaminationReport report = contract.examination().run();
    Events events = testsOf(IdentityOnRowNumbers.class, "junit-jupiter");
    Set<String> expected =
        report.findings().stream()
            .map(ExaminationTest::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(expected.size() > 5, expected::toString);
    expected.add("verdict");
    assertEquals(expected, names(events.failed()));
    assertTrue(
        names(events.finished())
            .containsAll(report.tests().stream().map(ExaminationTest::name).toList()),
        "a question without a test");
    assertTrue(message(events.failed(), "verdict").contains("identity is UNFIT on 262144 keys"));
  }

  @Test
  void everyWayInFindsWhatBreaksAPromiseAndJqwikShrinksItToTheFirstElement() {
    Events jupiter = testsOf(CountingOnRowNumbers.class, "junit-jupiter").failed();
    assertTrue(message(jupiter, "deterministic").contains("first that of 0"));
    Events jqwik = testsOf(CountingOnRowNumbers.class, "jqwik").failed();
    assertEquals(Set.of("equalElementsHaveEqualHashes"), names(jqwik));
    String message = message(jqwik, "equalElementsHaveEqualHashes");
    assertTrue(message.contains("the hash of 0 again"), message);
  }

  @Test
  void jqwikShrinksACollisionToItsSmallestElements() {
    Events jqwik = testsOf(HundredsOnRowNumbers.class, "jqwik").failed();
    assertEquals(Set.of("differentElementsHaveDifferentHashes"), names(jqwik));
    String message = message(jqwik, "differentElementsHaveDifferentHashes");
    assertTrue(
        List.of("0 and 1 share a hash", "1 and 0 share a hash").stream()
            .anyMatch(message::contains),
        message);
    Events jupiter = testsOf(HundredsOnRowNumbers.class, "junit-jupiter").failed();
    assertTrue(names(jupiter).contains("collisions"), () -> names(jupiter).toString());
  }

  @Test
  void tooFewKeysFailTheVerdictAndNothingElse() {
    Events events = testsOf(FewKeys.class, "junit-jupiter").failed();
    assertEquals(Set.of("verdict"), names(events));
    assertTrue(message(events, "verdict").contains("more are needed to be sure"));
  }
}
