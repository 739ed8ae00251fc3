package io.bloomkit.cli.experiment.fill;

import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A filter that the experiment can build, and its size before it is built.
 *
 * @param name the name of the filter in tables and JSON
 * @param bytesHash hashes the bytes of a text as the strategy of the filter hashes the text
 * @param plannedLayout the layout of the full filter
 * @param isComparable whether two filters with the same contents are equal, whatever operations led
 *     to them
 * @param filters creates an empty filter
 * @param layout returns the present layout of a filter
 */
public record Candidate(
    String name,
    BytesHashStrategy bytesHash,
    FilterLayout plannedLayout,
    boolean isComparable,
    Supplier<? extends InsertableFilter<CharSequence>> filters,
    Function<InsertableFilter<CharSequence>, FilterLayout> layout) {

  /** A filter that grows begins with room for the elements divided by this number. */
  private static final int GROWTH_DIVISOR = 10;

  /**
   * Returns a filter of each kind that forgets nothing, in the order of the tables.
   *
   * @param elements the number of distinct elements to add
   * @throws IllegalArgumentException if a kind does not support the number or the rate; the message
   *     names the kind
   */
  static List<Candidate> ofAllKinds(int elements, double fpp) {
    List<Candidate> candidates = new ArrayList<>();
    for (FilterKind kind : FilterKind.installed()) {
      if (!kind.is(FilterKind.Trait.EXPIRING)) {
        try {
          candidates.add(of(kind, elements, fpp));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(kind.label() + ": " + e.getMessage(), e);
        }
      }
    }
    return candidates;
  }

  private static Candidate of(FilterKind kind, int elements, double fpp) {
    long first =
        kind.is(FilterKind.Trait.GROWING) ? Math.max(1, elements / GROWTH_DIVISOR) : elements;
    return new Candidate(
        kind.label(),
        HashStrategies.bytes(),
        kind.layout(first, fpp).grownTo(elements),
        kind.is(FilterKind.Trait.COMPARABLE),
        () ->
            (InsertableFilter<CharSequence>)
                kind.<CharSequence>create(HashStrategies.utf8(), first, fpp),
        filter -> kind.layoutOf((StorableFilter<CharSequence>) filter));
  }

  /** Returns a classic filter of a shape. */
  static Candidate classic(String name, BytesHashStrategy bytesHash, FlatShape shape) {
    ClassicBloomFilter.Builder<CharSequence> builder =
        ClassicBloomFilter.builder(HashStrategies.utf8(bytesHash)).shape(shape);
    FilterKind kind = ClassicBloomFilter.KIND;
    return new Candidate(
        name,
        bytesHash,
        FilterLayout.of(shape, builder.memoryBytes()),
        kind.is(FilterKind.Trait.COMPARABLE),
        builder::build,
        filter -> kind.layoutOf((StorableFilter<CharSequence>) filter));
  }
}
