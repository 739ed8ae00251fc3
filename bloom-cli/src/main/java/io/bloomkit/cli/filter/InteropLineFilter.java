package io.bloomkit.cli.filter;

import io.bloomkit.FilterPlan;
import io.bloomkit.MembershipFilter;
import io.bloomkit.interop.InteropFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongToDoubleFunction;

/**
 * A filter of another library, whose elements are the bytes of lines or the values that lines stand
 * for.
 *
 * @param <F> the class of the filter
 */
final class InteropLineFilter<F extends InteropFilter<?>> extends LineFilter {

  private final ValueType type;
  private final F filter;
  private final BiConsumer<F, F> merger;

  /** Wraps a filter whose elements are of a type. The strategy matters only for Guava's filters. */
  InteropLineFilter(
      FileKind kind, LineStrategy strategy, ValueType type, F filter, BiConsumer<F, F> merger) {
    super(kind, strategy);
    this.type = type;
    this.filter = filter;
    this.merger = merger;
  }

  @SuppressWarnings("unchecked") // the type creates elements of the filter
  private InteropFilter<Object> ofValues() {
    return (InteropFilter<Object>) filter;
  }

  @Override
  boolean mightContain(byte[] bytes, int from, int to) {
    List<?> values = type.equalValues(bytes, from, to);
    return values.isEmpty() || values.stream().anyMatch(ofValues()::mightContain);
  }

  @Override
  long addElement(byte[] bytes, int from, int to) {
    return ofValues().add(type.value(bytes, from, to)) ? 1 : 0;
  }

  @Override
  @SuppressWarnings("unchecked") // filters of one kind, or of Guava's two
  void merge(LineFilter other) {
    InteropLineFilter<F> others = (InteropLineFilter<F>) other;
    if (!strategy().funnel().equals(others.strategy().funnel())) {
      throw new IllegalArgumentException(
          "the filter was filled by strategy "
              + others.strategy().funnel().identity().id()
              + " and cannot be merged into one of "
              + strategy().funnel().identity().id());
    }
    merger.accept(filter, others.filter);
  }

  @Override
  boolean isCompatible(LineFilter other) {
    return false; // merge alone knows what must agree
  }

  @Override
  LineFilter convert(FileKind to) {
    if (kind().isConvertibleTo(to)) {
      return new InteropLineFilter<>(to, strategy(), type, filter, merger);
    }
    throw kind().noConversion(to);
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
    return filter instanceof MembershipFilter<?> planned ? planned.plan() : Optional.empty();
  }

  @Override
  boolean isOverfull() {
    return filter instanceof MembershipFilter<?> planned && planned.isOverfull();
  }

  @Override
  long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  Map<String, Number> figures() {
    return filter.figures();
  }

  @Override
  LongToDoubleFunction fppByElements() {
    return filter::fpp;
  }

  @Override
  void writeTo(Path file) throws IOException {
    if (kind() == FileKind.BLOOMKIT_GUAVA) {
      ((GuavaBloomFilter<?>) filter).writeBloomkitTo(file);
    } else {
      filter.writeTo(file);
    }
  }
}
