package io.bloomkit.cli.filter;

import io.bloomkit.BloomFormulas;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

/**
 * A filter of Guava, in Guava's own format or in this library's format. The elements are the bytes
 * of lines. Guava's {@code byteArrayFunnel} and, for texts, its {@code stringFunnel(UTF_8)} hash
 * the same bytes. The funnel matters only for the strategy that a file in this library's format
 * records.
 */
final class GuavaLineFilter extends LineFilter {

  private final FileKind kind;
  private final LineStrategy strategy;
  private final GuavaBloomFilter<Object> filter;

  private GuavaLineFilter(FileKind kind, LineStrategy strategy, GuavaBloomFilter<Object> filter) {
    this.kind = kind;
    this.strategy = strategy;
    this.filter = filter;
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  static GuavaLineFilter create(FileKind kind, LineStrategy strategy, long items, double fpp) {
    return new GuavaLineFilter(
        kind, strategy, GuavaBloomFilter.create(strategy.funnel(), items, fpp));
  }

  /** Reads a filter with a known kind and strategy. The type of its elements is that of lines. */
  static GuavaLineFilter read(FileKind kind, LineStrategy strategy, ValueType type, InputStream in)
      throws IOException {
    return new GuavaLineFilter(kind, strategy, GuavaBloomFilter.readFrom(in, strategy.funnel()));
  }

  @Override
  FileKind kind() {
    return kind;
  }

  @Override
  boolean mightContain(byte[] bytes, int from, int to) {
    return filter.mightContain(strategy.type().value(bytes, from, to));
  }

  @Override
  long add(byte[] bytes, int from, int to) {
    return filter.add(strategy.type().value(bytes, from, to)) ? 1 : 0;
  }

  @Override
  LineStrategy guavas() {
    return strategy;
  }

  @Override
  void merge(LineFilter other) {
    GuavaLineFilter guavas = (GuavaLineFilter) other;
    if (!strategy.funnel().equals(guavas.strategy.funnel())) {
      throw new IllegalArgumentException(
          "the filter was filled by strategy "
              + guavas.strategy.funnel().identity().id()
              + " and cannot be merged into one of "
              + strategy.funnel().identity().id());
    }
    filter.merge(guavas.filter);
  }

  @Override
  LineFilter convert(FileKind to) {
    if (kind.isConvertibleTo(to)) {
      return new GuavaLineFilter(to, strategy, filter);
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
    return figures(filter.positions(), filter.hashes(), filter.setPositions());
  }

  @Override
  LongToDoubleFunction fppByElements() {
    return elements -> BloomFormulas.exactFpp(elements, filter.positions(), filter.hashes());
  }

  @Override
  void writeTo(Path file) throws IOException {
    if (kind == FileKind.GUAVA) {
      filter.writeTo(file);
    } else {
      filter.writeBloomkitTo(file);
    }
  }
}
