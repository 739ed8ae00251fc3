package io.bloomkit.internal.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FlatShape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKind.Trait;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A kind of filter that is described by a table. */
class KindTableTest {

  private static final FilterLayout LAYOUT = FilterLayout.of(new FlatShape(64, 1), 8);

  /** Any filter class; the tests call no method of it. */
  private interface Ours extends StorableFilter<Long> {}

  private interface Other extends StorableFilter<Long> {}

  private final List<String> calls = new ArrayList<>();
  private final Ours filter = proxy(Ours.class);
  private final KindTable<Ours> table =
      new KindTable<>(
          200,
          "ours",
          Ours.class,
          Set.of(Trait.COMPARABLE),
          (n, fpp) -> LAYOUT,
          it -> LAYOUT,
          new KindTable.Creator() {
            @Override
            @SuppressWarnings("unchecked")
            public <T> StorableFilter<T> create(
                HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
              return (StorableFilter<T>) filter;
            }
          },
          new KindTable.Reader() {
            @Override
            @SuppressWarnings("unchecked")
            public <T> StorableFilter<T> read(
                FilterReader reader, HashStrategy<? super T> strategy) {
              return (StorableFilter<T>) filter;
            }
          });

  private static <F> F proxy(Class<F> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> null));
  }

  @Test
  void theTableHasWhatItWasMadeWith() {
    assertEquals(new FilterVariant(200, "Ours"), table.variant());
    assertEquals("ours", table.label());
    assertEquals("ours", table.toString());
    assertEquals(Ours.class, table.filterClass());
    assertTrue(table.is(Trait.COMPARABLE));
    assertSame(LAYOUT, table.layout(1, 0.1));
    assertSame(LAYOUT, table.layoutOf(filter));
    assertSame(filter, table.create(HashStrategies.longs(), 1, 0.1));
  }

  @Test
  void optionalOperationsRunIfTheTableHasThemAndAreRefusedOtherwise() {
    Other other = proxy(Other.class);
    assertThrows(IllegalArgumentException.class, () -> table.subtract(filter, filter));
    assertThrows(IllegalArgumentException.class, () -> table.intersect(filter, filter));
    assertThrows(ClassCastException.class, () -> table.addHash(filter, 5));
    table
        .adding((to, hash) -> calls.add("add " + hash))
        .subtracting((from, it) -> calls.add("subtract"))
        .intersecting((into, it) -> calls.add("intersect"));
    assertTrue(table.addHash(filter, 5));
    table.subtract(filter, filter);
    table.intersect(filter, filter);
    assertEquals(List.of("add 5", "subtract", "intersect"), calls);
    assertThrows(IllegalArgumentException.class, () -> table.subtract(filter, other));
    assertThrows(IllegalArgumentException.class, () -> table.subtract(other, filter));
    assertThrows(IllegalArgumentException.class, () -> table.intersect(filter, other));
    assertThrows(IllegalArgumentException.class, () -> table.intersect(other, filter));
  }

  @Test
  void filtersBecomeThoseOfTheClassThatTheTableNames() {
    FilterKind to =
        new KindTable<Other>(
            201,
            "other",
            Other.class,
            Set.of(),
            (n, fpp) -> LAYOUT,
            it -> LAYOUT,
            new KindTable.Creator() {
              @Override
              public <T> StorableFilter<T> create(
                  HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
                throw new IllegalStateException();
              }
            },
            new KindTable.Reader() {
              @Override
              public <T> StorableFilter<T> read(
                  FilterReader reader, HashStrategy<? super T> strategy) {
                throw new IllegalStateException();
              }
            });
    Other converted = proxy(Other.class);
    assertFalse(table.isConvertibleTo(to));
    assertEquals(Optional.empty(), table.convert(filter, to));
    table.converting(Other.class, it -> converted);
    assertTrue(table.isConvertibleTo(to));
    assertSame(converted, table.convert(filter, to).orElseThrow());
    assertFalse(table.isConvertibleTo(table));
  }
}
