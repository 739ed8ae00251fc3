package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategy;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a concurrent {@link ScalableCountingBloomFilter}. Updates exclude each other;
 * {@link #contains} takes no lock and reads the array of layers once.
 *
 * <p>A query finds a stored element, because the layer of the element is in the array that the
 * query reads: a layer leaves the array only when it is empty. The counters of the element stay
 * above zero, because a removal reads all counters of an element before it decrements one. Because
 * updates exclude each other, flat layers change counters by plain reads and release stores.
 *
 * <p>{@link #count} takes the lock. A layer that left the array may be reused as a newer layer. In
 * an array that was read earlier, this layer is still among the oldest, so the element may be a
 * false positive of this layer before its own layer is reached. A query is then positive anyway,
 * but the count would be too low.
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

  /**
   * Replaces the first layer instead of clearing it, so queries see all of its elements or none.
   */
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
