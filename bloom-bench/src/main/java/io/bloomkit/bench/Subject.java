package io.bloomkit.bench;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomkit.HashStrategies;
import io.bloomkit.LongHashStrategy;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import java.nio.ByteBuffer;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;
import org.fastfilter.Filter;
import org.fastfilter.bloom.EmptyFilters;
import org.fastfilter.bloom.count.EmptyCountingFilters;

/** The filters that are measured, all made for an error of 1 % and used with long keys. */
public enum Subject {
  CLASSIC("Bloomkit classic", false) {
    @Override
    Longs empty(int elements) {
      return classic(ClassicBloomFilter.create(LONGS, elements, FPP));
    }
  },
  CLASSIC_CONCURRENT("Bloomkit classic, concurrent", false) {
    @Override
    Longs empty(int elements) {
      return classic(
          ClassicBloomFilter.builder(LONGS).expecting(elements, FPP).concurrent().<Long>build());
    }
  },
  GUAVA("Guava", false) {
    @Override
    Longs empty(int elements) {
      BloomFilter<Long> filter = BloomFilter.create(Funnels.longFunnel(), elements, FPP);
      return new Longs() {
        @Override
        public boolean add(long key) {
          return filter.put(key);
        }

        @Override
        public boolean mightContain(long key) {
          return filter.mightContain(key);
        }
      };
    }
  },
  FAST_FILTER_BLOOM("FastFilter Bloom", false) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyFilters.bloom(elements, bitsPerKey(elements), HASHES));
    }
  },
  FAST_FILTER_BLOCKED("FastFilter blocked", false) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyFilters.blocked(elements, 11));
    }
  },
  COMMONS_COLLECTIONS("commons-collections", false) {
    @Override
    Longs empty(int elements) {
      SimpleBloomFilter filter =
          new SimpleBloomFilter(
              org.apache.commons.collections4.bloomfilter.Shape.fromNP(elements, FPP));
      return new Longs() {
        @Override
        public boolean add(long key) {
          return filter.merge(hasher(key));
        }

        @Override
        public boolean mightContain(long key) {
          return filter.contains(hasher(key));
        }

        private EnhancedDoubleHasher hasher(long key) {
          long hash = LONGS.hashLong(key);
          return new EnhancedDoubleHasher(hash, hash * 0x9e3779b97f4a7c15L);
        }
      };
    }
  },
  COUNTING("Bloomkit counting", true) {
    @Override
    Longs empty(int elements) {
      return counting(CountingBloomFilter.create(LONGS, elements, FPP));
    }
  },
  COUNTING_CONCURRENT("Bloomkit counting, concurrent", true) {
    @Override
    Longs empty(int elements) {
      return counting(
          CountingBloomFilter.builder(LONGS).expecting(elements, FPP).concurrent().<Long>build());
    }
  },
  FAST_FILTER_COUNTING("FastFilter counting", true) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyCountingFilters.counting(elements, bitsPerKey(elements), HASHES));
    }
  },
  FAST_FILTER_SUCCINCT_BLOCKED("FastFilter succinct counting blocked", true) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyCountingFilters.succinctBlocked(elements, 11, HASHES));
    }
  },
  HADOOP_COUNTING("Hadoop counting", true) {
    @Override
    Longs empty(int elements) {
      Shape shape = Shape.of(elements, FPP);
      org.apache.hadoop.util.bloom.CountingBloomFilter filter =
          new org.apache.hadoop.util.bloom.CountingBloomFilter(
              Math.toIntExact(shape.positions()), shape.hashes(), Hash.MURMUR_HASH);
      return new Longs() {
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

        private Key key(long key) {
          return new Key(ByteBuffer.allocate(Long.BYTES).putLong(key).array());
        }
      };
    }
  };

  private static final double FPP = 0.01;
  private static final int HASHES = 7;
  private static final LongHashStrategy LONGS = HashStrategies.longs();

  final String label;
  final boolean removes;

  Subject(String label, boolean removes) {
    this.label = label;
    this.removes = removes;
  }

  /** Returns an empty filter. */
  abstract Longs empty(int elements);

  /** A filter of unboxed keys, as its users would call it. */
  interface Longs {
    boolean add(long key);

    boolean mightContain(long key);

    default boolean remove(long key) {
      throw new IllegalStateException("nothing can be removed from this filter");
    }
  }

  private static double bitsPerKey(int elements) {
    return (double) Shape.of(elements, FPP).positions() / elements;
  }

  private static Longs classic(ClassicBloomFilter<Long> filter) {
    return new Longs() {
      @Override
      public boolean add(long key) {
        return filter.addHash(LONGS.hashLong(key));
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mightContainHash(LONGS.hashLong(key));
      }
    };
  }

  private static Longs counting(CountingBloomFilter<Long> filter) {
    return new Longs() {
      @Override
      public boolean add(long key) {
        return filter.addHash(LONGS.hashLong(key));
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mightContainHash(LONGS.hashLong(key));
      }

      @Override
      public boolean remove(long key) {
        return filter.removeHash(LONGS.hashLong(key));
      }
    };
  }

  private static Longs fastFilter(Filter filter) {
    return new Longs() {
      @Override
      public boolean add(long key) {
        filter.add(key);
        return true;
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mayContain(key);
      }

      @Override
      public boolean remove(long key) {
        filter.remove(key);
        return true;
      }
    };
  }
}
