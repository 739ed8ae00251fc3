package io.bloomkit.stress;

import io.bloomkit.Shape;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The simplest correct filter that grows by layers and supports removal. Some of the broken filters
 * break one of its methods.
 */
class SoundLayersFilter implements RacedDeletableFilter {

  private static final Shape SHAPE = new Shape(4096, 2);
  private static final int ELEMENTS_PER_LAYER = 32;

  /** The layers. A published array is never modified. */
  volatile Layer[] row = {new Layer(newLayer())};

  /** A layer, compared by identity and not by contents. */
  static final class Layer {
    private final CountingBloomFilter<Long> filter;

    Layer(CountingBloomFilter<Long> filter) {
      this.filter = filter;
    }

    private boolean isFull() {
      return filter.elementCount().orElseThrow() >= ELEMENTS_PER_LAYER;
    }
  }

  /** Returns a new filter of the same kind. */
  SoundLayersFilter newFilter() {
    return new SoundLayersFilter();
  }

  private static CountingBloomFilter<Long> newLayer() {
    return CountingBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build();
  }

  @Override
  public final boolean mightContain(long hash) {
    Layer[] layers = row;
    for (int i = layers.length - 1; i >= 0; i--) {
      if (layers[i].filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean add(long hash) {
    synchronized (this) {
      return addUnlocked(hash);
    }
  }

  final boolean addUnlocked(long hash) {
    Layer[] layers = row;
    for (Layer layer : layers) {
      if (layer.filter.mightContainHash(hash)) {
        return layer.filter.addHashExclusively(hash);
      }
    }
    Layer active = layers[layers.length - 1];
    if (active.isFull()) {
      active = new Layer(newLayer());
      show(grown(active));
    }
    return active.filter.addHashExclusively(hash);
  }

  private Layer[] grown(Layer next) {
    Layer[] layers = row;
    Layer[] grown = Arrays.copyOf(layers, layers.length + 1);
    grown[layers.length] = next;
    return grown;
  }

  void show(Layer[] grown) {
    row = grown;
  }

  @Override
  public final boolean remove(long hash) {
    synchronized (this) {
      for (Layer layer : row) {
        if (removeFrom(layer, hash)) {
          if (row.length > 1 && layer.filter.elementCount().orElseThrow() == 0) {
            row = Stream.of(row).filter(other -> other != layer).toArray(Layer[]::new);
          }
          return true;
        }
      }
      return false;
    }
  }

  boolean removeFrom(Layer layer, long hash) {
    return layer.filter.removeHashExclusively(hash);
  }

  @Override
  public final synchronized long count(long hash) {
    for (Layer layer : row) {
      long count = layer.filter.countHash(hash);
      if (count > 0) {
        return count;
      }
    }
    return 0;
  }

  private List<CountingBloomFilter<Long>> filters() {
    return Stream.of(row).map(layer -> layer.filter).toList();
  }

  @Override
  public final RacedDeletableFilter copy() {
    SoundLayersFilter copy = newFilter();
    copy.row = Stream.of(row).map(layer -> new Layer(layer.filter.copy())).toArray(Layer[]::new);
    return copy;
  }

  @Override
  public final boolean holdsTheSameAs(RacedFilter other) {
    return other instanceof SoundLayersFilter that && Objects.equals(filters(), that.filters());
  }

  @Override
  public final long bytes() {
    return row.length;
  }

  @Override
  public final long positions() {
    return SHAPE.positions();
  }

  @Override
  public final int hashes() {
    return SHAPE.hashes();
  }

  @Override
  public final BitSet taken() {
    BitSet taken = new BitSet();
    filters().forEach(filter -> taken.or(BitSet.valueOf(filter.toClassic().toLongArray())));
    return taken;
  }

  /** Adds without a lock. A new layer may replace that of another thread. */
  static final class AddsWithoutALock extends SoundLayersFilter {
    @Override
    SoundLayersFilter newFilter() {
      return new AddsWithoutALock();
    }

    @Override
    public boolean add(long hash) {
      return addUnlocked(hash);
    }
  }

  /** Publishes a new layer before the other layers. */
  static final class ShowsTheNewestFirst extends SoundLayersFilter {
    @Override
    SoundLayersFilter newFilter() {
      return new ShowsTheNewestFirst();
    }

    @Override
    void show(Layer[] grown) {
      row = new Layer[] {grown[grown.length - 1]};
      row = grown;
    }
  }

  /** Hides a layer while it removes an element from it. */
  static final class HidesWhatItChanges extends SoundLayersFilter {
    @Override
    SoundLayersFilter newFilter() {
      return new HidesWhatItChanges();
    }

    @Override
    boolean removeFrom(Layer layer, long hash) {
      Layer[] shown = row;
      row = Stream.of(shown).filter(other -> other != layer).toArray(Layer[]::new);
      boolean removed = super.removeFrom(layer, hash);
      row = shown;
      return removed;
    }
  }
}
