package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs the contracts on broken filters: every fault is caught, every check catches one. */
class BrokenFiltersTest {

  private record Fault(Class<?> contract, Set<String> caughtBy) {}

  private static final List<Fault> FAULTS =
      Stream.of(BrokenInsertableFilters.class, BrokenCountingFilters.class, BrokenRates.class)
          .flatMap(faults -> Stream.of(faults.getDeclaredClasses()))
          .filter(contract -> contract.isAnnotationPresent(CaughtBy.class))
          .map(
              contract ->
                  new Fault(contract, Set.of(contract.getAnnotation(CaughtBy.class).value())))
          .toList();

  /** These have a test of their own, EnginesTest. */
  private static final Set<String> ENGINE_CHECKS =
      Set.of("jqwikIsThereAndTheSeedsAreReported", "jupiterIsThere");

  @Tag("deep")
  @TestFactory
  Stream<DynamicTest> everyFaultIsCaughtByTheCheckMadeForIt() {
    return FAULTS.stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.contract().getSimpleName(),
                    () -> assertEquals(new TreeSet<>(fault.caughtBy()), failedChecks(fault))));
  }

  /** What a fault is named for above is asserted there, so here only the names are compared. */
  @Test
  void everyCheckCatchesAFault() {
    Set<String> checks =
        Stream.of(
                FlatCountingFilterContract.class,
                AllocationContract.class,
                FalsePositiveRateContract.class)
            .flatMap(contract -> Stream.of(contract.getMethods()))
            .filter(BrokenFiltersTest::isCheck)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    checks.removeAll(ENGINE_CHECKS);
    Set<String> caught =
        FAULTS.stream()
            .flatMap(fault -> fault.caughtBy().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(checks, caught);
  }

  @Test
  void aRefusedRemovalNamesTheMethodToOverride() {
    AssertionError refusal =
        assertThrows(
            AssertionError.class,
            new BrokenCountingFilters.RefusesFalsePositives()
                ::removalOfAFalsePositiveTakesAnOccurrenceOrIsRefused);
    assertTrue(
        String.valueOf(refusal.getMessage())
            .contains(
                "; if the filter recognizes false positives, let removesEveryPositive() return"
                    + " false"),
        refusal::toString);
  }

  /** A failure says how the filter was created, what was tried, and what was expected. */
  @Test
  void failuresNameTheFilterAndWhatWasTried() {
    assertEquals(
        "newFilter(-1, 0.01) ==> Expected java.lang.IllegalArgumentException to be thrown, but"
            + " nothing was thrown.",
        failure(BrokenInsertableFilters.SizesAreNotChecked.class));
    assertEquals(
        "the message of newFilter(-1, 0.01) must contain -1: \"bad size\" ==> expected: <true> but"
            + " was: <false>",
        failure(BrokenInsertableFilters.RefusalsNameNoValue.class));
    assertEquals(
        "expectedFpp of an empty filter ==> expected: <0.0> but was: <0.03>; of newFilter(1, 0.03)",
        failure(BrokenInsertableFilters.SaysItsDesignRateAlways.class));
    assertEquals(
        "add(element, 0) ==> Expected java.lang.IllegalArgumentException to be thrown, but nothing"
            + " was thrown.; of newFilter(10, 0.01)",
        failure(BrokenCountingFilters.CopiesAreNotChecked.class));
    assertEquals(
        "countHash of index 1 ==> expected: <1> but was: <2>",
        failure(BrokenCountingFilters.CountIgnoresItsHashForm.class));
  }

  private static String failure(Class<?> contract) {
    return FAULTS.stream()
        .filter(fault -> fault.contract() == contract)
        .flatMap(BrokenFiltersTest::failures)
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .map(result -> String.valueOf(result.getThrowable().orElseThrow().getMessage()))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isCheck(Method method) {
    return method.isAnnotationPresent(Test.class)
        || method.isAnnotationPresent(TestFactory.class)
        || method.isAnnotationPresent(Property.class);
  }

  /** Which of the checks a fault is named for do fail. */
  private static Set<String> failedChecks(Fault fault) {
    return failures(fault)
        .map(event -> event.getTestDescriptor().getSource().orElseThrow())
        .map(source -> ((MethodSource) source).getMethodName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<Event> failures(Fault fault) {
    List<MethodSelector> selectors =
        Stream.of(fault.contract().getMethods())
            .filter(method -> fault.caughtBy().contains(method.getName()) && isCheck(method))
            .map(method -> selectMethod(fault.contract(), method))
            .toList();
    return Stream.of("junit-jupiter", "jqwik").flatMap(engine -> failures(engine, selectors));
  }

  private static Stream<Event> failures(String engine, List<MethodSelector> selectors) {
    return EngineTestKit.engine(engine)
        .configurationParameter("jqwik.database", "target/.jqwik-database-gallery")
        .configurationParameter("jqwik.reporting.usejunitplatform", "true") // not to the console
        .configurationParameter("jqwik.shrinking.default", "OFF")
        .selectors(selectors.toArray(MethodSelector[]::new))
        .execute()
        .testEvents()
        .failed()
        .stream();
  }
}
