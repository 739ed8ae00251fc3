package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a {@link ScalableCountingBloomFilter} and its updates: the layers in use, which
 * come and go, and up to two empty ones that are kept to reuse.
 *
 * <p><b>The oldest-layer rule.</b> The newest layer is <i>active</i>, all others are <i>sealed</i>.
 * A layer <i>matches</i> an element if its own query is positive. An element is added to the oldest
 * layer that matches it, else to the active one, and removed from the oldest layer that can remove
 * it. This makes removals exact:
 *
 * <ol>
 *   <li>Let x be added to layer L. No layer older than L matches x then, and all of them are
 *       sealed. They stay sealed as long as x is in L.
 *   <li>A sealed layer only receives elements that it matches already, so its set of non-zero
 *       counters never grows. So no layer older than L comes to match x.
 *   <li>L matches x as long as it holds x. So L is the oldest layer that matches x, and every
 *       further copy and every removal of x goes to L.
 *   <li>So each layer sees all insertions and removals of its elements, and is an exact multiset.
 * </ol>
 *
 * <p>Removal from the newest layer that matches would not be exact: a newer layer may come to match
 * x by a false positive, and then loses counts of its own elements.
 */
class CountingLayers<T> {

  private final HashStrategy<? super T> strategy;
  private final GrowthPlan plan;

  /**
   * From the oldest to the newest, which is active. Only a single layer may be empty. A published
   * array is never written again.
   */
  private volatile CountingLayer<T>[] inUse;

  /** The layer of index 0. It is kept when it is dropped, so that no removal has to make one. */
  private CountingLayer<T> first;

  /**
   * The last active layer that became empty, for the next growth: an element that comes and goes
   * does not make a layer each time.
   */
  private @Nullable CountingLayer<T> spare;

  /** Additions less removals; below zero if unknown. */
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

  /** Whether any number of threads may call the methods. */
  boolean isConcurrent() {
    return false;
  }

  /** Returns the layers in use, from the oldest to the newest. */
  final CountingLayer<T>[] inUse() {
    return inUse;
  }

  final boolean contains(long hash) {
    CountingLayer<T>[] row = inUse;
    // Newest first: it is the largest, so it holds most of what is there.
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

  /** Adds many hashes, or none if it throws since no further layer can be made. */
  long addAll(long[] hashes, int offset, int length) {
    if (hasRoomFor(length)) {
      return addEach(hashes, offset, length);
    }
    // It may be unable to grow on the way: then a copy is discarded.
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

  /** Returns additions less removals; below zero if unknown. */
  long elements() {
    return elements;
  }

  /** Returns copies of the layers in use and of the first one. */
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

  /** Returns the layers in use, then the first and the spare one if they are not among these. */
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

  /** Makes a new layer active, or the spare one. */
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
   * Returns the smallest free index of a layer no smaller than the newest, so that layers are not
   * made often. Among layers of one size any index is good, so that filters whose layers do not
   * grow do not run out of indexes.
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

  /** Takes a layer out of use that the removal of a hash has left empty. */
  private void dropOrGiveBack(CountingLayer<T>[] row, int i, long hash) {
    try {
      drop(row, i);
    } catch (OutOfMemoryError e) {
      row[i].addHash(hash);
      elements++;
      throw e;
    }
  }

  /** Takes an empty layer out of use. If it throws, for want of memory, nothing has changed. */
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

  /** Removes everything, and all layers except the first, which is emptied or replaced. */
  void clear() {
    first.clear();
    startWith(first);
  }

  /** Makes an empty layer of index 0 the only one. */
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

  /** Whether all layers that can be planned have room for a number of arbitrary elements. */
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

  /** Returns how many arbitrary elements the active layer takes. */
  long room() {
    CountingLayer<T>[] row = inUse;
    return row[row.length - 1].room();
  }

  /** Returns the bytes of the layers that are not in use. */
  long reservedBytes() {
    long bytes = isInUse(0) ? 0 : first.filter.memoryBytes();
    return spare == null || spare == first ? bytes : bytes + spare.filter.memoryBytes();
  }
}
