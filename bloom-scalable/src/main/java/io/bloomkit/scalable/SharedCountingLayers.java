package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategy;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a concurrent {@link ScalableCountingBloomFilter}. Updates exclude each other;
 * {@link #contains} takes no lock and reads the row once.
 *
 * <p>Why a query finds a stored element: its layer is in the row that the query reads and in every
 * later one, since a layer leaves the row when it is empty and not before. There its counters stay
 * above zero, since removals read all counters of an element before they lower one. Standard layers
 * change counters by plain reads and release stores, since updates exclude each other.
 *
 * <p>{@link #count} locks: a layer that left the row may be used again as a newer one. A row read
 * before has it among the oldest, so the element may be a false positive of it before its own layer
 * is reached. That gives a positive answer to a query, but too low a count.
 */
final class SharedCountingLayers<T> extends CountingLayers<T> {

  SharedCountingLayers(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      CountingLayer<T>[] inUse,
      CountingLayer<T> first,
      @Nullable CountingLayer<T> spare,
      long elements) {
    super(strategy, plan, inUse, first, spare, elements);
  }

  @Override
  boolean isConcurrent() {
    return true;
  }

  @Override
  synchronized boolean add(long hash) {
    return super.add(hash);
  }

  @Override
  synchronized long addAll(long[] hashes, int offset, int length) {
    return super.addAll(hashes, offset, length);
  }

  @Override
  synchronized boolean remove(long hash) {
    return super.remove(hash);
  }

  @Override
  synchronized long count(long hash) {
    return super.count(hash);
  }

  @Override
  synchronized long elements() {
    return super.elements();
  }

  @Override
  synchronized CountingLayers<T> copy() {
    return super.copy();
  }

  @Override
  synchronized OptionalInt spareIndex() {
    return super.spareIndex();
  }

  @Override
  synchronized List<CountingLayer<T>> all() {
    return super.all();
  }

  /** Replaces the first layer, so that queries see all of it or nothing. */
  @Override
  synchronized void clear() {
    startWith(newFirst());
  }

  @Override
  synchronized long room() {
    return super.room();
  }

  @Override
  synchronized long reservedBytes() {
    return super.reservedBytes();
  }
}
