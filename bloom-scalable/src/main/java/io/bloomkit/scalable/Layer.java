package io.bloomkit.scalable;

import io.bloomkit.BlockedShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A layer of a {@link ScalableBloomFilter}: a filter of fixed size, and its plan.
 *
 * <p>Queries call {@link #filter} directly, with one virtual call per layer. This class has only
 * those operations that the filters do not share in an interface.
 */
abstract class Layer<T> {

  final InsertableFilter<T> filter;
  final GrowthPlan.Layer plan;

  /**
   * Number of distinct elements added to a concurrent layer; null otherwise. Threads that add the
   * same new element at the same time may each count the element, so the layer may be full slightly
   * early.
   */
  private final @Nullable LongAdder sharedDistinct;

  private long distinct;

  private Layer(InsertableFilter<T> filter, GrowthPlan.Layer plan, boolean concurrent) {
    this.filter = filter;
    this.plan = plan;
    this.sharedDistinct = concurrent ? new LongAdder() : null;
  }

  @SuppressWarnings("unchecked") // Java has no arrays of generic types
  static <T> Layer<T>[] newArray(int length) {
    return (Layer<T>[]) new Layer<?>[length];
  }

  static <T> Layer<T> of(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    if (plan.blocks() == null) {
      ClassicBloomFilter<T> classic = classic(strategy, plan, concurrent).build();
      return new Classic<>(classic, plan, concurrent);
    }
    BlockedBloomFilter<T> blocked = blocked(strategy, plan.blocks(), concurrent).build();
    return new Blocked<>(blocked, plan, concurrent);
  }

  /** Reads the filter of a layer whose row was read. */
  static <T> Layer<T> read(
      HashStrategy<? super T> strategy, LayerRow row, boolean concurrent, FilterReader reader)
      throws IOException {
    GrowthPlan.Layer plan = row.plan();
    if (plan.blocks() == null) {
      ClassicBloomFilter<T> classic =
          classic(strategy, plan, concurrent).readSection(reader, OptionalLong.empty());
      return new Classic<>(classic, plan, concurrent);
    }
    BlockedBloomFilter<T> bits =
        blocked(strategy, plan.blocks(), concurrent).readSection(reader, OptionalLong.empty());
    Blocked<T> blocked = new Blocked<>(bits, plan, concurrent);
    blocked.count(row.elements());
    // Each counted element set at least one bit and at most k bits.
    long setBits = bits.setPositions();
    if (row.elements() < leastElements(setBits, plan) || row.elements() > setBits) {
      throw reader.wrongSection(
          setBits + " bits are set, which " + row.elements() + " distinct elements cannot do");
    }
    return blocked;
  }

  private static <T> ClassicBloomFilter.Builder<? super T> classic(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    ClassicBloomFilter.Builder<? super T> builder =
        ClassicBloomFilter.builder(strategy).shape(plan.shape());
    return concurrent ? builder.concurrent() : builder;
  }

  private static <T> BlockedBloomFilter.Builder<? super T> blocked(
      HashStrategy<? super T> strategy, BlockedShape shape, boolean concurrent) {
    BlockedBloomFilter.Builder<? super T> builder =
        BlockedBloomFilter.builder(strategy).shape(shape);
    return concurrent ? builder.concurrent() : builder;
  }

  /** Returns a layer with the same filter and a lower limit, which leaves room for more threads. */
  abstract Layer<T> withRoomFor(int additionsAtOnce);

  /** Returns an independent layer with the same contents. */
  abstract Layer<T> copy();

  /** Returns an upper bound of the fill of this layer, in the unit of {@link GrowthPlan.Layer}. */
  abstract long fill();

  /** Returns the number of set bits. */
  abstract long setPositions();

  /** Returns the row of this layer in the table of the file. */
  abstract LayerRow row();

  /** Returns the contents of the filter of this layer for the file. */
  abstract FilterContents contents();

  /** Returns the smallest number of elements that can set a number of bits of a layer. */
  static long leastElements(long setPositions, GrowthPlan.Layer plan) {
    int hashes = plan.shape().hashes();
    return (setPositions + hashes - 1) / hashes;
  }

  /** Returns whether one more element could raise the false-positive rate above the planned one. */
  final boolean isFull() {
    return fill() > plan.limit();
  }

  /**
   * Returns a number of elements that can always be added before this layer is full, at least 0.
   */
  final long room() {
    return plan.room(fill());
  }

  final ScalableFilterState.Layer state() {
    return new ScalableFilterState.Layer(
        plan.index(), plan.shape(), setPositions(), filter.memoryBytes(), filter.expectedFpp());
  }

  /** Adds a hash. Returns whether the hash was certainly absent before. */
  final boolean addHash(long hash) {
    boolean added = filter.addHash(hash);
    if (added) {
      count(1);
    }
    return added;
  }

  /** Removes all elements. */
  void clear() {
    filter.clear();
    count(-distinct());
  }

  final long distinct() {
    return sharedDistinct == null ? distinct : sharedDistinct.sum();
  }

  final void count(long elements) {
    if (sharedDistinct == null) {
      distinct += elements;
    } else {
      sharedDistinct.add(elements);
    }
  }

  final boolean isConcurrent() {
    return sharedDistinct != null;
  }

  /**
   * A layer that is full when enough bits are set. The bits are counted only when the elements
   * since the last count could have set enough: about log(bits) times before a layer is full.
   */
  private static final class Classic<T> extends Layer<T> {

    /** A number of distinct elements, and a lower bound of the number of bits that they set. */
    private record Count(long distinct, long setPositions) {}

    private final ClassicBloomFilter<T> classic;
    private volatile Count last;

    Classic(ClassicBloomFilter<T> classic, GrowthPlan.Layer plan, boolean concurrent) {
      super(classic, plan, concurrent);
      this.classic = classic;
      this.last = new Count(0, classic.setPositions());
    }

    @Override
    void clear() {
      super.clear();
      last = new Count(0, 0);
    }

    @Override
    long fill() {
      Count before = last;
      long added = distinct(); // read before the bits are counted, so no insertion is missed
      long most = before.setPositions + plan.mostPerElement() * (added - before.distinct);
      if (most <= plan.limit() || added == before.distinct) {
        return most;
      }
      Count now = new Count(added, classic.setPositions());
      last = now;
      return now.setPositions;
    }

    @Override
    long setPositions() {
      return classic.setPositions();
    }

    @Override
    LayerRow row() {
      return new LayerRow(plan, 0);
    }

    @Override
    FilterContents contents() {
      return classic.contents();
    }

    @Override
    Layer<T> withRoomFor(int additionsAtOnce) {
      return new Classic<>(classic, plan.withRoomFor(additionsAtOnce), isConcurrent());
    }

    @Override
    Layer<T> copy() {
      return new Classic<>(classic.copy(), plan, isConcurrent());
    }
  }

  /** A layer that is full when it has enough distinct elements. */
  private static final class Blocked<T> extends Layer<T> {

    private final BlockedBloomFilter<T> blocked;

    Blocked(BlockedBloomFilter<T> blocked, GrowthPlan.Layer plan, boolean concurrent) {
      super(blocked, plan, concurrent);
      this.blocked = blocked;
    }

    @Override
    long fill() {
      return distinct();
    }

    @Override
    long setPositions() {
      return blocked.setPositions();
    }

    @Override
    LayerRow row() {
      return new LayerRow(plan, fill());
    }

    @Override
    FilterContents contents() {
      return blocked.contents();
    }

    @Override
    Layer<T> withRoomFor(int additionsAtOnce) {
      Blocked<T> layer = new Blocked<>(blocked, plan.withRoomFor(additionsAtOnce), isConcurrent());
      layer.count(fill());
      return layer;
    }

    @Override
    Layer<T> copy() {
      Blocked<T> copy = new Blocked<>(blocked.copy(), plan, isConcurrent());
      copy.count(fill());
      return copy;
    }
  }
}
