package io.bloomkit.bench.subject;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.scalable.ScalableCountingBloomFilter;
import java.util.Set;

/** The filters that are measured. */
public enum Subject {
  CLASSIC("Bloomkit classic", Ours.utf8(ClassicBloomFilter::create), Trait.TEXTS, Trait.BATCH),
  CLASSIC_CHARS("Bloomkit classic, UTF-16", Ours.chars(ClassicBloomFilter::create), Trait.TEXTS),
  CLASSIC_CONCURRENT(
      "Bloomkit classic, concurrent", Ours.utf8(Subject::concurrentClassic), Trait.TEXTS),
  BLOCKED("Bloomkit blocked", Ours.utf8(BlockedBloomFilter::create), Trait.TEXTS, Trait.BATCH),
  BLOCKED_CHARS("Bloomkit blocked, UTF-16", Ours.chars(BlockedBloomFilter::create), Trait.TEXTS),
  BLOCKED_CONCURRENT(
      "Bloomkit blocked, concurrent", Ours.utf8(Subject::concurrentBlocked), Trait.TEXTS),
  COUNTING(
      "Bloomkit counting",
      Ours.utf8(CountingBloomFilter::create),
      Trait.TEXTS,
      Trait.REMOVAL,
      Trait.BATCH),
  COUNTING_CONCURRENT(
      "Bloomkit counting, concurrent",
      Ours.utf8(Subject::concurrentCounting),
      Trait.TEXTS,
      Trait.REMOVAL),
  BLOCKED_COUNTING(
      "Bloomkit blocked counting",
      Ours.utf8(BlockedCountingBloomFilter::create),
      Trait.TEXTS,
      Trait.REMOVAL,
      Trait.BATCH),
  BLOCKED_COUNTING_CONCURRENT(
      "Bloomkit blocked counting, concurrent",
      Ours.utf8(Subject::concurrentBlockedCounting),
      Trait.TEXTS,
      Trait.REMOVAL),
  CUCKOO(
      "Bloomkit cuckoo", Ours.utf8(CuckooFilter::create), Trait.TEXTS, Trait.REMOVAL, Trait.BATCH),
  SCALABLE(
      "Bloomkit scalable, grown from a tenth",
      Ours.utf8(Subject::scalable),
      Trait.TEXTS,
      Trait.BATCH),
  SCALABLE_BLOCKED(
      "Bloomkit scalable, blocked, grown from a tenth",
      Ours.utf8(Subject::scalableBlocked),
      Trait.TEXTS,
      Trait.BATCH),
  SCALABLE_COUNTING(
      "Bloomkit scalable counting, grown from a tenth",
      Ours.utf8(Subject::scalableCounting),
      Trait.TEXTS,
      Trait.REMOVAL,
      Trait.BATCH),
  AGEING("Bloomkit ageing, window of all elements", new OurAging()),
  GUAVA("Guava", Guava.utf8(), Trait.TEXTS),
  GUAVA_CHARS("Guava, UTF-16", Guava.chars(), Trait.TEXTS),
  FAST_FILTER_BLOOM("FastFilter Bloom", FastFilter.bloom()),
  FAST_FILTER_BLOCKED("FastFilter blocked", FastFilter.blocked()),
  FAST_FILTER_COUNTING("FastFilter counting", FastFilter.counting(), Trait.REMOVAL),
  FAST_FILTER_SUCCINCT_BLOCKED(
      "FastFilter succinct counting blocked", FastFilter.succinctBlocked(), Trait.REMOVAL),
  FAST_FILTER_CUCKOO_8("FastFilter cuckoo, 8 bits", FastFilterCuckoo::ofEightBits),
  FAST_FILTER_CUCKOO_16("FastFilter cuckoo, 16 bits", FastFilterCuckoo::ofSixteenBits),
  HADOOP("Hadoop", Hadoop.bloom(), Trait.TEXTS),
  HADOOP_COUNTING("Hadoop counting", Hadoop.counting(), Trait.TEXTS, Trait.REMOVAL),
  COMMONS_COLLECTIONS("commons-collections", new CommonsCollections(), Trait.TEXTS),
  DATA_SKETCHES("DataSketches", new DataSketches(), Trait.TEXTS),
  SPARK("Spark", new Spark(), Trait.TEXTS),
  BLOOM_FILTER_SCALA("bloom-filter-scala", new BloomFilterScala(), Trait.TEXTS),
  STREAM_LIB("stream-lib", new StreamLib(), Trait.TEXTS),
  ORESTES("Orestes", Orestes.bloom(), Trait.TEXTS),
  ORESTES_COUNTING("Orestes counting, 4 bits", Orestes.counting(4), Trait.TEXTS, Trait.REMOVAL),
  ORESTES_COUNTING_BYTES(
      "Orestes counting, 8 bits", Orestes.counting(Byte.SIZE), Trait.TEXTS, Trait.REMOVAL),
  READ_OF_BLOCKED("an independent read", new ReadOfMemory(BlockedBloomFilter::create), Trait.BATCH),
  READ_OF_BLOCKED_COUNTING(
      "an independent read", new ReadOfMemory(BlockedCountingBloomFilter::create), Trait.BATCH);

  /** A growing filter begins with room for so small a part of the elements. */
  private static final int GROWTH = 10;

  public final String label;
  public final Maker maker;
  private final Set<Trait> traits;

  Subject(String label, Maker maker, Trait... traits) {
    this.label = label;
    this.maker = maker;
    this.traits = Set.of(traits);
  }

  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether it is no filter, but what no filter can be faster than. */
  public boolean isFloor() {
    return maker instanceof ReadOfMemory;
  }

  public boolean isOurs() {
    return maker instanceof Ours || maker instanceof OurAging;
  }

  /** What only some filters can do. */
  public enum Trait {
    TEXTS,
    REMOVAL,
    BATCH
  }

  private static <T> InsertableFilter<T> concurrentClassic(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return ClassicBloomFilter.builder(strategy).expecting(n, fpp).concurrent().build();
  }

  private static <T> InsertableFilter<T> concurrentBlocked(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return BlockedBloomFilter.builder(strategy).expecting(n, fpp).concurrent().build();
  }

  private static <T> InsertableFilter<T> concurrentCounting(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return CountingBloomFilter.builder(strategy).expecting(n, fpp).concurrent().build();
  }

  private static <T> InsertableFilter<T> concurrentBlockedCounting(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return BlockedCountingBloomFilter.builder(strategy).expecting(n, fpp).concurrent().build();
  }

  private static <T> InsertableFilter<T> scalable(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return ScalableBloomFilter.create(strategy, Math.max(1, n / GROWTH), fpp);
  }

  private static <T> InsertableFilter<T> scalableBlocked(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return ScalableBloomFilter.builder(strategy)
        .expecting(Math.max(1, n / GROWTH), fpp)
        .blocked()
        .build();
  }

  private static <T> InsertableFilter<T> scalableCounting(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return ScalableCountingBloomFilter.create(strategy, Math.max(1, n / GROWTH), fpp);
  }
}
