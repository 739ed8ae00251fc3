package io.bloomkit.scalable;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;

/**
 * Growing filters that delete by rules which are not exact, over the layers of the same plan: what
 * tests of {@link ScalableCountingBloomFilter} must be able to tell from it. They do not drop
 * layers.
 */
abstract class RoutingRules {

  private final GrowthPlan plan;
  private final List<CountingBloomFilter<Long>> layers = new ArrayList<>();

  RoutingRules(long initialCapacity, double fpp) {
    this.plan = GrowthPlan.ofDefaults(LayerKind.COUNTING).withSize(initialCapacity, fpp);
    grow();
  }

  /** Adds to the newest layer that matches an element and removes from it. */
  static final class NewestThatMatches extends RoutingRules {
    NewestThatMatches(long initialCapacity, double fpp) {
      super(initialCapacity, fpp);
    }

    @Override
    void add(long hash) {
      int isPositive = newestThatMatches(hash);
      addTo(isPositive < 0 ? active() : isPositive, hash);
    }

    @Override
    boolean remove(long hash) {
      return removeFrom(newestThatMatches(hash), hash);
    }
  }

  /**
   * Adds to the active layer, whichever layer matches an element, and removes from the newest that
   * does.
   */
  static final class AlwaysActive extends RoutingRules {
    AlwaysActive(long initialCapacity, double fpp) {
      super(initialCapacity, fpp);
    }

    @Override
    void add(long hash) {
      addTo(active(), hash);
    }

    @Override
    boolean remove(long hash) {
      return removeFrom(newestThatMatches(hash), hash);
    }
  }

  /**
   * Ours without sealing: an element goes to an older layer with room, though newer ones are in
   * use.
   */
  static final class OldestWithRoom extends RoutingRules {
    OldestWithRoom(long initialCapacity, double fpp) {
      super(initialCapacity, fpp);
    }

    @Override
    void add(long hash) {
      int layer = oldestThatMatches(hash);
      for (int i = 0; layer < 0; i++) {
        layer = i == active() || !isFull(i) ? i : -1;
      }
      addTo(layer, hash);
    }

    @Override
    boolean remove(long hash) {
      return removeFrom(oldestThatMatches(hash), hash);
    }
  }

  abstract void add(long hash);

  abstract boolean remove(long hash);

  boolean mightContain(long hash) {
    return oldestThatMatches(hash) >= 0;
  }

  int oldestThatMatches(long hash) {
    for (int i = 0; i < layers.size(); i++) {
      if (layers.get(i).mightContainHash(hash)) {
        return i;
      }
    }
    return -1;
  }

  int newestThatMatches(long hash) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (layers.get(i).mightContainHash(hash)) {
        return i;
      }
    }
    return -1;
  }

  int active() {
    return layers.size() - 1;
  }

  boolean isFull(int layer) {
    return layers.get(layer).nonZeroCounters() > plan.layer(layer).limit();
  }

  void addTo(int layer, long hash) {
    if (layer == active() && isFull(layer) && !layers.get(layer).mightContainHash(hash)) {
      grow();
      layers.get(active()).addHash(hash);
    } else {
      layers.get(layer).addHash(hash);
    }
  }

  boolean removeFrom(int layer, long hash) {
    return layer >= 0 && layers.get(layer).removeHash(hash);
  }

  private void grow() {
    layers.add(
        CountingBloomFilter.builder(HashStrategies.longs())
            .shape(plan.layer(layers.size()).shape())
            .build());
  }
}
