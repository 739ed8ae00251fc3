package io.bloomkit.bench.subject;

import com.google.common.primitives.Longs;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.Filter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/** Creates Hadoop's filters, with the size and the number of hashes of Bloomkit's filters. */
final class Hadoop implements Maker {

  private static final int COUNTER_BITS = 4;

  private final boolean counting;

  private Hadoop(boolean counting) {
    this.counting = counting;
  }

  static Hadoop bloom() {
    return new Hadoop(false);
  }

  static Hadoop counting() {
    return new Hadoop(true);
  }

  private Filter filter(FlatShape shape) {
    int positions = Math.toIntExact(shape.positions());
    return counting
        ? new CountingBloomFilter(positions, shape.hashes(), Hash.MURMUR_HASH)
        : new BloomFilter(positions, shape.hashes(), Hash.MURMUR_HASH);
  }

  private long bits(FlatShape shape) {
    return shape.positions() * (counting ? COUNTER_BITS : 1);
  }

  @Override
  public String longKeys() {
    return "a new array and a new `Key` at each call";
  }

  @Override
  public LongFilter longs(int elements, double fpp, int strategy) {
    FlatShape shape = Shape.of(elements, fpp);
    Filter filter = filter(shape);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        filter.add(key(key));
        return true;
      }

      @Override
      public boolean mightContain(long key) {
        return filter.membershipTest(key(key));
      }

      @Override
      public boolean remove(long key) {
        ((CountingBloomFilter) filter).delete(key(key));
        return true;
      }

      private Key key(long key) {
        return new Key(Longs.toByteArray(key));
      }

      @Override
      public long bits() {
        return Hadoop.this.bits(shape);
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp, int strategy) {
    FlatShape shape = Shape.of(elements, fpp);
    Filter filter = filter(shape);
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        filter.add(key(key));
        return true;
      }

      @Override
      public boolean mightContain(String key) {
        return filter.membershipTest(key(key));
      }

      @Override
      public boolean remove(String key) {
        ((CountingBloomFilter) filter).delete(key(key));
        return true;
      }

      private Key key(String key) {
        return new Key(key.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public long bits() {
        return Hadoop.this.bits(shape);
      }
    };
  }
}
