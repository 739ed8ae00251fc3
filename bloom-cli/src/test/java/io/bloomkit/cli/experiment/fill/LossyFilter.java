package io.bloomkit.cli.experiment.fill;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.jspecify.annotations.Nullable;

/** A counting filter with a fault that the experiment has to find. */
public final class LossyFilter implements DeletableFilter<CharSequence> {

  /** What is wrong, and how the complaint begins. */
  public enum Fault {
    NONE(""),
    FORGETS_ADDED("lossy is negative for 1 of 1,000 elements that were added, the first "),
    REFUSES_TO_REMOVE("lossy refuses to remove 1 of 500 elements that were added, the first "),
    REMOVES_TOO_MUCH("lossy is negative for "),
    LEAVES_A_TRACE("lossy differs after the removal from a filter of the remaining elements"),

    /** After a removal, and only what is there still. */
    COUNTS_TWICE(
        "lossy differs after the removal from a filter of the remaining elements, for 500 of 1,000 "),

    /** After a removal, what was never added; no id shows it. */
    FALSE_POSITIVES_AFTER_REMOVAL(
        "lossy differs after the removal from a filter of the remaining elements, for 20 of 20 ");

    private final String message;

    Fault(String message) {
      this.message = message;
    }

    String message() {
      return message;
    }

    /** Whether filters that have it may be equal. */
    boolean isVisibleToQueriesOnly() {
      return this == COUNTS_TWICE || this == FALSE_POSITIVES_AFTER_REMOVAL;
    }
  }

  private static final int UNLUCKY = 333;

  private final CountingBloomFilter<CharSequence> filter;
  private final Fault fault;
  private final LongOpenHashSet ever = new LongOpenHashSet();
  private int additions;
  private int removals;

  private LossyFilter(FlatShape shape, Fault fault) {
    this.filter = CountingBloomFilter.builder(HashStrategies.utf8()).shape(shape).build();
    this.fault = fault;
  }

  /** Returns one that equals another of the same contents. */
  public static Candidate candidate(int elements, Fault fault) {
    return candidate(elements, fault, /* isComparable= */ true);
  }

  /** Returns one that must be compared with another to know whether it holds the same. */
  static Candidate withoutEquals(int elements, Fault fault) {
    return candidate(elements, fault, /* isComparable= */ false);
  }

  private static Candidate candidate(int elements, Fault fault, boolean isComparable) {
    // So large that no false positive hides what is lost.
    FlatShape shape = Shape.of(elements, 1e-12);
    FilterLayout layout =
        FilterLayout.of(
            shape, CountingBloomFilter.builder(HashStrategies.utf8()).shape(shape).memoryBytes());
    return new Candidate(
        "lossy",
        HashStrategies.bytes(),
        layout,
        isComparable,
        () -> new LossyFilter(shape, fault),
        filter -> layout);
  }

  @Override
  public boolean addHash(long hash) {
    additions++;
    ever.add(hash);
    return (fault == Fault.FORGETS_ADDED && additions == UNLUCKY) || filter.addHash(hash);
  }

  @Override
  public boolean removeHash(long hash) {
    removals++;
    if (removals == UNLUCKY) {
      if (fault == Fault.REFUSES_TO_REMOVE) {
        return false;
      }
      if (fault == Fault.LEAVES_A_TRACE) {
        return true;
      }

      if (fault == Fault.REMOVES_TOO_MUCH) {
        filter.clear();
        return true;
      }
    }
    return (fault == Fault.REMOVES_TOO_MUCH && removals > UNLUCKY) || filter.removeHash(hash);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return filter.mightContainHash(hash)
        || (fault == Fault.FALSE_POSITIVES_AFTER_REMOVAL && removals > 0 && !ever.contains(hash));
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof LossyFilter other && filter.equals(other.filter);
  }

  @Override
  public int hashCode() {
    return filter.hashCode();
  }

  @Override
  public boolean mightContain(CharSequence element) {
    return filter.mightContain(element);
  }

  @Override
  public long count(CharSequence element) {
    return filter.count(element);
  }

  @Override
  public long countHash(long hash) {
    long count = filter.countHash(hash);
    return fault == Fault.COUNTS_TWICE && removals > 0 ? 2 * count : count;
  }

  @Override
  public void clear() {
    filter.clear();
  }

  @Override
  public double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  public long approximateElementCount() {
    return filter.approximateElementCount();
  }

  @Override
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  public HashStrategy<? super CharSequence> strategy() {
    return filter.strategy();
  }
}
