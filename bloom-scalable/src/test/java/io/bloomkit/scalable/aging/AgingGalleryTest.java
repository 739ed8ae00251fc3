package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * Runs the contracts on {@link BrokenAgingFilters} and {@link BrokenTimedAgingFilters}: every fault
 * is caught, every check catches one.
 */
@Tag("deep")
class AgingGalleryTest {

  private record Fault(Class<?> contract, Set<String> caughtBy) {
    static Fault of(Class<?> contract, String... caughtBy) {
      return new Fault(contract, Set.of(caughtBy));
    }
  }

  private static final List<Fault> FAULTS =
      List.of(
          Fault.of(
              BrokenAgingFilters.DoesNotAskTheOldestSlice.class,
              "elementsWithinTheWindowAreAlwaysPositive",
              "aLongHistoryKeepsTheWindowPositive",
              "aRepeatIsToldAndRefreshesItsAge"),
          Fault.of(
              BrokenAgingFilters.GenerationsAreOneTooShort.class,
              "elementsWithinTheWindowAreAlwaysPositive",
              "aRepeatIsToldAndRefreshesItsAge"),
          Fault.of(
              BrokenAgingFilters.RepeatsAreNotRefreshed.class,
              "elementsWithinTheWindowAreAlwaysPositive",
              "aLongHistoryKeepsTheWindowPositive",
              "aRepeatIsToldAndRefreshesItsAge"),
          Fault.of(
              BrokenAgingFilters.ForgetsToClearASlice.class,
              "theRateIsThePlannedOneAllAroundTheCycle",
              "forgottenElementsAreAsRarelyPositiveAsAbsentOnes"),
          Fault.of(
              BrokenAgingFilters.ClearsAQuarterOfASlice.class,
              "theRateIsThePlannedOneAllAroundTheCycle"),
          Fault.of(
              BrokenAgingFilters.ShiftsBeforeItLooks.class,
              "addReturnsWhetherTheElementWasNegativeBefore"),
          Fault.of(
              BrokenAgingFilters.CountsHitsThatAreNotInARow.class,
              "elementsNeverAddedFollowTheRateOfTheStateAllAroundTheCycle"),
          Fault.of(
              BrokenAgingFilters.SaysItForgetsSooner.class,
              "forgottenElementsAreAsRarelyPositiveAsAbsentOnes"),
          Fault.of(
              BrokenAgingFilters.ClearKeepsItsPlaceInTheCycle.class, "aClearedFilterBeginsAnew"),
          Fault.of(BrokenAgingFilters.ElementsAreHashedTwice.class, "anElementAndItsHashAgeAlike"),
          Fault.of(
              BrokenAgingFilters.SaysItsDesignRateAlways.class, "aNewFilterOfAnyWindowIsNegative"),
          Fault.of(
              BrokenAgingFilters.SaysThreeTimesItsRate.class,
              "theRateIsThePlannedOneAllAroundTheCycle"),
          Fault.of(BrokenAgingFilters.TakesMemoryAsItGoes.class, "memoryIsTakenOnceAndForAll"),
          Fault.of(BrokenAgingFilters.NullsAreIgnored.class, "nullsAreRefusedAndAgeNothing"),
          Fault.of(
              BrokenAgingFilters.WindowsAreNotChecked.class, "badWindowsAreRefusedByTheirValue"),
          Fault.of(
              BrokenAgingFilters.EstimatesATenthTooMany.class,
              "approximateElementCountIsCloseWhileTheWindowFills"),
          Fault.of(
              BrokenTimedAgingFilters.GenerationsAreAPartTooShort.class,
              "elementsWithinTheWindowArePositiveHoweverTheClockGoes",
              "anElementStaysForTheWindowFromEveryMomentOfTheCycle"),
          Fault.of(
              BrokenTimedAgingFilters.GenerationsEndWhenTheyAreFullToo.class,
              "elementsWithinTheWindowArePositiveHoweverTheClockGoes",
              "additionsAboveThePlanKeepTheWindowAndRaiseTheRateAsSaid"),
          Fault.of(
              BrokenTimedAgingFilters.RepeatsAreNotRefreshed.class,
              "elementsWithinTheWindowArePositiveHoweverTheClockGoes",
              "aRepeatIsToldAndRefreshesItsAge"),
          Fault.of(
              BrokenTimedAgingFilters.FollowsTheClockBack.class,
              "elementsWithinTheWindowArePositiveHoweverTheClockGoes",
              "timeThatRunsBackwardsIsTreatedAsNow"),
          Fault.of(
              BrokenTimedAgingFilters.ClearsWhenTheClockGoesBack.class,
              "elementsWithinTheWindowArePositiveHoweverTheClockGoes",
              "timeThatRunsBackwardsIsTreatedAsNow"),
          Fault.of(
              BrokenTimedAgingFilters.APauseEndsButOneGeneration.class,
              "aLongPauseForgetsEverything"),
          Fault.of(
              BrokenTimedAgingFilters.APauseOfTwoGenerationsForgetsAll.class,
              "elementsWithinTheWindowArePositiveHoweverTheClockGoes",
              "aRepeatIsToldAndRefreshesItsAge"),
          Fault.of(
              BrokenTimedAgingFilters.QueriesDoNotLookAtTheClock.class,
              "aLongPauseForgetsEverything"),
          Fault.of(
              BrokenTimedAgingFilters.CountsMoreTimeThanALongHolds.class,
              "aLongPauseForgetsEverything"),
          Fault.of(
              BrokenTimedAgingFilters.AddLooksAtWhatIsDue.class,
              "addReturnsWhetherTheElementWasNegativeBefore"),
          Fault.of(
              BrokenTimedAgingFilters.ElementsAreHashedTwice.class, "anElementAndItsHashAgeAlike"),
          Fault.of(
              BrokenTimedAgingFilters.ClearKeepsItsPlaceInTheCycle.class,
              "aClearedFilterBeginsAnew"),
          Fault.of(
              BrokenTimedAgingFilters.ForgetsToClearASlice.class,
              "theRateIsThePlannedOneAllAroundTheCycle"),
          Fault.of(
              BrokenTimedAgingFilters.SaysItsDesignRateAlways.class,
              "additionsAboveThePlanKeepTheWindowAndRaiseTheRateAsSaid"),
          Fault.of(
              BrokenTimedAgingFilters.SaysThreeTimesItsRate.class,
              "additionsAboveThePlanKeepTheWindowAndRaiseTheRateAsSaid",
              "theRateIsThePlannedOneAllAroundTheCycle"),
          Fault.of(
              BrokenTimedAgingFilters.OneMorePositiveInAThousand.class,
              "elementsNeverAddedFollowALowRateOfTheStateAllAroundTheCycle",
              "elementsNeverAddedFollowTheRateOfTheStateAllAroundTheCycle"),
          Fault.of(
              BrokenTimedAgingFilters.SaysItForgetsSooner.class,
              "forgottenElementsAreAsRarelyPositiveAsAbsentOnes"),
          Fault.of(BrokenTimedAgingFilters.TakesMemoryAsItGoes.class, "memoryIsTakenOnceAndForAll"),
          Fault.of(BrokenTimedAgingFilters.NullsAreIgnored.class, "nullsAreRefusedAndAgeNothing"),
          Fault.of(
              BrokenTimedAgingFilters.WindowsAreNotChecked.class,
              "badWindowsAreRefusedByTheirValue"));

