package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a {@link ScalableCountingBloomFilter}, and the operations on them: the layers in
 * use, and up to two empty layers that are kept for reuse.
 *
 * <p><b>The oldest-layer rule.</b> The newest layer is <i>active</i>, all others are <i>sealed</i>.
 * A layer <i>matches</i> an element if its own query is positive. An element is added to the oldest
 * layer that matches it, or to the active layer if no layer matches it. An element is removed from
 * the oldest layer that can remove it. This rule makes removals exact:
 *
 * <ol>
 *   <li>Let x be added to layer L. At this time, no layer older than L matches x, and all older
 *       layers are sealed. They stay sealed while x is in L.
 *   <li>A sealed layer only receives elements that it already matches, so its set of non-zero
 *       counters never grows. Therefore no layer older than L starts to match x.
 *   <li>L matches x while it holds x. Therefore L is the oldest layer that matches x, and every
 *       further insertion and removal of x goes to L.
 *   <li>Therefore each layer sees all insertions and removals of its elements, and is an exact
 *       multiset.
 * </ol>
 *
 * <p>Removal from the newest matching layer would not be exact: a newer layer may match x as a
 * false positive, and would then lose counts of its own elements.
 */
class CountingLayers<T> {

  private final HashStrategy<? super T> strategy;
  private final GrowthPlan plan;

  /**
   * From the oldest to the newest layer, which is the active one. A layer may be empty only if it
   * is the only one. A published array is never written again.
   */
  private volatile CountingLayer<T>[] inUse;

  /**
   * The layer of index 0. It is kept when it is not in use, so no removal has to create a layer.
   */
  private CountingLayer<T> first;

  /**
   * The last active layer that became empty. The next growth reuses it, so repeatedly adding and
   * removing an element does not create a layer each time.
   */
  private @Nullable CountingLayer<T> spare;

  /** The number of insertions minus removals; negative if unknown. */
  private long elements;

  CountingLayers(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      CountingLayer<T>[] inUse,
      CountingLayer<T> first,
      @Nullable CountingLayer<T> spare,
      long elements) {
    this.strategy = strategy;
    this.plan = plan;
    this.inUse = inUse;
    this.first = first;
    this.spare = spare;
    this.elements = elements;
  }

  /** Returns the layers of an empty filter. */
  static <T> CountingLayers<T> of(
      HashStrategy<? super T> strategy, GrowthPlan plan, boolean concurrent) {
    CountingLayer<T> first = CountingLayer.of(strategy, plan.layer(0), concurrent);
    return of(strategy, plan, concurrent, CountingLayer.rowOf(first), first, null, 0);
  }

  static <T> CountingLayers<T> of(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      boolean concurrent,
      CountingLayer<T>[] inUse,
      CountingLayer<T> first,
      @Nullable CountingLayer<T> spare,
      long elements) {
    return concurrent
        ? new SharedCountingLayers<>(strategy, plan, inUse, first, spare, elements)
        : new CountingLayers<>(strategy, plan, inUse, first, spare, elements);
  }

  /** Returns whether the methods are thread-safe. */
  boolean isConcurrent() {
    return false;
  }

  /** Returns the layers in use, from the oldest to the newest. */
  final CountingLayer<T>[] inUse() {
    return inUse;
  }

