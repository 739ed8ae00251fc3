package io.bloomkit.bench.subject;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/**
 * Creates filters of commons-collections. This library requires a 128-bit hash from the caller:
 * here, Bloomkit's hash and the hash of that hash.
 */
final class CommonsCollections implements Maker {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final HashStrategy<CharSequence> TEXTS = HashStrategies.utf8();

  @Override
  public LongFilter longs(int elements, double fpp) {
    SimpleBloomFilter filter = new SimpleBloomFilter(Shape.fromNP(elements, fpp));
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        return filter.merge(hasher(LONGS.hashLong(key)));
      }

      @Override
      public boolean mightContain(long key) {
        return filter.contains(hasher(LONGS.hashLong(key)));
      }

      @Override
      public long bits() {
        return filter.getShape().getNumberOfBits();
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    SimpleBloomFilter filter = new SimpleBloomFilter(Shape.fromNP(elements, fpp));
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        return filter.merge(hasher(TEXTS.hash(key)));
      }

      @Override
      public boolean mightContain(String key) {
        return filter.contains(hasher(TEXTS.hash(key)));
      }

      @Override
      public long bits() {
        return filter.getShape().getNumberOfBits();
      }
    };
  }

  private static Hasher hasher(long hash) {
    return new EnhancedDoubleHasher(hash, LONGS.hashLong(hash));
  }
}
