package io.bloomkit.cli.filter;

import io.bloomkit.BloomFormulas;
import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterPlan;
import io.bloomkit.HashBatches;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.classic.BitFilter;
import io.bloomkit.cli.text.Window;
import io.bloomkit.counting.CounterFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.dcso.DcsoBloomFilter;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.spark.SparkBloomFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A filter that takes the 64-bit hash of a line, or of the value that a line stands for: of an
 * installed kind, of DCSO, of Parquet or of Spark.
 */
final class HashedLineFilter extends LineFilter {

  /** Hashes the value that a line stands for. */
  private record ValueHash(ValueType type, HashStrategy<? super Object> strategy)
      implements LineHash {

    @Override
    public long hash(byte[] bytes, int from, int to) {
      return type.hash(strategy, bytes, from, to);
    }

    @Override
    public boolean mayBeIn(MembershipFilter<?> filter, byte[] bytes, int from, int to) {
      long[] hashes = type.equalHashes(strategy, bytes, from, to);
      return hashes.length == 0 || LongStream.of(hashes).anyMatch(filter::mightContainHash);
    }
  }

  private final FileKind kind;
  private final MembershipFilter<?> filter;
  private final LineHash hash;

  /** Lines that wait; null if there are none. Only for filters that are filled faster in bulk. */
  private @Nullable HashBatches batches;

  private HashedLineFilter(FileKind kind, MembershipFilter<?> filter, LineHash hash) {
    this.kind = kind;
    this.filter = filter;
    this.hash = hash;
  }

  /**
   * Returns an empty filter of an installed kind.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  static HashedLineFilter create(
      FileKind kind, FilterKind installed, LineStrategy strategy, long items, double fpp) {
    return new HashedLineFilter(
        kind, installed.create(strategy.strategy(), items, fpp), strategy.hash());
  }

  /**
   * Returns an empty filter that forgets lines after a window.
   *
   * @throws IllegalArgumentException if an argument is not supported
   */
  static HashedLineFilter create(
      FileKind kind, LineStrategy strategy, long items, double fpp, Window window) {
    ExpiringCuckooFilter.Builder<?> builder =
        ExpiringCuckooFilter.builder(strategy.strategy()).expecting(items, fpp);
    ExpiringCuckooFilter.Builder<?> sized =
        window.duration() == null
            ? builder.window(window.lines())
            : builder.expireAfterAdd(window.duration());
    return new HashedLineFilter(kind, sized.build(), strategy.hash());
  }

  /** Reads a filter of an installed kind. */
  static HashedLineFilter read(
      FileKind kind, FilterKind installed, LineStrategy strategy, InputStream in)
      throws IOException {
    return new HashedLineFilter(kind, installed.readFrom(in, strategy.strategy()), strategy.hash());
  }

  /** Wraps a filter of another library whose elements are of a type. */
  @SuppressWarnings("unchecked") // the type creates elements for the strategy of the filter
  static HashedLineFilter of(FileKind kind, ValueType type, InsertableFilter<?> filter) {
    InsertableFilter<Object> ofValues = (InsertableFilter<Object>) filter;
    return new HashedLineFilter(kind, filter, new ValueHash(type, ofValues.strategy()));
  }

  @Override
  FileKind kind() {
    return kind;
  }

  @Override
  boolean mightContain(byte[] bytes, int from, int to) {
    return hash.mayBeIn(filter, bytes, from, to);
  }

  @Override
  long add(byte[] bytes, int from, int to) {
    long hashed = hash.hash(bytes, from, to);
    if (isBatched()) {
      if (batches == null) {
        batches = HashBatches.adding((InsertableFilter<?>) filter);
      }
      return batches.add(hashed);
    }
    try {
      boolean isNew =
          kind.installed().isPresent()
              ? kind.installed().get().addHash(stored(), hashed)
              : ((InsertableFilter<?>) filter).addHash(hashed);
      return isNew ? 1 : 0;
    } catch (IllegalStateException e) { // the filter is full
      throw new IllegalArgumentException(
          e.getMessage() + "; build the filter again with a larger --items", e);
    }
  }

  @Override
  long remove(byte[] bytes, int from, int to) {
    long hashed = hash.hash(bytes, from, to);
    if (isBatched()) {
      if (batches == null) {
        batches = HashBatches.removing((DeletableFilter<?>) filter);
      }
      return batches.add(hashed);
    }
    boolean isRemoved =
        filter instanceof ExpiringCuckooFilter<?> expiring
            ? expiring.removeHash(hashed)
            : ((DeletableFilter<?>) filter).removeHash(hashed);
    return isRemoved ? 1 : 0;
  }

  /**
   * Returns whether lines wait for others, as the memory of the filter follows its lines. Another
   * filter may refuse a line, and the message names the first one that it refuses.
   */
  private boolean isBatched() {
    return kind.isElastic() && filter instanceof DeletableFilter;
  }

