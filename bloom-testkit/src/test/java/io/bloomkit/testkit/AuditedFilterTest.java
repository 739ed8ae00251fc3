package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuditedFilterTest {

  private final IntCountersFilter inner = new IntCountersFilter(10, 0.1);
  private final AuditedFilter<Long> audited = new AuditedFilter<>(inner);

  private static long hash(long element) {
    return HashStrategies.longs().hashLong(element);
  }

  /** Fills the filter with 0 to 9 and returns a false positive. */
  private long fillAndFindAFalsePositive() {
    for (long i = 0; i < 10; i++) {
      audited.add(i);
    }
    long stranger = 10;
    while (!audited.mightContain(stranger)) {
      stranger++;
    }
    return stranger;
  }

  @Test
  void matchingAdditionsAndRemovalsLeaveACleanReport() {
    SplittableRandom random = new SplittableRandom(1);
    List<Long> there = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      if (there.size() < 20 && random.nextBoolean()) {
        there.add(random.nextLong(15));
        audited.add(there.get(there.size() - 1));
      } else if (!there.isEmpty()) {
        assertTrue(audited.remove(there.remove(random.nextInt(there.size()))));
      }
      audited.mightContain(random.nextLong(100));
      audited.count(random.nextLong(100));
    }
    assertTrue(audited.report().isClean(), () -> audited.report().toString());
  }

  @Test
  void aRefusedRemovalIsReportedAndHarmless() {
    audited.add(1L);
    assertFalse(audited.remove(2L));
    assertFalse(audited.removeHash(hash(2)));
    AuditedFilter.Report report = audited.report();
    assertEquals(
        new AuditedFilter.Report(2, 0, 0, List.of(hash(2), hash(2)), List.of(), List.of()), report);
    assertFalse(report.isClean());
    assertTrue(audited.mightContain(1L));
  }

  @Test
  void aRemovedFalsePositiveIsReportedAndThenWhomItHarmed() {
    long stranger = fillAndFindAFalsePositive();
    assertEquals(0, audited.report().falsePositivesRemoved());
    assertTrue(audited.remove(stranger), "the filter cannot know");
    AuditedFilter.Report atOnce = audited.report();
    assertEquals(1, atOnce.falsePositivesRemoved());
    assertEquals(List.of(hash(stranger)), atOnce.firstFalsePositivesRemoved());
    assertEquals(0, atOnce.absentRemovals());
    assertEquals(0, atOnce.falseNegatives());

    // As often as the filter lets it: then at least one counter that others need is zero.
    while (audited.remove(stranger)) {}
    List<Long> negative = new ArrayList<>();
    for (long i = 0; i < 10; i++) {
      if (!audited.mightContain(i)) {
        negative.add(hash(i));
      }
    }
    assertFalse(negative.isEmpty());
    AuditedFilter.Report later = audited.report();
    assertEquals(negative.size(), later.falseNegatives());
    assertEquals(negative, later.firstFalseNegatives());
    assertEquals(1, later.absentRemovals(), "the last removal was refused");
  }

  @Test
  void aFalseNegativeIsSeenByEveryOperation() {
    audited.add(1L);
    inner.remove(1L); // behind the audit's back
    assertFalse(audited.mightContain(1L));
    assertEquals(1, audited.report().falseNegatives());
    assertEquals(0, audited.count(1L));
    assertEquals(2, audited.report().falseNegatives());
    assertFalse(audited.remove(1L));
    assertEquals(3, audited.report().falseNegatives());
    assertTrue(audited.add(1L));
    assertEquals(4, audited.report().falseNegatives());
    assertEquals(1, audited.count(1L));
    assertEquals(5, audited.report().falseNegatives(), "two are there in truth");
    assertEquals(2, audited.trueCount(1L));
    assertEquals(0, audited.report().absentRemovals());
  }

  @Test
  void additionsOfManyAreAudited() {
    long[] hashes = {hash(1), hash(2), hash(3)};
    assertEquals(2, audited.addHashes(new long[] {hash(1), hash(2), hash(2)}, 0, 3));
    assertEquals(1, audited.addHashes(hashes, 0, 3));
    assertEquals(0, audited.addHashes(hashes, 1, 1));
    assertEquals(2, audited.trueCount(1L));
    assertEquals(4, audited.trueCount(2L));
    assertEquals(1, audited.trueCount(3L));
    assertTrue(audited.report().isClean(), () -> audited.report().toString());
  }

  @Test
  void removalsOfManyAreAudited() {
    List.of(1L, 2L, 3L).forEach(audited::add);
    assertEquals(1, audited.removeHashes(new long[] {hash(1), hash(99)}, 0, 2));
    assertEquals(1, audited.removeHashes(new long[] {hash(1), hash(2), hash(3)}, 1, 1));
    assertEquals(1, audited.removeHashes(new long[] {hash(3), hash(98)}, 0, 2));
    for (long element = 1; element <= 3; element++) {
      assertEquals(0, audited.trueCount(element));
    }
    assertEquals(List.of(hash(99), hash(98)), audited.report().firstAbsentRemovals());
  }

  @Test
  void queriesOfManyAreAudited() {
    List.of(1L, 2L).forEach(audited::add);
    inner.remove(1L); // behind the audit's back
    long[] hashes = {hash(1), hash(2), hash(99)};
    boolean[] answers = new boolean[3];
    assertEquals(1, audited.mightContainHashes(hashes, 0, 3, answers));
    assertArrayEquals(new boolean[] {false, true, false}, answers);
    assertEquals(List.of(hash(1)), audited.report().firstFalseNegatives());
    assertEquals(1, audited.mightContainHashes(hashes, 1, 2, answers));
    assertEquals(1, audited.report().falseNegatives());
  }

  /** Behind the audit's back, 1 is gone: the first of its two additions finds that. */
  @Test
  void aBulkAdditionReportsEachFalseNegativeOnce() {
    List.of(1L, 2L).forEach(audited::add);
    inner.remove(1L);
    assertEquals(2, audited.addHashes(new long[] {hash(1), hash(2), hash(3), hash(1)}, 0, 4));
    assertEquals(
        new AuditedFilter.Report(0, 0, 1, List.of(), List.of(), List.of(hash(1))),
        audited.report());
    assertEquals(3, audited.trueCount(1L));
  }

  /** Takes ten additions and adds many of them all or not at all. */
  private static final class TakesTen extends IntCountersFilter {
    private int room = 10;

    TakesTen() {
      super(10, 0.01);
    }

    @Override
    public boolean addHash(long hash) {
      return addHashes(new long[] {hash}, 0, 1) == 1;
    }

    @Override
    public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
      if (length > room) {
        throw new IllegalStateException("the filter is full");
      }
      room -= length;
      long added = 0;
      for (int i = offset; i < offset + length; i++) {
        added += super.addHash(hashes[i]) ? 1 : 0;
      }
      return added;
    }
  }

  @Test
  void aRefusedAdditionOfManyLeavesFilterAndReportAsTheyWere() {
    TakesTen full = new TakesTen();
    AuditedFilter<Long> audit = new AuditedFilter<>(full);
    audit.add(1L);
    audit.add(2L);
    full.remove(1L); // so that an addition of 1 would be a finding
    ObservableState before = ObservableState.of(full, i -> i);
    long[] hashes = LongStream.range(1, 12).map(AuditedFilterTest::hash).toArray();
    assertThrows(IllegalStateException.class, () -> audit.addHashes(hashes, 0, 11));
    assertThrows(IllegalStateException.class, () -> audit.addHashes(hashes, 1, 9));
    before.assertSame(ObservableState.of(full, i -> i), "after refusals");
    assertTrue(audit.report().isClean(), () -> audit.report().toString());
    assertEquals(1, audit.trueCount(1L));
    assertEquals(0, audit.trueCount(3L));
  }

  @Test
  void theReportShowsTheFirstFewAndCountsAll() {
    for (long i = 0; i < 100; i++) {
      audited.remove(i);
    }
    AuditedFilter.Report report = audited.report();
    assertEquals(100, report.absentRemovals());
    assertEquals(AuditedFilter.SHOWN, report.firstAbsentRemovals().size());
    assertEquals(hash(0), report.firstAbsentRemovals().get(0));
    assertThrows(UnsupportedOperationException.class, () -> report.firstAbsentRemovals().add(1L));
    audited.remove(100L);
    assertEquals(100, report.absentRemovals(), "a report does not change");
  }

  @Test
  void clearingForgetsTheElementsButNotTheFindings() {
    audited.add(1L);
    audited.remove(2L);
    audited.clear();
    assertEquals(0, audited.trueCount(1L));
    assertFalse(audited.mightContain(1L));
    assertEquals(0, audited.report().falseNegatives());
    assertEquals(1, audited.report().absentRemovals());
  }

  @Test
  void figuresAreThoseOfTheFilter() {
    fillAndFindAFalsePositive();
    assertEquals(inner.expectedFpp(), audited.expectedFpp());
    assertEquals(inner.approximateElementCount(), audited.approximateElementCount());
    assertEquals(inner.memoryBytes(), audited.memoryBytes());
    assertEquals(inner.strategy(), audited.strategy());
  }
}
