package io.bloomkit.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What a kind of filter does without saying so itself; the kinds that exist have their own tests.
 */
class FilterKindTest {

  private static final FilterVariant MINE = new FilterVariant(0x8001, "Hashes");

  /** An exact set of hashes. */
  private static class Hashes<T> implements InsertableFilter<T>, StorableFilter<T> {

    final Set<Long> hashes = new TreeSet<>();
    final HashStrategy<? super T> strategy;

    Hashes(HashStrategy<? super T> strategy) {
      this.strategy = strategy;
    }

    @Override
    public boolean mightContain(T element) {
      return mightContainHash(strategy.hash(element));
    }

    @Override
    public boolean mightContainHash(long hash) {
      return hashes.contains(hash);
    }

    @Override
    public boolean add(T element) {
      return addHash(strategy.hash(element));
    }

    @Override
    public boolean addHash(long hash) {
      return hashes.add(hash);
    }

    @Override
    public void clear() {
      hashes.clear();
    }

    @Override
    public double expectedFpp() {
      return 0;
    }

    @Override
    public long approximateElementCount() {
      return hashes.size();
    }

    @Override
    public long memoryBytes() {
      return (long) hashes.size() * Long.BYTES;
    }

    @Override
    public HashStrategy<? super T> strategy() {
      return strategy;
    }

    @Override
    public FilterContents contents() {
      return FilterContents.of(MINE, StrategyIdentity.of(strategy)).build();
    }

    @Override
    public String toString() {
      return "Hashes" + hashes;
    }
  }

  /** One that merges. */
  private static final class Union<T> extends Hashes<T>
      implements MergeableFilter<Union<? extends T>> {

    Union(HashStrategy<? super T> strategy) {
      super(strategy);
    }

    @Override
    public boolean isCompatible(MembershipFilter<?> other) {
      return other instanceof Union<?>;
    }

    @Override
    public void merge(Union<? extends T> other) {
      hashes.addAll(other.hashes);
    }

    @Override
    public Union<T> copy() {
      Union<T> copy = new Union<>(strategy);
      copy.hashes.addAll(hashes);
      return copy;
    }
  }

  private record Kind(Class<?> filterClass, Set<Trait> traits) implements FilterKind {

    @Override
    public FilterVariant variant() {
      return MINE;
    }

    @Override
    public String label() {
      return "hashes";
    }

    @Override
    public FilterLayout layout(long expectedInsertions, double fpp) {
      return FilterLayout.of(Shape.of(expectedInsertions, fpp), 8 * expectedInsertions);
    }

    @Override
    public FilterLayout layoutOf(StorableFilter<?> filter) {
      return layout(1, 0.01);
    }

    @Override
    public <T> StorableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return filterClass == Union.class ? new Union<>(strategy) : new Hashes<>(strategy);
    }

    @Override
    public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
        throws FilterFormatException {
      reader.require(MINE, StrategyIdentity.of(strategy), 0);
      return create(strategy, 1, 0.01);
    }
  }

  private static final FilterKind HASHES = new Kind(Hashes.class, Set.of(FilterKind.Trait.GROWING));
  private static final FilterKind UNION = new Kind(Union.class, Set.of());

  private static StorableFilter<Long> filter(FilterKind kind, long... hashes) {
    StorableFilter<Long> filter = kind.create(HashStrategies.longs(), 1, 0.01);
    for (long hash : hashes) {
      assertTrue(kind.addHash(filter, hash));
      assertFalse(kind.addHash(filter, hash));
    }
    return filter;
  }

  @Test
  void abilitiesFollowFromTheClass() {
    assertTrue(HASHES.isInsertable() && UNION.isInsertable());
    assertFalse(HASHES.isDeletable() || UNION.isDeletable());
    assertFalse(HASHES.isMergeable());
    assertTrue(UNION.isMergeable());
    assertTrue(HASHES.is(FilterKind.Trait.GROWING));
    assertFalse(UNION.is(FilterKind.Trait.GROWING));
  }

  @Test
  void filtersOfOneKindMerge() {
    StorableFilter<Long> filter = filter(UNION, 1);
    UNION.merge(filter, filter(UNION, 2));
    assertTrue(filter.mightContainHash(1) && filter.mightContainHash(2));
  }

  @Test
  void whatDoesNotMergeIsRefused() {
    StorableFilter<Long> union = filter(UNION, 1);
    StorableFilter<Long> hashes = filter(HASHES, 2);
    String other =
        assertThrows(IllegalArgumentException.class, () -> UNION.merge(union, hashes)).getMessage();
    assertEquals("cannot merge: this is Hashes[1], other is Hashes[2]", other);
    assertThrows(IllegalArgumentException.class, () -> UNION.merge(hashes, union));
    String kind =
        assertThrows(IllegalArgumentException.class, () -> HASHES.merge(hashes, hashes))
            .getMessage();
    assertEquals("hashes filters cannot be merged; add the elements of one to the other", kind);
    assertThrows(IllegalArgumentException.class, () -> UNION.subtract(union, union));
    assertFalse(HASHES.isConvertibleTo(UNION));
    assertEquals(Optional.empty(), HASHES.convert(hashes, UNION));
    assertFalse(union.mightContainHash(2));
  }

  @Test
  void layoutsNameTheirFigures() {
    FlatShape shape = new FlatShape(1000, 7);
    FilterLayout flat = FilterLayout.of(shape, 128);
    assertEquals(Map.of("positions", 1000L, "hashes", 7), flat.figures());
    assertEquals(128, flat.memoryBytes());
    assertEquals(shape.fpp(100), flat.fpp(100));
    assertSame(flat, flat.grownTo(5));
    CacheLines lines = flat.cacheLines(100);
    assertEquals(7, lines.add());
    assertEquals(7, lines.query());
    assertTrue(lines.queryAbsent() > 1 && lines.queryAbsent() < 3);
    BlockedShape blocks = new BlockedShape(10, BlockedShape.BITS_PER_BLOCK, 6);
    FilterLayout blocked = FilterLayout.of(blocks, 640);
    assertEquals(Map.of("positions", 5120L, "hashes", 6, "blocks", 10L), blocked.figures());
    assertEquals(new CacheLines(1, 1, 1, 1, 1), blocked.cacheLines(100));
    assertEquals(blocks.fpp(100), blocked.fpp(100));
    FilterLayout filled = flat.withSetPositions(250);
    assertEquals(
        Map.of("positions", 1000L, "hashes", 7, "setPositions", 250L, "fill", 0.25),
        filled.figures());
    assertEquals(128, filled.memoryBytes());
    assertEquals(shape.fpp(3), filled.fpp(3));
    assertEquals(lines, filled.cacheLines(100));
  }

  @Test
  void kindsAreFoundByVariant() {
    List<FilterKind> installed = FilterKinds.installed();
    for (FilterKind kind : installed) {
      assertEquals(Optional.of(kind), FilterKinds.of(kind.variant()));
    }
    assertEquals(Optional.empty(), FilterKinds.of(MINE));
    assertEquals("variant 32769", FilterVariant.of(0x8001).name());
    assertEquals(MINE, FilterVariant.of(0x8001));
    assertEquals(MINE.hashCode(), FilterVariant.of(0x8001).hashCode());
    assertFalse(MINE.equals(FilterVariant.DELTA));
  }
}