  @Override
  long finishBatches() {
    long changed = batches == null ? 0 : batches.finish();
    batches = null;
    return changed;
  }

  /** Returns the filter of an installed kind. */
  @SuppressWarnings("unchecked") // kinds work with filters of any elements
  private StorableFilter<Object> stored() {
    return (StorableFilter<Object>) filter;
  }

  @Override
  long count(byte[] bytes, int from, int to) {
    return ((DeletableFilter<?>) filter).countHash(hash.hash(bytes, from, to));
  }

  @Override
  boolean isCompatible(LineFilter other) {
    return !(filter instanceof MergeableFilter<?> mergeable)
        || (other instanceof HashedLineFilter hashed && mergeable.isCompatible(hashed.filter));
  }

  private StorableFilter<?> storedOf(LineFilter other) {
    return ((HashedLineFilter) other).stored();
  }

  @Override
  @SuppressWarnings("unchecked") // merge refuses incompatible filters
  void merge(LineFilter other) {
    if (kind.installed().isEmpty()) {
      ((MergeableFilter<Object>) filter).merge(((HashedLineFilter) other).filter);
    } else if (kind.installed().get().isMergeable()) {
      kind.installed().get().merge(stored(), storedOf(other));
    } else {
      throw new IllegalArgumentException(
          kind + " filters cannot be merged; add the lines of one filter to the other");
    }
  }

  @Override
  void intersect(LineFilter other) {
    if (!(filter instanceof BitFilter<?>)) {
      super.intersect(other);
    } else {
      kind.installed().orElseThrow().intersect(stored(), storedOf(other));
    }
  }

  @Override
  void subtract(LineFilter other) {
    if (!(filter instanceof CounterFilter<?> || filter instanceof DynamicCuckooFilter<?>)) {
      super.subtract(other);
    } else {
      kind.installed().orElseThrow().subtract(stored(), storedOf(other));
    }
  }

  @Override
  LineFilter convert(FileKind to) {
    if (kind.installed().isPresent() && to.installed().isPresent()) {
      FilterKind installed = to.installed().get();
      Optional<StorableFilter<Object>> converted =
          kind.installed().get().convert(stored(), installed);
      if (converted.isPresent()) {
        return new HashedLineFilter(to, converted.get(), hash);
      }
    }
    throw kind.noConversion(to);
  }

  @Override
  double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  long approximateElementCount() {
    return filter.approximateElementCount();
  }

  @Override
  Optional<FilterPlan> plan() {
    return filter.plan();
  }

  @Override
  String planOption() {
    return filter instanceof ExpiringCuckooFilter<?> expiring && expiring.window().isPresent()
        ? "--window"
        : super.planOption();
  }

  @Override
  boolean isOverfull() {
    return filter.isOverfull();
  }

  @Override
  long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  Map<String, Number> figures() {
    if (filter instanceof ParquetBloomFilter<?> parquets) {
      return parquets.shape().layout().withSetPositions(parquets.setPositions()).figures();
    }
    if (filter instanceof DcsoBloomFilter dcsos) {
      return figures(dcsos.positions(), dcsos.hashes(), dcsos.setPositions());
    }
    if (filter instanceof SparkBloomFilter<?> sparks) {
      return figures(sparks.positions(), sparks.hashes(), sparks.setPositions());
    }
    Map<String, Number> figures = kind.installed().orElseThrow().layoutOf(stored()).figures();
    if (filter instanceof ExpiringCuckooFilter<?> expiring) {
      figures = new LinkedHashMap<>(figures);
      if (expiring.timeToLive().isPresent()) {
        figures.put("timeToLiveMillis", expiring.timeToLive().get().toMillis());
      } else {
        figures.put("windowInsertions", expiring.window().getAsLong());
      }
    }
    return figures;
  }

  @Override
  LongToDoubleFunction fppByElements() {
    if (filter instanceof ParquetBloomFilter<?> parquets) {
      return parquets.shape()::fpp;
    }
    if (filter instanceof DcsoBloomFilter dcsos) {
      return elements -> BloomFormulas.exactFpp(elements, dcsos.positions(), dcsos.hashes());
    }
    if (filter instanceof SparkBloomFilter<?> sparks) {
      return sparks::fpp;
    }
    return kind.isGrowing() // the layout has the rate of one layer only
        ? elements -> Double.NaN
        : kind.installed().orElseThrow().layoutOf(stored())::fpp;
  }

  @Override
  void writeTo(Path file) throws IOException {
    if (filter instanceof ParquetBloomFilter<?> parquets) {
      parquets.writeTo(file);
    } else if (filter instanceof DcsoBloomFilter dcsos) {
      dcsos.writeTo(file);
    } else if (filter instanceof SparkBloomFilter<?> sparks) {
      sparks.writeTo(file);
    } else {
      stored().writeTo(file);
    }
  }
}
