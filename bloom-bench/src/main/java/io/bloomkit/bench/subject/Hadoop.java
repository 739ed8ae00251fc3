package io.bloomkit.bench.subject;

import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.Filter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/** Creates Hadoop's filters, with the size and the number of hashes of Bloomkit's filters. */
final class Hadoop extends BytesMaker {

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

  @Override
  BytesFilter bytes(int elements, double fpp) {
    FlatShape shape = Shape.of(elements, fpp);
    Filter filter = filter(shape);
    return new BytesFilter() {
      @Override
      public boolean add(byte[] key) {
        filter.add(new Key(key));
        return true;
      }

      @Override
      public boolean mightContain(byte[] key) {
        return filter.membershipTest(new Key(key));
      }

      @Override
      public boolean remove(byte[] key) {
        ((CountingBloomFilter) filter).delete(new Key(key));
        return true;
      }

      @Override
      public long bits() {
        return shape.positions() * (counting ? COUNTER_BITS : 1);
      }
    };
  }
}
