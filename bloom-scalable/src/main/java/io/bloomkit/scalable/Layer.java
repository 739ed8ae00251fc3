package io.bloomkit.scalable;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * A layer of a {@link ScalableBloomFilter}: a filter of fixed size, and its plan.
 *
 * <p>The layer is full when enough bits are set. Its bits are counted only when the elements since
 * the last count could have set enough: about log(bits) times before the layer is full.
 */
final class Layer<T> {

  /** A number of distinct elements, and the number of bits that were set at that time. */
  private record Count(long distinct, long setPositions) {}

  final ClassicBloomFilter<T> filter;
  final LayerPlan plan;

  /**
   * The number of distinct elements added since the layer was created or read. Threads that add the
   * same new element at the same time may each count the element, so the layer may be full slightly
   * early.
   */
  private final ElementCount distinct;

  private volatile Count last;

  private Layer(ClassicBloomFilter<T> filter, LayerPlan plan) {
    this.filter = filter;
    this.plan = plan;
    this.distinct = new ElementCount(filter.isConcurrent(), OptionalLong.of(0));
    this.last = new Count(0, filter.setPositions());
  }

  @SuppressWarnings("unchecked") // Java has no arrays of generic types
  static <T> Layer<T>[] newArray(int length) {
    return (Layer<T>[]) new Layer<?>[length];
  }

  static <T> Layer<T> of(HashStrategy<? super T> strategy, LayerPlan plan, boolean concurrent) {
    ClassicBloomFilter.Builder<? super T> builder =
        ClassicBloomFilter.builder(strategy).shape(plan.shape());
    if (concurrent) {
      builder.concurrent();
    }
    return new Layer<>(builder.build(), plan);
  }

  /** Reads the filter of a layer. */
  static <T> Layer<T> read(
      FilterReader reader, HashStrategy<? super T> strategy, LayerPlan plan, boolean concurrent)
      throws IOException {
    return new Layer<>(
        ClassicBloomFilter.readSection(reader, strategy, plan.shape(), concurrent), plan);
  }

  /** Returns a layer with the same filter that is full early enough for more threads. */
  Layer<T> withMaxWriters(int writers) {
    return new Layer<>(filter, plan.withMaxWriters(writers));
  }

  /** Returns an independent layer with the same contents. */
  Layer<T> copy() {
    return new Layer<>(filter.copy(), plan);
  }

  /** Adds a hash. Returns whether the hash was certainly absent before. */
  boolean addHash(long hash) {
    boolean added = filter.addHash(hash);
    if (added) {
      distinct.add(1);
    }
    return added;
  }

  /** Removes all elements. */
  void clear() {
    filter.clear();
    distinct.set(OptionalLong.of(0));
    last = new Count(0, 0);
  }

  /** Returns an upper bound of the number of set bits. */
  long fill() {
    Count before = last;
    long added = distinct.sum(); // read before the bits are counted, so no insertion is missed
    long max = before.setPositions + plan.shape().hashes() * (added - before.distinct);
    if (max <= plan.limit() || added == before.distinct) {
      return max;
    }
    Count now = new Count(added, filter.setPositions());
    last = now;
    return now.setPositions;
  }

  /** Returns whether one more element could raise the false-positive rate above the planned one. */
  boolean isFull() {
    return fill() > plan.limit();
  }

  /**
   * Returns a number of elements that can always be added before this layer is full, at least 0.
   */
  long headroom() {
    return plan.headroom(fill());
  }

  /** Returns the smallest number of elements that can set the bits of this layer. */
  long minElements() {
    int hashes = plan.shape().hashes();
    return (filter.setPositions() + hashes - 1) / hashes;
  }

  ScalableBloomFilter.LayerState state() {
    return new ScalableBloomFilter.LayerState(
        plan.index(),
        plan.shape(),
        filter.setPositions(),
        filter.memoryBytes(),
        filter.expectedFpp());
  }
}
