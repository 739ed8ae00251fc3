package io.bloomkit.bench.subject;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.util.Set;
import java.util.stream.Stream;

/** The filters that are measured. */
public enum Subject {
  CLASSIC(ClassicBloomFilter.KIND),
  CLASSIC_CONCURRENT(ClassicBloomFilter.KIND, Subject::concurrentClassic),
  BLOCKED(BlockedBloomFilter.KIND),
  BLOCKED_CONCURRENT(BlockedBloomFilter.KIND, Subject::concurrentBlocked),
  COUNTING(CountingBloomFilter.KIND),
  COUNTING_CONCURRENT(CountingBloomFilter.KIND, Subject::concurrentCounting),
  BLOCKED_COUNTING(BlockedCountingBloomFilter.KIND),
  BLOCKED_COUNTING_CONCURRENT(BlockedCountingBloomFilter.KIND, Subject::concurrentBlockedCounting),
  CUCKOO(CuckooFilter.KIND),
  DYNAMIC_CUCKOO(DynamicCuckooFilter.KIND),
  DYNAMIC_CUCKOO_ALLOCATED(
      DynamicCuckooFilter.KIND,
      "allocated",
      new Bloomkit(Subject::allocatedCuckoo),
      Trait.TEXTS,
      Trait.BATCH),
  EXPIRING_CUCKOO("Bloomkit expiring cuckoo", new BloomkitExpiring(), Trait.REMOVAL),
  SCALABLE(
      ScalableBloomFilter.KIND,
      "grown from a tenth",
      new Bloomkit(Subject::scalable),
      Trait.TEXTS,
      Trait.BATCH),
  GUAVA("Guava", new Guava(), Trait.TEXTS),
  GUAVA_UNBOXED("Guava, no boxing", new GuavaUnboxed()),
  FAST_FILTER_BLOOM("FastFilter Bloom", FastFilter.bloom()),
  FAST_FILTER_BLOCKED("FastFilter blocked", FastFilter.blocked()),
  FAST_FILTER_COUNTING("FastFilter counting", FastFilter.counting(), Trait.REMOVAL),
  FAST_FILTER_SUCCINCT_BLOCKED(
      "FastFilter succinct counting blocked", FastFilter.succinctBlocked(), Trait.REMOVAL),
  FAST_FILTER_CUCKOO_8("FastFilter cuckoo, 8 bits", FastFilterCuckoo::ofEightBits),
  FAST_FILTER_CUCKOO_16("FastFilter cuckoo, 16 bits", FastFilterCuckoo::ofSixteenBits),
  HADOOP_COUNTING("Hadoop counting", new Hadoop(), Trait.TEXTS, Trait.REMOVAL),
  SPARK("Spark", new Spark(), Trait.TEXTS);

  /** A growing filter begins with room for the elements divided by this number. */
  private static final int GROWTH = 10;

  public final String label;
  public final Maker maker;
  private final Set<Trait> traits;

  /** Creates a subject for Bloomkit's filters of a kind. */
  Subject(FilterKind kind) {
    this(labelOf(kind), new Bloomkit(kind), withRemoval(kind, Trait.TEXTS, Trait.BATCH));
  }

  /** Creates a subject for the thread-safe variant of Bloomkit's filters of a kind. */
  Subject(FilterKind kind, Bloomkit.Factory concurrent) {
    this(kind, "concurrent", new Bloomkit(concurrent), Trait.TEXTS);
  }

  /** Creates a subject for another variant of Bloomkit's filters of a kind. */
  Subject(FilterKind kind, String form, Maker maker, Trait... traits) {
    this(labelOf(kind) + ", " + form, maker, withRemoval(kind, traits));
  }

  Subject(String label, Maker maker, Trait... traits) {
    this.label = label;
    this.maker = maker;
    this.traits = Set.of(traits);
  }

  /** Returns a name with spaces, so that it wraps in tables with many columns. */
  private static String labelOf(FilterKind kind) {
    return "Bloomkit " + kind.label().replace('-', ' ');
  }

  private static Trait[] withRemoval(FilterKind kind, Trait... traits) {
    return Stream.concat(
            Stream.of(traits), kind.isDeletable() ? Stream.of(Trait.REMOVAL) : Stream.empty())
        .toArray(Trait[]::new);
  }

  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** A capability of only some filters. */
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

  private static <T> InsertableFilter<T> allocatedCuckoo(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return DynamicCuckooFilter.builder(strategy).expecting(n, fpp).allocated().build();
  }

  private static <T> InsertableFilter<T> scalable(
      HashStrategy<? super T> strategy, long n, double fpp) {
    return ScalableBloomFilter.create(strategy, Math.max(1, n / GROWTH), fpp);
  }
}