  final boolean contains(long hash) {
    CountingLayer<T>[] row = inUse;
    // Newest first: the newest layer is the largest, so it holds most elements.
    for (int i = row.length - 1; i >= 0; i--) {
      if (row[i].filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /** Adds a hash by the oldest-layer rule. Returns whether it was certainly absent. */
  boolean add(long hash) {
    CountingLayer<T>[] row = inUse;
    int newest = row.length - 1;
    for (int i = 0; i < newest; i++) {
      CountingLayer<T> sealed = row[i];
      if (sealed.filter.mightContainHash(hash)) {
        sealed.addHash(hash);
        elements++;
        return false;
      }
    }
    CountingLayer<T> active = row[newest];
    if (active.isFull() && !active.filter.mightContainHash(hash)) {
      active = grow(row);
    }
    boolean added = active.addHash(hash);
    elements++;
    return added;
  }

  /** Adds many hashes, or none if it throws because no further layer can be created. */
  long addAll(long[] hashes, int offset, int length) {
    if (hasRoomFor(length)) {
      return addEach(hashes, offset, length);
    }
    // Growing may fail on the way, so add to a copy, which is discarded if that throws.
    CountingLayers<T> copy = copy();
    long added = copy.addEach(hashes, offset, length);
    first = copy.first;
    spare = copy.spare;
    elements = copy.elements;
    inUse = copy.inUse;
    return added;
  }

  private long addEach(long[] hashes, int offset, int length) {
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      added += add(hashes[i]) ? 1 : 0;
    }
    return added;
  }

  /** Removes a hash from the oldest layer that can. Returns false if none can. */
  boolean remove(long hash) {
    CountingLayer<T>[] row = inUse;
    boolean looksFirst = isConcurrent(); // a removal from a concurrent layer locks it
    for (int i = 0; i < row.length; i++) {
      CountingLayer<T> layer = row[i];
      if ((!looksFirst || layer.filter.mightContainHash(hash)) && layer.removeHash(hash)) {
        elements--;
        if (layer.isEmpty()) {
          dropOrGiveBack(row, i, hash);
        }
        return true;
      }
    }
    return false;
  }

  long count(long hash) {
    for (CountingLayer<T> layer : inUse) {
      long count = layer.filter.countHash(hash);
      if (count > 0) {
        return count;
      }
    }
    return 0;
  }

  /** Returns the number of insertions minus removals; negative if unknown. */
  long elements() {
    return elements;
  }

  /** Returns copies of the layers in use and of the first layer. */
  CountingLayers<T> copy() {
    CountingLayer<T>[] row = inUse.clone();
    CountingLayer<T> firstCopy = first.copy();
    for (int i = 0; i < row.length; i++) {
      row[i] = row[i] == first ? firstCopy : row[i].copy();
    }
    return of(strategy, plan, isConcurrent(), row, firstCopy, null, elements);
  }

  /** Returns the index of the spare layer; empty if there is none. */
  OptionalInt spareIndex() {
    return spare == null ? OptionalInt.empty() : OptionalInt.of(spare.plan.index());
  }

  /** Returns the layers in use, then the first and the spare layer if they are not in use. */
  List<CountingLayer<T>> all() {
    List<CountingLayer<T>> all = new ArrayList<>(Arrays.asList(inUse));
    if (!isInUse(0)) {
      all.add(first);
    }
    if (spare != null && spare != first) {
      all.add(spare);
    }
    return all;
  }

  /** Makes the spare layer active, or a new layer if there is no spare one. */
  private CountingLayer<T> grow(CountingLayer<T>[] row) {
    CountingLayer<T> next = spare == null ? layerOf(nextIndex(row)) : spare;
    CountingLayer<T>[] grown = Arrays.copyOf(row, row.length + 1);
    grown[row.length] = next;
    inUse = grown;
    spare = null;
    return next;
  }

  private CountingLayer<T> layerOf(int index) {
    return index == 0 ? first : CountingLayer.of(strategy, plan.layer(index), isConcurrent());
  }

  /**
   * Returns the smallest free index of a layer that is at least as large as the newest layer, so
   * layers are not created often. If all layers have the same size, any free index is possible, so
   * the filter does not run out of indexes.
   */
  private int nextIndex(CountingLayer<T>[] row) {
    GrowthPlan.Layer newest = row[row.length - 1].plan;
    int index = 0;
    while (isInUse(index)
        || (index < newest.index() && plan.layer(index).capacity() < newest.capacity())) {
      index++;
    }
    return index;
  }

  private boolean isInUse(int index) {
    for (CountingLayer<T> layer : inUse) {
      if (layer.plan.index() == index) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes a layer out of use that became empty by the removal of a hash; adds the hash again on
   * failure.
   */
  private void dropOrGiveBack(CountingLayer<T>[] row, int i, long hash) {
    try {
      drop(row, i);
    } catch (OutOfMemoryError e) {
      row[i].addHash(hash);
      elements++;
      throw e;
    }
  }

  /** Takes an empty layer out of use. If memory is exhausted, throws and changes nothing. */
  void drop(CountingLayer<T>[] row, int i) {
    CountingLayer<T> empty = row[i];
    if (row.length == 1) {
      inUse = empty == first ? row : CountingLayer.rowOf(first);
      spare = null;
      return;
    }
    CountingLayer<T>[] rest = Arrays.copyOf(row, row.length - 1);
    System.arraycopy(row, i + 1, rest, i, rest.length - i);
    inUse = rest;
    if (i == rest.length) {
      spare = empty;
    }
  }

  /** Removes all elements, and all layers except the first, which is cleared or replaced. */
  void clear() {
    first.clear();
    startWith(first);
  }

  /** Makes an empty layer of index 0 the only layer. */
  final void startWith(CountingLayer<T> empty) {
    first = empty;
    spare = null;
    elements = 0;
    inUse = CountingLayer.rowOf(empty);
  }

  /** Returns a new layer of index 0. */
  final CountingLayer<T> newFirst() {
    return CountingLayer.of(strategy, plan.layer(0), isConcurrent());
  }

  /**
   * Returns whether the present and all possible further layers have room for a number of elements,
   * whatever their hashes are.
   */
  private boolean hasRoomFor(long additions) {
    CountingLayer<T>[] row = inUse;
    long room = row[row.length - 1].room();
    int last = 0;
    for (CountingLayer<T> layer : row) {
      last = Math.max(last, layer.plan.index());
    }
    if (spare != null) {
      room += spare.room();
      last = Math.max(last, spare.plan.index());
    }
    return plan.hasRoomFrom(last + 1, additions - room);
  }

  /** Returns a number of elements that the active layer can always take. */
  long room() {
    CountingLayer<T>[] row = inUse;
    return row[row.length - 1].room();
  }

  /** Returns the number of bytes of the layers that are not in use. */
  long reservedBytes() {
    long bytes = isInUse(0) ? 0 : first.filter.memoryBytes();
    return spare == null || spare == first ? bytes : bytes + spare.filter.memoryBytes();
  }
}
