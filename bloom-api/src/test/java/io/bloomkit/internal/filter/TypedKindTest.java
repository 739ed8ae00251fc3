package io.bloomkit.internal.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.ExactFilter.Union;
import io.bloomkit.FlatShape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKind.Trait;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterLayout.CacheLines;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A kind of filter that is described by a table. */
class TypedKindTest {

  private static final FilterLayout LAYOUT = FilterLayout.of(new FlatShape(64, 1), 8);

  /** Any filter class; the tests call no method of it. */
  private interface Ours extends StorableFilter<Long> {}

  private interface Other extends StorableFilter<Long> {}

  private final List<String> calls = new ArrayList<>();
  private final Ours filter = proxy(Ours.class);
  private final TypedKind<Ours> table = table(Variant.CLASSIC, "ours", Ours.class);

  private <F extends StorableFilter<?>> TypedKind<F> table(
      Variant variant, String label, Class<?> filterClass) {
    return new TypedKind<>(
        variant,
        label,
        filterClass,
        Set.of(Trait.COMPARABLE),
        (n, fpp) -> LAYOUT,
        it -> LAYOUT,
        new TypedKind.Creator() {
          @Override
          @SuppressWarnings("unchecked")
          public <T> StorableFilter<T> create(
              HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
            return (StorableFilter<T>) filter;
          }
        },
        new TypedKind.Reader() {
          @Override
          @SuppressWarnings("unchecked")
          public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy) {
            return (StorableFilter<T>) filter;
          }
        });
  }

  private static <F> F proxy(Class<F> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> null));
  }

  @Test
  void theTableHasWhatItWasMadeWith() throws IOException {
    assertEquals(1, table.code());
    assertEquals("ours", table.label());
    assertEquals("ours", table.toString());
    assertEquals(Ours.class, table.filterClass());
    assertTrue(table.is(Trait.COMPARABLE));
    assertFalse(table.is(Trait.GROWING));
    assertSame(LAYOUT, table.layout(1, 0.1));
    assertThrows(IllegalArgumentException.class, () -> table.layout(0, 0.1));
    assertSame(LAYOUT, table.layoutOf(filter));
    LongHashStrategy longs = HashStrategies.longs();
    assertSame(filter, table.create(longs, 1, 0.1));
    byte[] file = FilterContents.of(1, StrategyIdentity.of(longs)).build().toBytes();
    assertSame(filter, table.fromBytes(file, longs));
    assertSame(filter, table.readFrom(new ByteArrayInputStream(file), longs));
  }

  @Test
  void optionalOperationsRunIfTheTableHasThemAndAreRefusedOtherwise() {
    Other other = proxy(Other.class);
    assertThrows(IllegalArgumentException.class, () -> table.subtract(filter, filter));
    assertThrows(IllegalArgumentException.class, () -> table.intersect(filter, filter));
    assertThrows(ClassCastException.class, () -> table.addHash(filter, 5));
    TypedKind<Ours> same =
        table
            .subtracting((from, it) -> calls.add("subtract"))
            .intersecting((into, it) -> calls.add("intersect"));
    assertSame(table, same);
    table.subtract(filter, filter);
    table.intersect(filter, filter);
    assertEquals(List.of("subtract", "intersect"), calls);
    assertThrows(IllegalArgumentException.class, () -> table.subtract(filter, other));
    assertThrows(IllegalArgumentException.class, () -> table.subtract(other, filter));
    assertThrows(IllegalArgumentException.class, () -> table.intersect(filter, other));
    assertThrows(IllegalArgumentException.class, () -> table.intersect(other, filter));
  }

  @Test
  void filtersBecomeThoseOfTheClassThatTheTableNames() {
    FilterKind to = table(Variant.BLOCKED, "other", Other.class);
    Other converted = proxy(Other.class);
    assertFalse(table.isConvertibleTo(to));
    assertEquals(Optional.empty(), table.convert(filter, to));
    assertSame(table, table.converting(Other.class, it -> converted));
    assertTrue(table.isConvertibleTo(to));
    assertSame(converted, table.convert(filter, to).orElseThrow());
    assertFalse(table.isConvertibleTo(table));
  }

  @Test
  void filtersOfOneKindMergeIfTheirClassDoes() {
    Union union = new Union();
    Union other = new Union();
    union.addHash(1);
    other.addHash(2);
    TypedKind<Union> unions = table(Variant.COUNTING, "union", Union.class);
    assertTrue(unions.isDeletable() && unions.isMergeable());
    assertFalse(table.isDeletable() || table.isMergeable());
    unions.merge(union, other);
    assertTrue(union.mightContainHash(1) && union.mightContainHash(2));
    assertFalse(other.mightContainHash(1));
    assertFalse(unions.addHash(union, 2));
    assertTrue(unions.addHash(union, 3));
    assertMessage(
        "cannot merge: both must be filters of one kind, got " + names(union, filter),
        () -> unions.merge(union, filter));
    assertMessage(
        "cannot merge: both must be filters of one kind, got " + names(filter, union),
        () -> unions.merge(filter, union));
    assertMessage(
        "ours filters cannot be merged; add the elements of one to the other",
        () -> table.merge(filter, filter));
  }

  private static String names(Object one, Object other) {
    return one.getClass().getSimpleName() + " and " + other.getClass().getSimpleName();
  }

  private static void assertMessage(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
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
  void codesAreThoseOfFiles() {
    for (FilterKind kind : FilterKind.installed()) {
      assertEquals(Optional.of(kind), FilterKind.of(kind.code()));
    }
    assertEquals(Optional.empty(), FilterKind.of(0x8001));
    assertEquals("variant 32769", Variant.name(0x8001));
    assertEquals("CuckooFilter", Variant.name(5)); // though its module is not installed here
    assertEquals(Optional.empty(), FilterKind.of(5));
    assertEquals("Delta", Variant.name(Variant.DELTA.code()));
    assertEquals(Optional.empty(), FilterKind.of(Variant.DELTA.code()));
  }

  @Test
  void onlyFiltersOfThisLibraryAreWritten() {
    assertMessage(
        "only filters of this library can be stored, got " + filter.getClass(),
        () -> FilterContents.of(filter));
  }
}
