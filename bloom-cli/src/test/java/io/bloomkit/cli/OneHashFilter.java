package io.bloomkit.cli;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A filter of someone else: a bitmap in which each element sets one bit. With its descriptor and
 * provider it is one class.
 */
public final class OneHashFilter<T> implements InsertableFilter<T>, StorableFilter<T> {

  public static final FilterKind KIND = new Kind();

  private final HashStrategy<? super T> strategy;
  private final FlatShape shape;
  private final long[] words;

  private OneHashFilter(HashStrategy<? super T> strategy, FlatShape shape, long[] words) {
    this.strategy = strategy;
    this.shape = shape;
    this.words = words;
  }

  /** Offers the kind to {@link java.util.ServiceLoader}. */
  public static final class Provider implements FilterProvider {

    @Override
    public List<FilterKind> kinds() {
      return List.of(KIND);
    }
  }

  private record Kind() implements FilterKind {

    private static final FilterVariant VARIANT =
        new FilterVariant(FilterVariant.FIRST_PRIVATE_CODE, "OneHashFilter");

    @Override
    public FilterVariant variant() {
      return VARIANT;
    }

    @Override
    public String label() {
      return "one-hash";
    }

    @Override
    public Class<?> filterClass() {
      return OneHashFilter.class;
    }

    @Override
    public Set<Trait> traits() {
      return Set.of();
    }

    @Override
    public FilterLayout layout(long expectedInsertions, double fpp) {
      FlatShape shape = new FlatShape((long) Math.ceil(expectedInsertions / -Math.log1p(-fpp)), 1);
      return FilterLayout.of(shape, (long) wordsOf(shape) * Long.BYTES);
    }

    @Override
    public FilterLayout layoutOf(StorableFilter<?> filter) {
      OneHashFilter<?> built = (OneHashFilter<?>) filter;
      return FilterLayout.of(built.shape, built.memoryBytes()).withSetPositions(built.set());
    }

    @Override
    public <T> StorableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      FlatShape shape = new FlatShape((long) Math.ceil(expectedInsertions / -Math.log1p(-fpp)), 1);
      return new OneHashFilter<>(strategy, shape, new long[wordsOf(shape)]);
    }

    @Override
    public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
        throws IOException {
      reader.require(VARIANT, StrategyIdentity.of(strategy), 1);
      FlatShape shape = new FlatShape(reader.field(0, "positions", 1, Integer.MAX_VALUE), 1);
      int count = wordsOf(shape);
      SectionReader section = reader.section(SectionRole.WORDS, count);
      long[] words = new long[count]; // after so much was received
      section.readInto(words, 0, count);
      return new OneHashFilter<>(strategy, shape, words);
    }

    private static int wordsOf(FlatShape shape) {
      return Math.toIntExact((shape.positions() + Long.SIZE - 1) / Long.SIZE);
    }
  }

  @Override
  public boolean addHash(long hash) {
    boolean isNew = !mightContainHash(hash);
    words[wordOf(hash)] |= bitOf(hash);
    return isNew;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return (words[wordOf(hash)] & bitOf(hash)) != 0;
  }

  private int wordOf(long hash) {
    return (int) (Long.remainderUnsigned(hash, shape.positions()) / Long.SIZE);
  }

  private long bitOf(long hash) {
    return 1L << Long.remainderUnsigned(hash, shape.positions());
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(element));
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(element));
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
  }

  @Override
  public double expectedFpp() {
    return (double) set() / shape.positions();
  }

  @Override
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(set(), shape.positions(), 1));
  }

  private long set() {
    return Arrays.stream(words).map(Long::bitCount).sum();
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  @Override
  public FilterContents contents() {
    return FilterContents.of(KIND.variant(), StrategyIdentity.of(strategy), shape.positions())
        .section(SectionRole.WORDS, words)
        .build();
  }
}
