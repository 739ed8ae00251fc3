package io.bloomkit.stress;

import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The filters on which races are run. */
enum Subject {
  CLASSIC(Role.OURS, BloomkitFilters::classic, "Additions\\..*"),
  BLOCKED(Role.OURS, BloomkitFilters::blocked, "Additions\\..*"),
  COUNTING(Role.OURS, BloomkitFilters::counting, "(Additions|Removals|Overflow)\\..*"),
  BLOCKED_COUNTING(
      Role.OURS, BloomkitFilters::blockedCounting, "(Additions|Removals|Overflow)\\..*"),
  DYNAMIC_CUCKOO(Role.OURS, BloomkitDynamicFilter::new, "(Additions|Removals|Growth)\\..*"),

  /** The correct filter on which broken filters are based. */
  CORRECT(
      Role.CORRECT,
      CorrectFilter::new,
      "Additions\\.(OfOneElement|To.*)"
          + "|Removals\\.(MeetsAnAddition|OfOneOccurrence|Refused)"
          + "|Overflow\\.AdditionMeetsRemoval"),
  LOSES_ADDITIONS(
      Role.BROKEN,
      BrokenFilters.LosesAdditions::new,
      "Additions\\.(OfOneElement|To.*)|Removals\\.MeetsAnAddition"),
  CHECKS_AFTERWARDS(Role.BROKEN, BrokenFilters.ChecksAfterwards::new, "Additions\\.OfOneElement"),
  DECREMENTS_AND_ROLLS_BACK(
      Role.BROKEN,
      BrokenFilters.DecrementsAndRollsBack::new,
      "Removals\\.(OfOneOccurrence|Refused)"),
  CHECKS_THEN_DECREMENTS(
      Role.BROKEN, BrokenFilters.ChecksThenDecrements::new, "Removals\\.OfOneOccurrence"),
  DOES_NOT_CHECK_AGAIN(
      Role.BROKEN, BrokenFilters.DoesNotCheckAgain::new, "Overflow\\.AdditionMeetsRemoval"),

  /** The correct filter on which broken growing filters are based. */
  CORRECT_GROWING(
      Role.CORRECT,
      CorrectGrowingFilter::new,
      "Growth\\.(MeetsAnAddition|ShrinkingMeetsAnAddition|ShrinkingMeetsQueries)"),
  READS_WITHOUT_VALIDATION(
      Role.BROKEN, BrokenFilters.ReadsWithoutValidation::new, "Growth\\.ShrinkingMeetsQueries"),
  CHANGES_REPLACED_TABLES(
      Role.BROKEN, BrokenFilters.ChangesReplacedTables::new, "Growth\\.MeetsAnAddition"),
  MERGES_WITHOUT_THE_OTHER_LOCK(
      Role.BROKEN,
      BrokenFilters.MergesWithoutTheOtherLock::new,
      "Growth\\.ShrinkingMeetsAnAddition");

  /** The required outcome of the races on a filter. */
  enum Role {
    /** A filter of Bloomkit: no race has a forbidden result. */
    OURS,
    /**
     * A correct base of broken filters: none of their races has a forbidden result, so broken
     * filters fail only by their fault.
     */
    CORRECT,
    /** A broken filter: a race has a forbidden result. */
    BROKEN
  }

  /** The system property that selects the filter in the virtual machine of a race. */
  static final String PROPERTY = "bloomkit.stress.filter";

  final Role role;
  private final Supplier<RacedFilter> empty;
  private final Pattern races;

  Subject(Role role, Supplier<RacedFilter> empty, String races) {
    this.role = role;
    this.empty = empty;
    this.races =
        Pattern.compile(Pattern.quote(Subject.class.getPackageName() + ".") + "(" + races + ")");
  }

  RacedFilter empty() {
    return empty.get();
  }

  /** Returns whether a race is run on this filter. */
  boolean runs(String race) {
    return races.matcher(race).matches();
  }

  /** Returns the filter of this virtual machine. */
  static Subject current() {
    return Subject.valueOf(System.getProperty(PROPERTY));
  }
}
