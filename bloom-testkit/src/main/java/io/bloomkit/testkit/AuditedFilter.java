package io.bloomkit.testkit;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategy;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A wrapper that detects removals of elements that were not added. The filter alone does not detect
 * such a removal if the element is a false positive. The wrapper maintains an exact multiset in
 * addition to the filter, and compares the results of the filter with this multiset. Use it to test
 * code that removes elements.
 *
 * <pre>{@code
 * AuditedFilter<String> sessions =
 *     new AuditedFilter<>(CountingBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01));
 * // ... run the code that adds and removes elements ...
 * AuditedFilter.Report report = sessions.report();
 * }</pre>
 *
 * <p>Each operation returns the result of the wrapped filter. The multiset stores hashes, not
 * elements, because no filter distinguishes elements with equal hashes. The wrapped filter must be
 * empty at first and must be used only through this class; otherwise the {@linkplain #report()
 * report} is wrong.
 *
 * <p><b>Cost.</b> The multiset takes 21 to 43 bytes per distinct element, and up to twice that
 * after removals. {@link #memoryBytes()} does not include this memory, and {@link #clear()} does
 * not free it. Each operation also costs a look-up in a hash table. Not thread-safe, even if the
 * filter is.
 *
 * @param <T> the type of the elements
 */
public final class AuditedFilter<T> implements DeletableFilter<T> {

  /** The maximum number of hashes in each list of a {@link Report}. */
  public static final int SHOWN = 10;

  private final DeletableFilter<T> filter;
  private final Long2LongOpenHashMap stored = new Long2LongOpenHashMap();
  private final Findings absentRemovals = new Findings();
  private final Findings falsePositivesRemoved = new Findings();
  private final Findings falseNegatives = new Findings();

  /**
   * Wraps a filter.
   *
   * @param filter an empty filter; this is not checked
   * @throws NullPointerException if the filter is null
   */
  public AuditedFilter(DeletableFilter<T> filter) {
    this.filter = Objects.requireNonNull(filter, "filter");
  }

  /**
   * The findings since the filter was wrapped. {@link #clear()} does not reset them.
   *
   * @param absentRemovals the number of removals that returned false, for an absent element or for
   *     more copies than were added. They do not change the filter, but show that the caller
   *     removes elements that were not added.
   * @param falsePositivesRemoved the number of removals that returned true for an absent element,
   *     because the element was a false positive. Each of these removals took counts from other
   *     elements.
   * @param falseNegatives the number of operations that returned a wrong result for an element that
   *     was already stored: an insertion that returned true, as for an absent element; a query or
   *     removal that returned false; or a count below the true one. In a correct filter, these
   *     occur only after false positives were removed.
   * @param firstAbsentRemovals the hashes of the first absent removals, at most {@value #SHOWN}
   * @param firstFalsePositivesRemoved the hashes of the first false positives removed, at most
   *     {@value #SHOWN}
   * @param firstFalseNegatives the hashes of the first false negatives, at most {@value #SHOWN}
   */
  public record Report(
      long absentRemovals,
      long falsePositivesRemoved,
      long falseNegatives,
      List<Long> firstAbsentRemovals,
      List<Long> firstFalsePositivesRemoved,
      List<Long> firstFalseNegatives) {

    /**
     * Creates a report with copies of the lists.
     *
     * @throws NullPointerException if a list or a hash in it is null
     */
    public Report {
      firstAbsentRemovals =
          List.copyOf(Objects.requireNonNull(firstAbsentRemovals, "firstAbsentRemovals"));
      firstFalsePositivesRemoved =
          List.copyOf(
              Objects.requireNonNull(firstFalsePositivesRemoved, "firstFalsePositivesRemoved"));
      firstFalseNegatives =
          List.copyOf(Objects.requireNonNull(firstFalseNegatives, "firstFalseNegatives"));
    }

    /** Returns whether all three numbers are 0. */
    public boolean isClean() {
      return absentRemovals == 0 && falsePositivesRemoved == 0 && falseNegatives == 0;
    }
  }

  /** Returns the findings so far. */
  public Report report() {
    return new Report(
        absentRemovals.count,
        falsePositivesRemoved.count,
        falseNegatives.count,
        absentRemovals.first,
        falsePositivesRemoved.first,
        falseNegatives.first);
  }

  /**
   * Returns the true count of an element: its insertions since the last {@link #clear()}, minus the
   * removals that returned true while the element was stored. Elements with equal hashes share one
   * count.
   *
   * @throws NullPointerException if the element is null
   */
  public long trueCount(T element) {
    return stored.get(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    return audited(hash, 1, filter.addHash(hash));
  }

  @Override
  public boolean addHash(long hash, long copies) {
    return audited(hash, copies, filter.addHash(hash, copies));
  }

  private boolean audited(long hash, long copies, boolean added) {
    if (added && stored.containsKey(hash)) {
      falseNegatives.add(hash);
    }
    stored.addTo(hash, copies);
    return added;
  }

  /**
   * {@inheritDoc}
   *
   * <p>If the wrapped filter throws, the multiset does not change. A hash that is a false negative
   * before the call is reported once, even if the array contains it several times.
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    Set<Long> negative = new LinkedHashSet<>();
    for (int i = offset; i < offset + length; i++) {
      if (stored.containsKey(hashes[i]) && !filter.mightContainHash(hashes[i])) {
        negative.add(hashes[i]);
      }
    }
    long added = filter.addHashes(hashes, offset, length, wasNew);
    negative.forEach(falseNegatives::add);
    for (int i = offset; i < offset + length; i++) {
      stored.addTo(hashes[i], 1);
    }
    return added;
  }

  @Override
  public boolean removeHash(long hash) {
    return auditedRemoval(hash, 1, filter.removeHash(hash));
  }

  /** {@inheritDoc} If fewer copies are stored, the report has one removal of an absent element. */
  @Override
  public boolean removeHash(long hash, long copies) {
    return auditedRemoval(hash, copies, filter.removeHash(hash, copies));
  }

  private boolean auditedRemoval(long hash, long copies, boolean removed) {
    long truth = stored.get(hash);
    if (truth < copies) {
      (removed ? falsePositivesRemoved : absentRemovals).add(hash);
    } else if (!removed) {
      falseNegatives.add(hash);
    }
    if (removed && truth <= copies) {
      stored.remove(hash);
    } else if (removed) {
      stored.put(hash, truth - copies);
    }
    return removed;
  }

  @Override
  public boolean mightContainHash(long hash) {
    boolean isPositive = filter.mightContainHash(hash);
    if (!isPositive && stored.containsKey(hash)) {
      falseNegatives.add(hash);
    }
    return isPositive;
  }

  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    int positives = filter.mightContainHashes(hashes, offset, length, answers);
    for (int i = offset; i < offset + length; i++) {
      if (!answers[i] && stored.containsKey(hashes[i])) {
        falseNegatives.add(hashes[i]);
      }
    }
    return positives;
  }

  @Override
  public long countHash(long hash) {
    long count = filter.countHash(hash);
    if (count < stored.get(hash)) {
      falseNegatives.add(hash);
    }
    return count;
  }

  /** Removes all elements from the filter and the multiset. The findings remain. */
  @Override
  public void clear() {
    filter.clear();
    stored.clear();
  }

  @Override
  public OptionalLong elementCount() {
    return filter.elementCount();
  }

  @Override
  public Optional<FilterPlan> plan() {
    return filter.plan();
  }

  @Override
  public boolean isOverfull() {
    return filter.isOverfull();
  }

  @Override
  public double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  public FilterEstimate estimate(int lines) {
    return filter.estimate(lines);
  }

  @Override
  public long approximateElementCount() {
    return filter.approximateElementCount();
  }

  /** {@inheritDoc} Does not include the multiset. */
  @Override
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return filter.strategy();
  }

  /** Returns the report and the filter, for logs. */
  @Override
  public String toString() {
    return "AuditedFilter[" + report() + ", " + filter + "]";
  }

  private long hashOf(T element) {
    return filter.strategy().hash(Objects.requireNonNull(element, "element"));
  }

  /** The number of findings of one kind, and the hashes of the first ones. */
  private static final class Findings {
    private long count;
    private final LongArrayList first = new LongArrayList();

    void add(long hash) {
      count++;
      if (first.size() < SHOWN) {
        first.add(hash);
      }
    }
  }
}
