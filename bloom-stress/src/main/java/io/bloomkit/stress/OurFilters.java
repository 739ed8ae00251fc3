package io.bloomkit.stress;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;

/** The filters of Bloomkit in races, except those with a file of their own. */
final class OurFilters {

  private OurFilters() {}

  /** A classic filter with four positions in one word. */
  static final class Classic extends OurFilter<ClassicBloomFilter<Long>> {

    private static final FlatShape SHAPE = new FlatShape(4, 2);

    Classic() {
      super(ClassicBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build());
    }

    @Override
    public long positions() {
      return SHAPE.positions();
    }

    @Override
    public int hashes() {
      return SHAPE.hashes();
    }

    @Override
    public BitSet taken() {
      return BitSet.valueOf(filter.toLongArray());
    }

    @Override
    List<Object> figures() {
      return List.of(filter.elementCount(), filter.setPositions());
    }
  }

  /** A blocked filter of two lines. An element sets two bits in each of two words. */
  static final class Blocked extends OurFilter<BlockedBloomFilter<Long>> {

    private static final BlockedShape SHAPE = new BlockedShape(2, 512, 4);

    Blocked() {
      super(BlockedBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build());
    }

    @Override
    public long positions() {
      return SHAPE.positions();
    }

    @Override
    public int hashes() {
      return SHAPE.hashes();
    }

    @Override
    public BitSet taken() {
      return BitSet.valueOf(filter.toLongArray());
    }

    @Override
    List<Object> figures() {
      return List.of(filter.elementCount(), filter.setPositions());
    }
  }

  /** A counting filter with four counters in one word. */
  static final class Counting extends OurDeletableFilter<CountingBloomFilter<Long>> {

    private static final FlatShape SHAPE = new FlatShape(4, 2);

    Counting() {
      this(CountingBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build());
    }

    private Counting(CountingBloomFilter<Long> filter) {
      super(filter);
    }

    @Override
    public Counting copy() {
      return new Counting(filter.copy());
    }

    @Override
    public long positions() {
      return SHAPE.positions();
    }

    @Override
    public int hashes() {
      return SHAPE.hashes();
    }

    @Override
    public BitSet taken() {
      return BitSet.valueOf(filter.toClassic().toLongArray());
    }

    @Override
    List<Object> figures() {
      return List.of(filter.elementCount(), filter.nonZeroCounters());
    }
  }

  /** A blocked counting filter of two lines. An element takes two counters in each of two words. */
  static final class BlockedCounting extends OurDeletableFilter<BlockedCountingBloomFilter<Long>> {

    private static final BlockedShape SHAPE = new BlockedShape(2, 128, 4);

    BlockedCounting() {
      this(
          BlockedCountingBloomFilter.builder(HashStrategies.longs())
              .shape(SHAPE)
              .concurrent()
              .build());
    }

    private BlockedCounting(BlockedCountingBloomFilter<Long> filter) {
      super(filter);
    }

    @Override
    public BlockedCounting copy() {
      return new BlockedCounting(filter.copy());
    }

    @Override
    public long positions() {
      return SHAPE.positions();
    }

    @Override
    public int hashes() {
      return SHAPE.hashes();
    }

    @Override
    public BitSet taken() {
      return BitSet.valueOf(filter.toBlocked().toLongArray());
    }

    @Override
    List<Object> figures() {
      return List.of(filter.elementCount(), filter.nonZeroCounters());
    }
  }

  /**
   * A cuckoo filter with a few buckets. It does not expose positions, so those of the last added
   * element are computed from its hash.
   */
  static final class Cuckoo extends OurDeletableFilter<CuckooFilter<Long>> {

    private long last;

    Cuckoo() {
      this(
          CuckooFilter.builder(HashStrategies.longs())
              .expecting(Growth.CROWD, 1e-5)
              .concurrent()
              .build());
    }

    private Cuckoo(CuckooFilter<Long> filter) {
      super(filter);
    }

    @Override
    public boolean add(long hash) {
      last = hash;
      return super.add(hash);
    }

    @Override
    public long positions() {
      return SoundGrowingFilter.POSITIONS;
    }

    @Override
    public int hashes() {
      return SoundGrowingFilter.HASHES;
    }

    @Override
    public BitSet taken() {
      BitSet taken = new BitSet();
      SoundGrowingFilter.take(taken, last);
      return taken;
    }

    @Override
    public Cuckoo copy() {
      return new Cuckoo(filter.copy());
    }

    @Override
    List<Object> figures() {
      return List.of(filter.elementCount(), filter.distinctFingerprints(), filter.expectedFpp());
    }
  }
}
