package io.bloomkit.cli;

import io.bloomkit.AtomicFile;
import io.bloomkit.BloomFormulas;
import io.bloomkit.classic.GuavaBloomFilter;
import io.bloomkit.classic.GuavaBloomFilters;
import io.bloomkit.classic.GuavaFunnel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the bytes of Guava. A line stands for its bytes: what Guava's {@code byteArrayFunnel}
 * and, of texts, its {@code stringFunnel(UTF_8)} put.
 */
final class GuavaLineFilter extends LineFilter {

  private static final GuavaFunnel<byte[]> FUNNEL = GuavaFunnel.byteArrays();

  private final GuavaBloomFilter<byte[]> filter;

  private GuavaLineFilter(GuavaBloomFilter<byte[]> filter) {
    this.filter = filter;
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if there is no such filter
   */
  static GuavaLineFilter create(long items, double fpp) {
    return new GuavaLineFilter(GuavaBloomFilters.create(FUNNEL, items, fpp));
  }

  static GuavaLineFilter read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      GuavaLineFilter read = new GuavaLineFilter(GuavaBloomFilters.readFrom(in, FUNNEL));
      if (in.read() >= 0) {
        throw new IOException("the Guava filter ends, but more bytes follow");
      }
      return read;
    }
  }

  @Override
  FilterKind kind() {
    return FilterKind.GUAVA;
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
  boolean remove(byte[] bytes, int from, int to) {
    requireDeletable();
    throw new AssertionError("nothing can be removed from a Guava filter");
  }

  @Override
  void merge(Path other) throws IOException {
    filter.merge(read(other).filter);
  }

  @Override
  LineFilter convert(FilterKind to) {
    throw new IllegalArgumentException(
        "guava filters do not become "
            + to
            + " ones: their elements cannot be had from the bits, and these follow from another"
            + " hash; check, add to, merge or inspect them as they are, or build a new filter from the"
            + " elements");
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
  Map<String, @Nullable Object> shape() {
    return FilterShape.flat(filter.positions(), filter.hashes(), filter.setPositions());
  }

  @Override
  double fppAt(long elements) {
    return BloomFormulas.exactFpp(elements, filter.positions(), filter.hashes());
  }

  @Override
  void writeTo(Path file) throws IOException {
    AtomicFile.write(file, filter::writeTo);
  }
}
