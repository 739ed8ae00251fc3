package io.bloomkit.bench;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomkit.DeletableFilter;
import io.bloomkit.HashStrategies;
import io.bloomkit.InsertableFilter;
import io.bloomkit.LongHashStrategy;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.scalable.AgingBloomFilter;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.scalable.ScalableCountingBloomFilter;
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
  CLASSIC("Bloomkit classic", false, true) {
    @Override
    Longs empty(int elements) {
      return insertable(ClassicBloomFilter.create(LONGS, elements, FPP));
    }
  },
  CLASSIC_CONCURRENT("Bloomkit classic, concurrent", false, true) {
    @Override
    Longs empty(int elements) {
      return insertable(
          ClassicBloomFilter.builder(LONGS).expecting(elements, FPP).concurrent().<Long>build());
    }
  },
  BLOCKED("Bloomkit blocked", false, true) {
    @Override
    Longs empty(int elements) {
      return insertable(BlockedBloomFilter.create(LONGS, elements, FPP));
    }
  },
  BLOCKED_CONCURRENT("Bloomkit blocked, concurrent", false, true) {
    @Override
    Longs empty(int elements) {
      return insertable(
          BlockedBloomFilter.builder(LONGS).expecting(elements, FPP).concurrent().<Long>build());
    }
  },
  GUAVA("Guava", false, false) {
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
  FAST_FILTER_BLOOM("FastFilter Bloom", false, false) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyFilters.bloom(elements, bitsPerKey(elements), HASHES));
    }
  },
  FAST_FILTER_BLOCKED("FastFilter blocked", false, false) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyFilters.blocked(elements, 11));
    }
  },
  COMMONS_COLLECTIONS("commons-collections", false, false) {
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
  COUNTING("Bloomkit counting", true, true) {
    @Override
    Longs empty(int elements) {
      return deletable(CountingBloomFilter.create(LONGS, elements, FPP));
    }
  },
  COUNTING_CONCURRENT("Bloomkit counting, concurrent", true, true) {
    @Override
    Longs empty(int elements) {
      return deletable(
          CountingBloomFilter.builder(LONGS).expecting(elements, FPP).concurrent().<Long>build());
    }
  },
  BLOCKED_COUNTING("Bloomkit blocked counting", true, true) {
    @Override
    Longs empty(int elements) {
      return deletable(BlockedCountingBloomFilter.create(LONGS, elements, FPP));
    }
  },
  BLOCKED_COUNTING_CONCURRENT("Bloomkit blocked counting, concurrent", true, true) {
    @Override
    Longs empty(int elements) {
      return deletable(
          BlockedCountingBloomFilter.builder(LONGS)
              .expecting(elements, FPP)
              .concurrent()
              .<Long>build());
    }
  },
  CUCKOO("Bloomkit cuckoo", true, true) {
    @Override
    Longs empty(int elements) {
      return deletable(CuckooFilter.create(LONGS, elements, FPP));
    }
  },
  SCALABLE("Bloomkit scalable, grown from a tenth", false, true) {
    @Override
    Longs empty(int elements) {
      return insertable(ScalableBloomFilter.create(LONGS, Math.max(1, elements / 10), FPP));
    }
  },
  SCALABLE_BLOCKED("Bloomkit scalable, blocked, grown from a tenth", false, true) {
    @Override
    Longs empty(int elements) {
      return insertable(
          ScalableBloomFilter.builder(LONGS)
              .expecting(Math.max(1, elements / 10), FPP)
              .blocked()
              .<Long>build());
    }
  },
  SCALABLE_COUNTING("Bloomkit scalable counting, grown from a tenth", true, true) {
    @Override
    Longs empty(int elements) {
      return deletable(ScalableCountingBloomFilter.create(LONGS, Math.max(1, elements / 10), FPP));
    }
  },
  AGEING("Bloomkit ageing, window of all elements", false, false) {
    @Override
    Longs empty(int elements) {
      AgingBloomFilter<Long> filter = AgingBloomFilter.create(LONGS, elements, FPP);
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
        public long memoryBytes() {
          return filter.memoryBytes();
        }
      };
    }
  },
  FAST_FILTER_COUNTING("FastFilter counting", true, false) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyCountingFilters.counting(elements, bitsPerKey(elements), HASHES));
    }
  },
  FAST_FILTER_SUCCINCT_BLOCKED("FastFilter succinct counting blocked", true, false) {
    @Override
    Longs empty(int elements) {
      return fastFilter(EmptyCountingFilters.succinctBlocked(elements, 11, HASHES));
    }
  },
  HADOOP_COUNTING("Hadoop counting", true, false) {
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

  /** How many keys are hashed before a form for many hashes is called. */
  private static final int CHUNK = 1024;

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  final String label;
  final boolean removes;
  final boolean hasBatch;

  Subject(String label, boolean removes, boolean hasBatch) {
    this.label = label;
    this.removes = removes;
    this.hasBatch = hasBatch;
  }

  /**
   * Returns the bits an element: what our filters take, what a peer was asked for; 0 if unknown.
   */
  double bits(int elements) {
    return switch (this) {
      case FAST_FILTER_BLOCKED -> 11;
      case FAST_FILTER_SUCCINCT_BLOCKED, SCALABLE, SCALABLE_BLOCKED, SCALABLE_COUNTING -> 0;
      case FAST_FILTER_COUNTING, HADOOP_COUNTING -> 4 * bitsPerKey(elements);
      case GUAVA, FAST_FILTER_BLOOM, COMMONS_COLLECTIONS -> bitsPerKey(elements);
      default -> (double) Byte.SIZE * empty(elements).memoryBytes() / elements;
    };
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

    default void clear() {
      throw new IllegalStateException("only measured with forms for many keys");
    }

    default void addAll(long[] keys) {
      throw new IllegalStateException("there is no form for many keys");
    }

    default int countClaimed(long[] keys) {
      throw new IllegalStateException("there is no form for many keys");
    }

    default void removeAll(long[] keys) {
      throw new IllegalStateException("there is no form for many keys");
    }

    default long memoryBytes() {
      throw new IllegalStateException("only known of our own filters");
    }
  }

  private static double bitsPerKey(int elements) {
    return (double) Shape.of(elements, FPP).positions() / elements;
  }

  private static Longs insertable(InsertableFilter<Long> filter) {
    return new Insertable<>(filter);
  }

  private static Longs deletable(DeletableFilter<Long> filter) {
    return new Deletable(filter);
  }

  /** One of our filters. A fork has one subject, so that its calls have one target. */
  private static class Insertable<F extends InsertableFilter<Long>> implements Longs {

    final F filter;
    final long[] hashes = new long[CHUNK];
    private final boolean[] answers = new boolean[CHUNK];

    Insertable(F filter) {
      this.filter = filter;
    }

    @Override
    public boolean add(long key) {
      return filter.addHash(LONGS.hashLong(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContainHash(LONGS.hashLong(key));
    }

    @Override
    public void clear() {
      filter.clear();
    }

    @Override
    public void addAll(long[] keys) {
      for (int from = 0; from < keys.length; from += CHUNK) {
        filter.addHashes(hashes, 0, hashChunk(keys, from));
      }
    }

    @Override
    public int countClaimed(long[] keys) {
      int claimed = 0;
      for (int from = 0; from < keys.length; from += CHUNK) {
        claimed += filter.mightContainHashes(hashes, 0, hashChunk(keys, from), answers);
      }
      return claimed;
    }

    int hashChunk(long[] keys, int from) {
      int length = Math.min(CHUNK, keys.length - from);
      for (int i = 0; i < length; i++) {
        hashes[i] = LONGS.hashLong(keys[from + i]);
      }
      return length;
    }

    @Override
    public long memoryBytes() {
      return filter.memoryBytes();
    }
  }

  /** One of our filters that can remove. */
  private static final class Deletable extends Insertable<DeletableFilter<Long>> {

    Deletable(DeletableFilter<Long> filter) {
      super(filter);
    }

    @Override
    public boolean remove(long key) {
      return filter.removeHash(LONGS.hashLong(key));
    }

    @Override
    public void removeAll(long[] keys) {
      for (int from = 0; from < keys.length; from += CHUNK) {
        filter.removeHashes(hashes, 0, hashChunk(keys, from));
      }
    }
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
