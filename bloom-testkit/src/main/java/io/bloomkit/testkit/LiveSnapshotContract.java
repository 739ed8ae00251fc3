package io.bloomkit.testkit;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that a concurrent filter can be saved, merged and compared at any time. Two threads add
 * elements, two remove them again if the filter supports removals, and two take snapshots. Each
 * snapshot must contain every element whose insertion happened before it and whose removal did not
 * begin, must not contain more than what had begun, and must have an element count of its own. If
 * elements can be removed from a snapshot, removing all of them must leave it empty: no update is
 * in it in part.
 */
@ExtendWith(CreatedFilter.class)
public interface LiveSnapshotContract {

  /** Returns the kind of the filters, by default the installed one of their class. */
  default FilterKind kind() {
    Class<?> filterClass = newFilter(1, 0.01).getClass();
    return FilterKind.installed().stream()
        .filter(kind -> kind.filterClass() == filterClass)
        .findAny()
        .orElseThrow();
  }

  /**
   * Returns a new, empty, concurrent filter.
   *
   * @param expectedInsertions the largest number of elements at any one time
   * @param fpp the false-positive rate at that number, in (0, 1)
   */
  StorableFilter<Long> newFilter(long expectedInsertions, double fpp);

  @Test
  default void snapshotsAreWholeWhileOthersWrite() throws Exception {
    new LiveSnapshots(this).run(TimeUnit.MILLISECONDS.toNanos(500));
  }

  /**
   * Runs for the seconds of the system property {@code bloomkit.stressSeconds}, 3 by default; after
   * a change, 600.
   */
  @Test
  @Tag("deep")
  default void snapshotsAreWholeForLong() throws Exception {
    new LiveSnapshots(this)
        .run(TimeUnit.SECONDS.toNanos(Long.getLong("bloomkit.stressSeconds", 3)));
  }
}
