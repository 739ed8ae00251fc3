package io.bloomkit.scalable;

import static io.bloomkit.scalable.GrowingRaces.FIRST;
import static io.bloomkit.scalable.GrowingRaces.LONGS;
import static io.bloomkit.scalable.GrowingRaces.OLD;
import static io.bloomkit.scalable.GrowingRaces.OTHER;
import static io.bloomkit.scalable.GrowingRaces.SECOND;

import io.bloomkit.Shape;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.scalable.GrowingRaces.Growing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter of layers that is as simple as can be, and filters with a fault each, for the races of
 * {@link GrowingRaces}.
 */
final class BrokenGrowingFilters {

  private BrokenGrowingFilters() {}

  private static int limit(Shape shape) {
    return shape.equals(FIRST) ? 1 : 4;
  }

  static final class Layer {
    final CountingBloomFilter<Long> filter;
    private final int limit;

    Layer(CountingBloomFilter<Long> filter, int limit) {
      this.filter = filter;
      this.limit = limit;
    }

    boolean isFull() {
      return filter.nonZeroCounters() > limit;
    }
  }

  /** The same row of layers, as simple as can be. */
  static class Sound implements Growing {

    /** A published list is never written again. */
    volatile List<Layer> row = new ArrayList<>();

    private final Layer first = layer(FIRST);

    Sound() {
      row.add(first);
      first.filter.addHash(OLD);
      first.filter.addHash(OTHER);
    }

    Layer layer(Shape shape) {
      return new Layer(
          CountingBloomFilter.builder(LONGS).shape(shape).concurrent().build(), limit(shape));
    }

    @Override
    public boolean add(long hash) {
      synchronized (this) {
        return addUnlocked(hash);
      }
    }

    final boolean addUnlocked(long hash) {
      List<Layer> now = row;
      for (int i = 0; i < now.size(); i++) {
        if (now.get(i).filter.mightContainHash(hash)) {
          return now.get(i).filter.addHashExclusively(hash);
        }
      }
      Layer active = now.get(now.size() - 1);
      if (active.isFull()) {
        active = now.contains(first) ? layer(SECOND) : first;
        grow(active);
      }
      return active.filter.addHashExclusively(hash);
    }

    void grow(Layer next) {
      List<Layer> grown = new ArrayList<>(row);
      grown.add(next);
      row = grown;
    }

    @Override
    public boolean remove(long hash) {
      synchronized (this) {
        Layer layer = removeUnlocked(hash);
        if (layer != null && layer.filter.nonZeroCounters() == 0) {
          drop(layer);
        }
        return layer != null;
      }
    }

    /** Returns the layer from which it was removed. */
    final @Nullable Layer removeUnlocked(long hash) {
      List<Layer> now = row;
      for (int i = 0; i < now.size(); i++) {
        if (now.get(i).filter.removeHashExclusively(hash)) {
          return now.get(i);
        }
      }
      return null;
    }

    final void drop(Layer empty) {
      List<Layer> rest = new ArrayList<>();
      for (Layer layer : row) {
        if (layer != empty) {
          rest.add(layer);
        }
      }
      row = rest;
    }

    @Override
    public final boolean mightContain(long hash) {
      List<Layer> now = row;
      for (int i = now.size() - 1; i >= 0; i--) {
        if (now.get(i).filter.mightContainHash(hash)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public long count(long hash) {
      synchronized (this) {
        return countUnlocked(hash);
      }
    }

    final long countUnlocked(long hash) {
      List<Layer> now = row;
      for (int i = 0; i < now.size(); i++) {
        long count = now.get(i).filter.countHash(hash);
        if (count > 0) {
          return count;
        }
      }
      return 0;
    }

    @Override
    public final int layerCount() {
      return row.size();
    }
  }

  static final class AddsWithoutALock extends Sound {
    @Override
    public boolean add(long hash) {
      return addUnlocked(hash);
    }
  }

  static final class DropsWithoutLookingAgain extends Sound {
    @Override
    public boolean remove(long hash) {
      Layer layer;
      boolean isEmpty;
      synchronized (this) {
        layer = removeUnlocked(hash);
        isEmpty = layer != null && layer.filter.nonZeroCounters() == 0;
      }
      if (layer != null && isEmpty) {
        synchronized (this) {
          drop(layer);
        }
      }
      return layer != null;
    }
  }

  static final class TakesAndGivesBack extends Sound {
    @Override
    Layer layer(Shape shape) {
      return new Layer(CountingBloomFilter.builder(LONGS).shape(shape).build(), limit(shape));
    }
  }

  static final class CountsWithoutALock extends Sound {
    @Override
    public long count(long hash) {
      return countUnlocked(hash);
    }
  }

  static final class ShowsTheNewestFirst extends Sound {
    @Override
    void grow(Layer next) {
      List<Layer> grown = new ArrayList<>(row);
      grown.add(next);
      row = List.of(next);
      row = grown;
    }
  }
}
