package io.bloomkit.cli.filter;

import io.bloomkit.BloomFormulas;
import io.bloomkit.classic.guava.GuavaBloomFilter;
import io.bloomkit.classic.guava.GuavaBloomFilters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

/**
 * A filter of Guava, in Guava's own format or in this library's format. The elements are the bytes
 * of lines. Guava's {@code byteArrayFunnel} and, for texts, its {@code stringFunnel(UTF_8)} hash
 * the same bytes. The funnel matters only for the strategy that a file in this library's format
 * records.
 */
final class GuavaLineFilter extends LineFilter {

  private final LineKind.Guava kind;
  private final LineStrategy strategy;
  private final GuavaBloomFilter<byte[]> filter;

  private GuavaLineFilter(
      LineKind.Guava kind, LineStrategy strategy, GuavaBloomFilter<byte[]> filter) {
    this.kind = kind;
    this.strategy = strategy;
    this.filter = filter;
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  static GuavaLineFilter create(
      LineKind.Guava kind, LineStrategy strategy, long items, double fpp) {
    return new GuavaLineFilter(
        kind, strategy, GuavaBloomFilters.create(strategy.funnel(), items, fpp));
  }

  /** Reads a filter with a known kind and strategy. */
  static GuavaLineFilter read(LineKind.Guava kind, LineStrategy strategy, Path file)
      throws IOException {
    return new GuavaLineFilter(kind, strategy, read(strategy, file));
  }

  private static GuavaBloomFilter<byte[]> read(LineStrategy strategy, Path file)
      throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      GuavaBloomFilter<byte[]> filter = GuavaBloomFilters.readFrom(in, strategy.funnel());
      FilterFile.requireEnd(file, in);
      return filter;
    }
  }

  @Override
  LineKind kind() {
    return kind;
  }

  @Override
  boolean mightContain(byte[] bytes, int from, int to) {
    return filter.mightContain(Arrays.copyOfRange(bytes, from, to));
  }

  @Override
  boolean add(byte[] bytes, int from, int to) {
    return filter.add(Arrays.copyOfRange(bytes, from, to));
  }

  @Override
  void merge(Path other) throws IOException {
    filter.merge(read(strategy, other));
  }

  @Override
  LineFilter convert(LineKind to) {
    if (to instanceof LineKind.Guava other && kind.isConvertibleTo(other)) {
      return new GuavaLineFilter(other, strategy, filter);
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
  long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  Map<String, Number> figures() {
    long set = filter.setPositions();
    return Map.of(
        "positions",
        filter.positions(),
        "hashes",
        filter.hashes(),
        "setPositions",
        set,
        "fill",
        (double) set / filter.positions());
  }

  @Override
  LongToDoubleFunction fppByElements() {
    return elements -> BloomFormulas.exactFpp(elements, filter.positions(), filter.hashes());
  }

  @Override
  void writeTo(Path file) throws IOException {
    if (kind == LineKind.Guava.GUAVA) {
      filter.writeTo(file);
    } else {
      filter.contents().writeTo(file);
    }
  }
}