  /** Checks of the setup, not of filters. */
  private static final Set<String> ENGINE_CHECKS =
      Set.of("jqwikIsThereAndTheSeedsOfHistoriesAreReported", "jupiterIsThereToo");

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
        Stream.of(AgingFilterContract.class, TimedAgingFilterContract.class)
            .flatMap(contract -> Stream.of(contract.getMethods()))
            .filter(AgingGalleryTest::isCheck)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    checks.removeAll(ENGINE_CHECKS);
    Set<String> caught =
        FAULTS.stream()
            .flatMap(fault -> fault.caughtBy().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(checks, caught);
  }

  private static boolean isCheck(Method method) {
    return method.isAnnotationPresent(Test.class)
        || method.isAnnotationPresent(TestFactory.class)
        || method.isAnnotationPresent(Property.class);
  }

  /** Which of the checks a fault is named for do fail. */
  private static Set<String> failedChecks(Fault fault) {
    List<MethodSelector> selectors =
        Stream.of(fault.contract().getMethods())
            .filter(method -> fault.caughtBy().contains(method.getName()) && isCheck(method))
            .map(method -> selectMethod(fault.contract(), method))
            .toList();
    return Stream.of("junit-jupiter", "jqwik")
        .flatMap(engine -> failedChecks(engine, selectors))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> failedChecks(String engine, List<MethodSelector> selectors) {
    return EngineTestKit.engine(engine)
        .configurationParameter("jqwik.database", "target/.jqwik-database-gallery")
        .configurationParameter("jqwik.reporting.usejunitplatform", "true") // not to the console
        .configurationParameter("jqwik.shrinking.default", "OFF")
        .selectors(selectors.toArray(MethodSelector[]::new))
        .execute()
        .testEvents()
        .failed()
        .stream()
        .map(event -> event.getTestDescriptor().getSource().orElseThrow())
        .map(source -> ((MethodSource) source).getMethodName());
  }
}
