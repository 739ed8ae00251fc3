package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a {@link ScalableCountingBloomFilter}: those in use, which come and go, and up to
 * two empty ones that are kept to reuse.
 */
final class CountingLayers<T> {

  private final HashStrategy<? super T> strategy;
  private final GrowthPlan plan;

  /** From the oldest to the newest, which is active. Only a single layer may be empty. */
  final List<CountingLayer<T>> inUse = new ArrayList<>();

  /** The layer of index 0. It is kept when it is dropped, so that no removal has to make one. */
  private CountingLayer<T> first;

  /**
   * The last active layer that became empty, for the next growth: an element that comes and goes
   * does not make a layer each time.
   */
  private @Nullable CountingLayer<T> spare;

  CountingLayers(HashStrategy<? super T> strategy, GrowthPlan plan) {
    this(strategy, plan, CountingLayer.of(strategy, plan.layer(0)), null);
    inUse.add(first);
  }

  /** Layers that were read; those in use are to be added. */
  CountingLayers(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      CountingLayer<T> first,
      @Nullable CountingLayer<T> spare) {
    this.strategy = strategy;
    this.plan = plan;
    this.first = first;
    this.spare = spare;
  }

  /** Returns copies of the layers in use and of the first one. */
  CountingLayers<T> copy() {
    CountingLayers<T> copy = new CountingLayers<>(strategy, plan, first.copy(), null);
    for (CountingLayer<T> layer : inUse) {
      copy.inUse.add(layer == first ? copy.first : layer.copy());
    }
    return copy;
  }

  /** Takes over all layers of others, which are then given up. */
  void replaceBy(CountingLayers<T> others) {
    first = others.first;
    spare = others.spare;
    inUse.clear();
    inUse.addAll(others.inUse);
  }

  /** Returns the index of the spare layer; empty if there is none. */
  OptionalInt spareIndex() {
    return spare == null ? OptionalInt.empty() : OptionalInt.of(spare.plan.index());
  }

  /** Returns the layers in use, then the first and the spare one if they are not among these. */
  List<CountingLayer<T>> all() {
    List<CountingLayer<T>> all = new ArrayList<>(inUse);
    if (!isInUse(0)) {
      all.add(first);
    }
    if (spare != null && spare != first) {
      all.add(spare);
    }
    return all;
  }

  /** Makes a new layer active, or the spare one. */
  CountingLayer<T> grow() {
    CountingLayer<T> next = spare == null ? layerOf(nextIndex()) : spare;
    inUse.add(next);
    spare = null;
    return next;
  }

  private CountingLayer<T> layerOf(int index) {
    return index == 0 ? first : CountingLayer.of(strategy, plan.layer(index));
  }

  /**
   * Returns the smallest free index of a layer no smaller than the newest, so that layers are not
   * made often. Among layers of one size any index is good, so that filters whose layers do not
   * grow do not run out of indexes.
   */
  private int nextIndex() {
    GrowthPlan.Layer newest = newest().plan;
    int index = 0;
    while (isInUse(index)
        || (index < newest.index() && plan.layer(index).capacity() < newest.capacity())) {
      index++;
    }
    return index;
  }

  private boolean isInUse(int index) {
    for (int i = 0; i < inUse.size(); i++) { // an iterator would allocate
      if (inUse.get(i).plan.index() == index) {
        return true;
      }
    }
    return false;
  }

  private CountingLayer<T> newest() {
    return inUse.get(inUse.size() - 1);
  }

  /** Takes an empty layer out of use. */
  void drop(int i) {
    CountingLayer<T> empty = inUse.remove(i);
    if (inUse.isEmpty()) {
      inUse.add(first);
      spare = null;
    } else if (i == inUse.size()) {
      spare = empty;
    }
  }

  void clear() {
    first.clear();
    inUse.clear();
    inUse.add(first);
    spare = null;
  }

  /** Whether all layers that can be planned have room for a number of arbitrary elements. */
  boolean hasRoomFor(long additions) {
    long room = newest().room();
    int last = 0;
    for (int i = 0; i < inUse.size(); i++) { // an iterator would allocate
      last = Math.max(last, inUse.get(i).plan.index());
    }
    if (spare != null) {
      room += spare.room();
      last = Math.max(last, spare.plan.index());
    }
    return plan.hasRoomFrom(last + 1, additions - room);
  }

  /** Returns the bytes of the layers that are not in use. */
  long reservedBytes() {
    long bytes = isInUse(0) ? 0 : first.filter.memoryBytes();
    return spare == null || spare == first ? bytes : bytes + spare.filter.memoryBytes();
  }
}
