package io.bloomkit.stress;

import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The filters on which races are run. */
enum Subject {
  CLASSIC(Role.OURS, OurFilters::classic, "Additions\\..*"),
  BLOCKED(Role.OURS, OurFilters::blocked, "Additions\\..*"),
  COUNTING(Role.OURS, OurFilters::counting, "(Additions|Removals|Overflow)\\..*"),
  BLOCKED_COUNTING(Role.OURS, OurFilters::blockedCounting, "(Additions|Removals|Overflow)\\..*"),
  DYNAMIC_CUCKOO(Role.OURS, OurDynamicFilter::new, "(Additions|Removals|Growth)\\..*"),

  /** The correct filter on which broken filters are based. */
  SOUND(
      Role.SOUND,
      SoundFilter::new,
      "Additions\\.(OfOneElement|To.*)"
          + "|Removals\\.(MeetsAnAddition|OfOneOccurrence|Refused)"
          + "|Overflow\\.AdditionMeetsRemoval"),
  LOSES_ADDITIONS(
      Role.BROKEN,
      BrokenFilters.LosesAdditions::new,
      "Additions\\.(OfOneElement|To.*)|Removals\\.MeetsAnAddition"),
  LOOKS_AFTERWARDS(Role.BROKEN, BrokenFilters.LooksAfterwards::new, "Additions\\.OfOneElement"),
  TAKES_AND_ROLLS_BACK(
      Role.BROKEN, BrokenFilters.TakesAndRollsBack::new, "Removals\\.(OfOneOccurrence|Refused)"),
  LOOKS_THEN_TAKES(Role.BROKEN, BrokenFilters.LooksThenTakes::new, "Removals\\.OfOneOccurrence"),
  DOES_NOT_LOOK_AGAIN(
      Role.BROKEN, BrokenFilters.DoesNotLookAgain::new, "Overflow\\.AdditionMeetsRemoval"),

  /** The correct filter on which broken growing filters are based. */
  SOUND_GROWING(
      Role.SOUND,
      SoundGrowingFilter::new,
      "Growth\\.(MeetsAnAddition|ShrinkingMeetsAnAddition|ShrinkingMeetsQueries)"),
  READS_WITHOUT_LOOKING_AGAIN(
      Role.BROKEN, BrokenFilters.ReadsWithoutLookingAgain::new, "Growth\\.ShrinkingMeetsQueries"),
  CHANGES_WHAT_WAS_REPLACED(
      Role.BROKEN, BrokenFilters.ChangesWhatWasReplaced::new, "Growth\\.MeetsAnAddition"),
  JOINS_WITHOUT_THE_OTHER_LOCK(
      Role.BROKEN,
      BrokenFilters.JoinsWithoutTheOtherLock::new,
      "Growth\\.ShrinkingMeetsAnAddition");

  /** The required outcome of the races on a filter. */
  enum Role {
    /** A filter of Bloomkit: no race has a forbidden result. */
    OURS,
    /**
     * A correct base of broken filters: none of their races has a forbidden result, so broken
     * filters fail only by their fault.
     */
    SOUND,
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
  static Subject chosen() {
    return Subject.valueOf(System.getProperty(PROPERTY));
  }
}
