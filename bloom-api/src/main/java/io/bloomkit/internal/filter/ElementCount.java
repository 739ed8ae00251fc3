package io.bloomkit.internal.filter;

import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The number of elements of a filter. It may be unknown. */
public final class ElementCount {

  /** The count of a concurrent filter; null otherwise. */
  private final @Nullable LongAdder shared;

  private long count;
  private volatile boolean isKnown;

  /** Creates a count. If it is concurrent, any number of threads may {@link #add} to it. */
  public ElementCount(boolean concurrent, OptionalLong count) {
    this.shared = concurrent ? new LongAdder() : null;
    set(count);
  }

  /** Returns whether any number of threads may {@link #add}. */
  public boolean isConcurrent() {
    return shared != null;
  }

  /** The {@link #add} of a count that is not concurrent, for a caller that knows. */
  public void addPlain(long elements) {
    count += elements;
  }

  /** Adds to the count; subtracts if the number is negative. */
  public void add(long elements) {
    if (shared == null) {
      count += elements;
    } else {
      shared.add(elements);
    }
  }

  /**
   * Makes the count unknown if it is above a limit, so that no further addition wraps it around.
   */
  public void forgetAbove(long limit) {
    long sum = sum();
    if (sum > limit || sum <= Long.MIN_VALUE / 2) {
      isKnown = false;
    }
  }

  /** Returns the sum of everything that was added. Meaningful only if the count is known. */
  public long sum() {
    return shared == null ? count : shared.sum();
  }

  /** Returns the count; empty if it is unknown or above 2<sup>63</sup> − 1. */
  public OptionalLong get() {
    long sum = sum();
    // A sum that overflows is far below zero. While other threads write, a sum may be slightly
    // below zero, because it may include a removal but not the insertion before it.
    return isKnown && sum > Long.MIN_VALUE / 2
        ? OptionalLong.of(Math.max(0, sum))
        : OptionalLong.empty();
  }

  /** Sets the count; empty if it is unknown. Must not run concurrently with {@link #add}. */
  public void set(OptionalLong elements) {
    isKnown = elements.isPresent();
    count = 0;
    if (shared != null) {
      shared.reset();
    }
    add(elements.orElse(0));
  }

  /** Adds another count. The result is unknown if one of the two is, or if the sum overflows. */
  public void merge(ElementCount other) {
    OptionalLong thisCount = get();
    OptionalLong otherCount = other.get();
    long sum = thisCount.orElse(0) + otherCount.orElse(0);
    set(
        thisCount.isPresent() && otherCount.isPresent() && sum >= 0
            ? OptionalLong.of(sum)
            : OptionalLong.empty());
  }

  /** Subtracts another count, which is at most this one. Unknown if one of the two is. */
  public void subtract(ElementCount other) {
    OptionalLong thisCount = get();
    OptionalLong otherCount = other.get();
    set(
        thisCount.isPresent() && otherCount.isPresent()
            ? OptionalLong.of(thisCount.getAsLong() - otherCount.getAsLong())
            : OptionalLong.empty());
  }

  /** Returns the count as text, or "unknown". */
  @Override
  public String toString() {
    OptionalLong current = get();
    return current.isPresent() ? Long.toString(current.getAsLong()) : "unknown";
  }
}
