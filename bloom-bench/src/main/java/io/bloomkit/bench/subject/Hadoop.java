package io.bloomkit.bench.subject;

import com.google.common.primitives.Longs;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/**
 * Creates Hadoop's counting filters, with the size and the number of hashes of Bloomkit's counting
 * filters. The library takes every key as a new array of bytes.
 */
final class Hadoop implements Maker {

  private static final int COUNTER_BITS = 4;

  private static CountingBloomFilter filter(FlatShape shape) {
    return new CountingBloomFilter(
        Math.toIntExact(shape.positions()), shape.hashes(), Hash.MURMUR_HASH);
  }

  private static Key key(long key) {
    return new Key(Longs.toByteArray(key));
  }

  private static Key key(String key) {
    return new Key(key.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public LongFilter longs(int elements, double fpp) {
    FlatShape shape = Shape.of(elements, fpp);
    CountingBloomFilter filter = filter(shape);
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
        filter.delete(key(key));
        return true;
      }

      @Override
      public long bits() {
        return COUNTER_BITS * shape.positions();
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    FlatShape shape = Shape.of(elements, fpp);
    CountingBloomFilter filter = filter(shape);
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
        filter.delete(key(key));
        return true;
      }

      @Override
      public long bits() {
        return COUNTER_BITS * shape.positions();
      }
    };
  }
}
