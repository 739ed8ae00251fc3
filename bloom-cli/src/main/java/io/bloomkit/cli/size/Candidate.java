package io.bloomkit.cli.size;

import io.bloomkit.BlockedShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.counting.CuckooSize;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A filter that can be built, and its size before it is.
 *
 * @param name its name in tables and JSON
 * @param bytesHash hashes the bytes of a text just as the strategy of the filter hashes the text
 * @param plannedLayout what it is made of once it is full
 * @param plannedBytes what it takes then
 * @param traits what holds for it and not for every filter
 * @param filters makes an empty one
 * @param layout what it is made of now
 */
public record Candidate<F extends InsertableFilter<CharSequence>>(
    String name,
    BytesHashStrategy bytesHash,
    Layout plannedLayout,
    long plannedBytes,
    Set<Trait> traits,
    Supplier<F> filters,
    Function<F, Layout> layout) {

  /** What some filters have and others have not. */
  public enum Trait {
    /** There is a form for many threads. */
    CONCURRENT,

    /** What was added can be removed. */
    DELETABLE,

    /** Two with the same contents are equal, however they came by them. */
    COMPARABLE
  }

  public static Candidate<ClassicBloomFilter<CharSequence>> classic(
      String name, BytesHashStrategy bytesHash, Shape shape) {
    ClassicBloomFilter.Builder<CharSequence> builder =
        ClassicBloomFilter.builder(texts(bytesHash)).shape(shape);
    return new Candidate<>(
        name,
        bytesHash,
        new Layout.Flat(shape),
        builder.memoryBytes(),
        Set.of(Trait.CONCURRENT, Trait.COMPARABLE),
        builder::build,
        filter -> new Layout.Flat(filter.shape()));
  }

  static Candidate<BlockedBloomFilter<CharSequence>> blocked(
      String name, BytesHashStrategy bytesHash, BlockedShape shape) {
    BlockedBloomFilter.Builder<CharSequence> builder =
        BlockedBloomFilter.builder(texts(bytesHash)).shape(shape);
    return new Candidate<>(
        name,
        bytesHash,
        new Layout.Blocked(shape),
        builder.memoryBytes(),
        Set.of(Trait.CONCURRENT, Trait.COMPARABLE),
        builder::build,
        filter -> new Layout.Blocked(filter.shape()));
  }

  static Candidate<CountingBloomFilter<CharSequence>> counting(
      String name, BytesHashStrategy bytesHash, Shape shape) {
    CountingBloomFilter.Builder<CharSequence> builder =
        CountingBloomFilter.builder(texts(bytesHash)).shape(shape);
    return new Candidate<>(
        name,
        bytesHash,
        new Layout.Flat(shape),
        builder.memoryBytes(),
        Set.of(Trait.CONCURRENT, Trait.DELETABLE, Trait.COMPARABLE),
        builder::build,
        filter -> new Layout.Flat(filter.shape()));
  }

  static Candidate<BlockedCountingBloomFilter<CharSequence>> blockedCounting(
      String name, BytesHashStrategy bytesHash, BlockedShape shape) {
    BlockedCountingBloomFilter.Builder<CharSequence> builder =
        BlockedCountingBloomFilter.builder(texts(bytesHash)).shape(shape);
    return new Candidate<>(
        name,
        bytesHash,
        new Layout.Blocked(shape),
        builder.memoryBytes(),
        Set.of(Trait.CONCURRENT, Trait.DELETABLE, Trait.COMPARABLE),
        builder::build,
        filter -> new Layout.Blocked(filter.shape()));
  }

  static Candidate<CuckooFilter<CharSequence>> cuckoo(
      String name, BytesHashStrategy bytesHash, long elements, double fpp) {
    CuckooFilter.Builder<CharSequence> builder =
        CuckooFilter.builder(texts(bytesHash)).expecting(elements, fpp);
    Layout layout = new Layout.Buckets(CuckooSize.of(elements, fpp));
    return new Candidate<>(
        name,
        bytesHash,
        layout,
        builder.memoryBytes(),
        Set.of(Trait.DELETABLE),
        builder::build,
        filter -> layout);
  }

  /**
   * Returns a filter that grows.
   *
   * @throws IllegalArgumentException if it could not grow to so many elements
   */
  static Candidate<ScalableBloomFilter<CharSequence>> scalable(
      String name, BytesHashStrategy bytesHash, long initialCapacity, long elements, double fpp) {
    ScalableBloomFilter.Builder<CharSequence> builder =
        ScalableBloomFilter.builder(texts(bytesHash)).expecting(initialCapacity, fpp);
    try {
      return new Candidate<>(
          name,
          bytesHash,
          new Layout.Flat(builder.layerShapes(elements)),
          builder.memoryBytes(elements),
          Set.of(Trait.CONCURRENT),
          builder::build,
          filter -> new Layout.Flat(filter.layerShapes()));
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static HashStrategy<CharSequence> texts(BytesHashStrategy bytesHash) {
    return HashStrategies.utf8(bytesHash);
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }
}
