package io.bloomkit.bench.subject;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates Bloomkit's filters. The caller hashes numbers unboxed. */
final class Bloomkit implements Maker {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static final HashStrategy<CharSequence> TEXTS = HashStrategies.utf8();

  private final Factory factory;

  Bloomkit(Factory factory) {
    this.factory = factory;
  }

  /** Creates a maker of filters of a kind. */
  Bloomkit(FilterKind kind) {
    this(factory(kind));
  }

  private static Factory factory(FilterKind kind) {
    return new Factory() {
      @Override
      @SuppressWarnings("unchecked") // the filters of the measured kinds are insertable
      public <T> InsertableFilter<T> create(
          HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
        return (InsertableFilter<T>) kind.create(strategy, expectedInsertions, fpp);
      }
    };
  }

  @Override
  public LongFilter longs(int elements, double fpp) {
    return new Longs(LONGS, factory.create(LONGS, elements, fpp));
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    return new Texts(factory.create(TEXTS, elements, fpp));
  }

  /** Creates an empty filter of one kind. */
  interface Factory {
    <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp);
  }

  private static <T> @Nullable DeletableFilter<T> deletable(InsertableFilter<T> filter) {
    return filter instanceof DeletableFilter<T> deletable ? deletable : null;
  }

  private static final class Longs extends LongFilter {

    private final LongHashStrategy strategy;
    private final InsertableFilter<Long> filter;
    private final @Nullable DeletableFilter<Long> deletable;

    Longs(LongHashStrategy strategy, InsertableFilter<Long> filter) {
      this.strategy = strategy;
      this.filter = filter;
      this.deletable = deletable(filter);
    }

    @Override
    public boolean add(long key) {
      return filter.addHash(strategy.hashLong(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContainHash(strategy.hashLong(key));
    }

    @Override
    public boolean remove(long key) {
      return deletable.removeHash(strategy.hashLong(key));
    }

    @Override
    public void addAll(long[] keys, int from, int to) {
      filter.addHashes(hashes(keys, from, to), 0, to - from);
    }

    @Override
    public int countPositives(long[] keys, int from, int to) {
      return filter.mightContainHashes(
          hashes(keys, from, to), 0, to - from, new boolean[to - from]);
    }

    @Override
    public void removeAll(long[] keys, int from, int to) {
      deletable.removeHashes(hashes(keys, from, to), 0, to - from);
    }

    private long[] hashes(long[] keys, int from, int to) {
      long[] hashes = new long[to - from];
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = strategy.hashLong(keys[from + i]);
      }
      return hashes;
    }

    @Override
    public long bits() {
      return Byte.SIZE * filter.memoryBytes();
    }
  }

  private static final class Texts extends TextFilter {

    private final InsertableFilter<String> filter;
    private final @Nullable DeletableFilter<String> deletable;

    Texts(InsertableFilter<String> filter) {
      this.filter = filter;
      this.deletable = deletable(filter);
    }

    @Override
    public boolean add(String key) {
      return filter.add(key);
    }

    @Override
    public boolean mightContain(String key) {
      return filter.mightContain(key);
    }

    @Override
    public boolean remove(String key) {
      return deletable.remove(key);
    }

    @Override
    public void addAll(List<String> keys) {
      long[] hashes = filter.strategy().hashAll(keys);
      filter.addHashes(hashes, 0, hashes.length);
    }

    @Override
    public int countPositives(List<String> keys) {
      long[] hashes = filter.strategy().hashAll(keys);
      return filter.mightContainHashes(hashes, 0, hashes.length, new boolean[hashes.length]);
    }

    @Override
    public void removeAll(List<String> keys) {
      long[] hashes = deletable.strategy().hashAll(keys);
      deletable.removeHashes(hashes, 0, hashes.length);
    }

    @Override
    public long bits() {
      return Byte.SIZE * filter.memoryBytes();
    }
  }
}
