package io.bloomkit.scalable;

import io.bloomkit.FlatShape;
import io.bloomkit.classic.BitFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * A layer of a {@link ScalableBloomFilter}: a filter of fixed size, and its plan.
 *
 * <p>A flat layer is full when enough bits are set. Its bits are counted only when the elements
 * since the last count could have set enough: about log(bits) times before the layer is full. A
 * blocked layer is full when it has enough distinct elements.
 */
final class Layer<T> {

  /** A number of distinct elements, and a lower bound of the number of bits that they set. */
  private record Count(long distinct, long setPositions) {}

  final BitFilter<T> filter;
  final GrowthPlan.Layer plan;

  /**
   * The number of distinct elements added; in a flat layer, since it was created or read. Threads
   * that add the same new element at the same time may each count the element, so the layer may be
   * full slightly early.
   */
  private final ElementCount distinct;

  private final boolean isFlat;
  private volatile Count last;

  private Layer(BitFilter<T> filter, GrowthPlan.Layer plan, long elements) {
    this.filter = filter;
    this.plan = plan;
    this.distinct = new ElementCount(filter.isConcurrent(), OptionalLong.of(elements));
    this.isFlat = plan.shape() instanceof FlatShape;
    this.last = new Count(elements, isFlat ? filter.setPositions() : 0);
  }

  @SuppressWarnings("unchecked") // Java has no arrays of generic types
  static <T> Layer<T>[] newArray(int length) {
    return (Layer<T>[]) new Layer<?>[length];
  }

  static <T> Layer<T> of(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    return new Layer<>(BitFilter.of(strategy, plan.shape(), concurrent), plan, 0);
  }

  /**
   * Reads the filter of a layer.
   *
   * @param elements the number of distinct elements of a blocked layer; 0 if it is flat
   */
  static <T> Layer<T> read(
      FilterReader reader,
      HashStrategy<? super T> strategy,
      GrowthPlan.Layer plan,
      long elements,
      boolean concurrent)
      throws IOException {
    BitFilter<T> filter =
        BitFilter.readSection(reader, strategy, plan.shape(), concurrent, OptionalLong.empty());
    Layer<T> layer = new Layer<>(filter, plan, elements);
    // Each counted element set at least one bit and at most k bits.
    long setBits = filter.setPositions();
    if (!layer.isFlat && (elements < layer.leastElements() || elements > setBits)) {
      throw reader.wrongSection(
          setBits + " bits are set, which " + elements + " distinct elements cannot do");
    }
    return layer;
  }

  /** Returns a layer with the same filter and a lower limit, which leaves room for more threads. */
  Layer<T> withRoomFor(int additionsAtOnce) {
    return new Layer<>(filter, plan.withRoomFor(additionsAtOnce), elements());
  }

  /** Returns an independent layer with the same contents. */
  Layer<T> copy() {
    BitFilter<T> copy = BitFilter.copyOf(filter);
    if (isFlat || !copy.isConcurrent()) {
      return new Layer<>(copy, plan, elements());
    }
    // Elements are counted after their bits, and other threads may have added some since the copy.
    long setBits = copy.setPositions();
    int hashes = plan.shape().hashes();
    long least = (setBits + hashes - 1) / hashes;
    return new Layer<>(copy, plan, Math.min(setBits, Math.max(least, elements())));
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

  /** Returns an upper bound of the fill of this layer, in the unit of {@link GrowthPlan.Layer}. */
  long fill() {
    return isFlat ? fillOfFlat() : distinct.sum();
  }

  private long fillOfFlat() {
    Count before = last;
    long added = distinct.sum(); // read before the bits are counted, so no insertion is missed
    long most = before.setPositions + plan.mostPerElement() * (added - before.distinct);
    if (most <= plan.limit() || added == before.distinct) {
      return most;
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
  long room() {
    return plan.room(fill());
  }

  /** Returns the number of distinct elements of a blocked layer; 0 if it is flat. */
  long elements() {
    return isFlat ? 0 : distinct.sum();
  }

  /** Returns the smallest number of elements that can set the bits of this layer. */
  long leastElements() {
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
