package io.bloomkit.cli.filter;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterPlan;
import io.bloomkit.HashBatches;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.classic.BitFilter;
import io.bloomkit.cli.text.Window;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A filter of an installed kind, which takes the 64-bit hash of a line. */
final class HashedLineFilter extends LineFilter {

  private final FilterKind installed;
  private final StorableFilter<Object> filter;

  /** Lines that wait; null if there are none. Only for filters that are filled faster in bulk. */
  private @Nullable HashBatches batches;

  @SuppressWarnings("unchecked") // kinds work with filters of any elements
  private HashedLineFilter(
      FileKind kind, FilterKind installed, StorableFilter<?> filter, LineStrategy strategy) {
    super(kind, strategy);
    this.installed = installed;
    this.filter = (StorableFilter<Object>) filter;
  }

  /**
   * Returns an empty filter of an installed kind.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  static HashedLineFilter create(
      FileKind kind, FilterKind installed, LineStrategy strategy, long items, double fpp) {
    return new HashedLineFilter(
        kind, installed, installed.create(strategy.strategy(), items, fpp), strategy);
  }

  /**
   * Returns an empty filter that forgets lines after a window.
   *
   * @throws IllegalArgumentException if an argument is not supported
   */
  static HashedLineFilter create(
      FileKind kind, LineStrategy strategy, long items, double fpp, Window window) {
    ExpiringCuckooFilter.Builder<?> builder = ExpiringCuckooFilter.builder(strategy.strategy());
    Duration time = window.duration();
    ExpiringCuckooFilter<?> filter =
        window.sized(
            items,
            fpp,
            () ->
                (time == null
                        ? builder.expecting(items, fpp).window(window.lines())
                        : builder.expecting(items, fpp).expireAfterAdd(time))
                    .build());
    return new HashedLineFilter(kind, ExpiringCuckooFilter.KIND, filter, strategy);
  }

  /** Reads a filter of an installed kind. */
  static HashedLineFilter read(
      FileKind kind, FilterKind installed, LineStrategy strategy, InputStream in)
      throws IOException {
    return new HashedLineFilter(
        kind, installed, installed.readFrom(in, strategy.strategy()), strategy);
  }

  @Override
  boolean mightContain(byte[] bytes, int from, int to) {
    return filter.mightContainHash(strategy().hash().hash(bytes, from, to));
  }

  @Override
  long addElement(byte[] bytes, int from, int to) {
    long hashed = strategy().hash().hash(bytes, from, to);
    if (isBatched()) {
      if (batches == null) {
        batches = HashBatches.adding((InsertableFilter<?>) filter);
      }
      return batches.add(hashed);
    }
    try {
      return installed.addHash(filter, hashed) ? 1 : 0;
    } catch (IllegalStateException e) { // the filter is full
      throw new IllegalArgumentException(
          e.getMessage() + "; build the filter again with a larger --items", e);
    }
  }

  @Override
  long remove(byte[] bytes, int from, int to) {
    long hashed = strategy().hash().hash(bytes, from, to);
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
    return kind().isElastic() && filter instanceof DeletableFilter;
  }

  @Override
  long finishBatches() {
    long changed = batches == null ? 0 : batches.finish();
    batches = null;
    return changed;
  }

  @Override
  long count(byte[] bytes, int from, int to) {
    return ((DeletableFilter<?>) filter).countHash(strategy().hash().hash(bytes, from, to));
  }

  @Override
  boolean isCompatible(LineFilter other) {
    return !(filter instanceof MergeableFilter<?> mergeable)
        || (other instanceof HashedLineFilter hashed && mergeable.isCompatible(hashed.filter));
  }

  private static StorableFilter<?> filterOf(LineFilter other) {
    return ((HashedLineFilter) other).filter;
  }

  @Override
  void merge(LineFilter other) {
    if (!installed.isMergeable()) {
      throw new IllegalArgumentException(
          kind() + " filters cannot be merged; add the lines of one filter to the other");
    }
    installed.merge(filter, filterOf(other));
  }

  /**
   * Intersects this filter with another one of the same kind, which is {@link
   * FileKind#isIntersectable}. Returns an estimate of the number of distinct lines in both; {@link
   * Long#MAX_VALUE} if they are too full for one.
   *
   * @throws IllegalArgumentException if the other filter is incompatible
   */
  long intersect(LineFilter other) {
    BitFilter<?> bits = (BitFilter<?>) filter;
    StorableFilter<?> others = filterOf(other);
    long common =
        bits.isCompatible(others)
            ? bits.approximateCommonElementCount((BitFilter<?>) others)
            : Long.MAX_VALUE;
    installed.intersect(filter, others); // refuses incompatible ones
    return common;
  }

  /**
   * Subtracts another filter of the same kind, which is {@link FileKind#isSubtractable}.
   *
   * @throws IllegalArgumentException if the other filter is incompatible or holds more than this
   *     one
   */
  void subtract(LineFilter other) {
    installed.subtract(filter, filterOf(other));
  }

  @Override
  LineFilter convert(FileKind to) {
    return to.installed()
        .flatMap(
            target ->
                installed
                    .convert(filter, target)
                    .map(converted -> new HashedLineFilter(to, target, converted, strategy())))
        .orElseThrow(() -> kind().noConversion(to));
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
    Map<String, Number> figures = installed.layoutOf(filter).figures();
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
    return kind().isGrowing() // the layout has the rate of one layer only
        ? elements -> Double.NaN
        : installed.layoutOf(filter)::fpp;
  }

  @Override
  void writeTo(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      DurableFilter.create(file, filter);
    } else {
      filter.writeTo(file);
    }
  }

  @Override
  void writeMappableTo(Path file) throws IOException {
    ((BitFilter<?>) filter).writeMappableTo(file);
  }
}
