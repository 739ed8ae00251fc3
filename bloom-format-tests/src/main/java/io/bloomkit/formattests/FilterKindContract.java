package io.bloomkit.formattests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterFormatException;
import io.bloomkit.InsertableFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKind.Trait;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.format.StoredFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.Variant;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the contract of the {@link FilterKind}s of a module. */
public interface FilterKindContract {

  /** Returns the kinds of the module, in ascending order of their codes. */
  List<FilterKind> kinds();

  /** Returns the labels of the kinds, in the order of {@link #kinds}. */
  List<String> labels();

  /**
   * Returns a new, empty filter of each kind, in the order of {@link #labels}. Create each filter
   * by a method of its class, not by {@link FilterKind#create}.
   *
   * @param strategy the strategy of the filters
   * @param expectedInsertions the planned number of distinct elements, at least 1
   * @param fpp the planned false-positive rate, in (0, 1)
   */
  List<StorableFilter<Long>> filters(
      LongHashStrategy strategy, long expectedInsertions, double fpp);

  @Test
  default void allKindsAreOfferedInOrder() {
    assertEquals(labels(), kinds().stream().map(FilterKind::label).toList());
  }

  @Test
  default void allKindsAreInstalled() {
    List<Class<?>> installed = classes(FilterKind.installed());
    List<Class<?>> provided = classes(kinds());
    assertTrue(installed.containsAll(provided), () -> provided + " are not all in " + installed);
  }

  @Test
  default void kindsCreateReadAndMeasureTheirFilters() throws IOException {
    LongHashStrategy longs = HashStrategies.longs();
    List<FilterKind> kinds = kinds();
    List<StorableFilter<Long>> filters = filters(longs, 1000, 0.01);
    assertEquals(kinds.size(), filters.size());
    for (int i = 0; i < filters.size(); i++) {
      FilterKind kind = kinds.get(i);
      StorableFilter<Long> filter = filters.get(i);
      assertSame(kind.filterClass(), filter.getClass());
      assertEquals(kind.filterClass().getSimpleName(), Variant.name(kind.code()));
      assertTrue(kind.label().matches("[a-z0-9]+(-[a-z0-9]+)*"), kind.label());
      assertArrayEquals(filter.toBytes(), kind.<Long>create(longs, 1000, 0.01).toBytes());
      kind.addHash(filter, longs.hashLong(42));
      byte[] bytes = filter.toBytes();
      StorableFilter<Long> read = kind.<Long>fromBytes(bytes, longs);
      assertTrue(read.mightContain(42L), kind.label());
      assertArrayEquals(bytes, read.toBytes());
      assertThrows(IllegalArgumentException.class, () -> kind.layout(0, 0.01), kind.label());
      FilterLayout planned = kind.layout(1000, 0.01);
      if (kind.is(FilterKind.Trait.ELASTIC)) {
        assertTrue(filter.memoryBytes() < planned.memoryBytes(), kind.label());
      } else {
        assertEquals(filter.memoryBytes(), planned.memoryBytes(), kind.label());
      }
      FilterLayout built = kind.layoutOf(filter);
      assertTrue(
          built.figures().entrySet().containsAll(planned.figures().entrySet()),
          () -> planned.figures() + " planned, " + built.figures());
      Number fill = built.figures().get("fill");
      assertTrue(fill != null && fill.doubleValue() > 0, () -> kind.label() + ": fill " + fill);
    }
  }

  @Test
  default void kindsMergeOnlyFiltersOfTheirOwn() {
    LongHashStrategy longs = HashStrategies.longs();
    List<FilterKind> kinds = kinds();
    List<StorableFilter<Long>> filters = filters(longs, 1000, 0.01);
    List<StorableFilter<Long>> others = filters(longs, 1000, 0.01);
    for (int i = 0; i < filters.size(); i++) {
      FilterKind kind = kinds.get(i);
      StorableFilter<Long> filter = filters.get(i);
      StorableFilter<Long> other = others.get(i);
      StorableFilter<Long> foreign = others.get((i + 1) % others.size());
      kind.addHash(other, longs.hashLong(42));
      if (foreign != other) {
        assertThrows(IllegalArgumentException.class, () -> kind.merge(filter, foreign));
      }
      if (kind.isMergeable()) {
        kind.merge(filter, other);
        assertArrayEquals(other.toBytes(), filter.toBytes(), kind.label());
        assertEquals(
            kind.is(FilterKind.Trait.COMPARABLE), other.equals(filter), () -> kind.label());
      } else {
        assertThrows(IllegalArgumentException.class, () -> kind.merge(filter, other));
      }
    }
  }

  /**
   * Tests that {@link FilterKind#intersect} and {@link FilterKind#subtract} refuse a filter of
   * another kind. For two filters of one kind, each method must either give the right result, or
   * refuse the call and change nothing.
   */
  @Test
  default void kindsIntersectAndSubtractOnlyFiltersOfTheirOwn() {
    LongHashStrategy longs = HashStrategies.longs();
    List<FilterKind> kinds = kinds();
    for (int i = 0; i < kinds.size(); i++) {
      FilterKind kind = kinds.get(i);
      StorableFilter<Long> filter = kind.create(longs, 1000, 0.01);
      kind.addHash(filter, longs.hashLong(1));
      kind.addHash(filter, longs.hashLong(42));
      StorableFilter<Long> other = kind.create(longs, 1000, 0.01);
      kind.addHash(other, longs.hashLong(42));
      StorableFilter<Long> foreign = kinds.get((i + 1) % kinds.size()).create(longs, 1000, 0.01);
      byte[] before = filter.toBytes();
      if (kinds.size() > 1) {
        assertThrows(IllegalArgumentException.class, () -> kind.intersect(filter, foreign));
        assertThrows(IllegalArgumentException.class, () -> kind.subtract(filter, foreign));
      }
      try {
        kind.intersect(filter, other);
        assertTrue(filter.mightContain(42L), kind.label());
        assertFalse(filter.mightContain(1L), kind.label());
      } catch (IllegalArgumentException e) {
        assertArrayEquals(before, filter.toBytes(), kind.label());
      }
      byte[] present = filter.toBytes();
      try {
        kind.subtract(filter, other);
        assertTrue(filter.mightContain(1L), kind.label());
        assertFalse(filter.mightContain(42L), kind.label());
      } catch (IllegalArgumentException e) {
        assertArrayEquals(present, filter.toBytes(), kind.label());
      }
    }
  }

  @Test
  default void filtersAreEqualIfTheirContentsAre() throws IOException {
    LongHashStrategy longs = HashStrategies.longs();
    for (FilterKind kind : kinds()) {
      StorableFilter<Long> filter = kind.create(longs, 1000, 0.01);
      StorableFilter<Long> same = kind.create(longs, 1000, 0.01);
      assertEqual(filter, same, kind);
      for (int i = 0; i < 3000; i++) {
        kind.addHash(filter, longs.hashLong(i % 900));
        kind.addHash(same, longs.hashLong(i % 900));
      }
      assertEqual(filter, same, kind);
      byte[] bytes = filter.toBytes();
      assertEqual(filter, kind.<Long>fromBytes(bytes, longs), kind);
      long absent = 900;
      while (filter.mightContain(absent)) {
        absent++;
      }
      kind.addHash(same, longs.hashLong(absent));
      assertNotEquals(filter, same, () -> kind.label() + ": one element more");
      assertNotEquals(same, filter, () -> kind.label() + ": one element less");
      StorableFilter<Long> empty = kind.create(longs, 1000, 0.01);
      assertNotEquals(empty, kind.<Long>create(longs, 100_000, 0.01), "another size");
      assertNotEquals(
          empty,
          kind.<Long>create(HashStrategies.seeded(longs, 1), 1000, 0.01),
          "another strategy");
      for (FilterKind other : FilterKind.installed()) {
        assertEquals(
            kind.code() == other.code(),
            empty.equals(other.<Long>create(longs, 1000, 0.01)),
            () -> kind.label() + " and " + other.label());
      }
      assertNotEquals(empty, new Object());
    }
  }

  private static void assertEqual(
      StorableFilter<Long> filter, StorableFilter<Long> same, FilterKind kind) {
    assertEquals(filter, same, () -> kind.label() + ": equal contents");
    assertEquals(same, filter, () -> kind.label() + ": equal both ways");
    assertEquals(filter.hashCode(), same.hashCode(), () -> kind.label() + ": hashCode");
  }

  @Test
  default void unboxedLongsAreTheElementsOfALongStrategy() {
    LongHashStrategy longs = HashStrategies.longs();
    for (FilterKind kind : kinds()) {
      StorableFilter<Long> filter = kind.create(longs, 1000, 1e-6);
      if (filter instanceof InsertableFilter<Long> insertable) {
        assertTrue(insertable.addLong(42), kind.label());
      } else {
        kind.addHash(filter, longs.hashLong(42));
      }
      assertTrue(filter.mightContain(42L), kind.label());
      assertTrue(filter.mightContainLong(42), kind.label());
      assertFalse(filter.mightContainLong(43), kind.label());
      if (filter instanceof DeletableFilter<Long> deletable) {
        assertFalse(deletable.removeLong(43), kind.label());
        assertEquals(1, deletable.countLong(42), kind.label());
        assertTrue(deletable.removeLong(42), kind.label());
        assertEquals(0, deletable.countLong(42), kind.label());
      }
    }
  }

  @Test
  default void comparableFiltersAreEqualWhateverTheOrder() {
    LongHashStrategy longs = HashStrategies.longs();
    for (FilterKind kind : kinds()) {
      if (kind.is(FilterKind.Trait.COMPARABLE) && kind.isDeletable()) {
        DeletableFilter<?> filter = (DeletableFilter<?>) kind.<Long>create(longs, 1000, 0.01);
        for (int i = 0; i < 1000; i++) {
          filter.addHash(longs.hashLong(i));
          filter.addHash(longs.hashLong(i % 7));
        }
        for (int i = 0; i < 1000; i++) {
          filter.removeHash(longs.hashLong(i % 7));
          if (i % 2 == 0) {
            filter.removeHash(longs.hashLong(i));
          }
        }
        DeletableFilter<?> rebuilt = (DeletableFilter<?>) kind.<Long>create(longs, 1000, 0.01);
        for (int i = 999; i > 0; i -= 2) {
          rebuilt.addHash(longs.hashLong(i));
        }
        assertEquals(rebuilt, filter, kind.label());
        assertEquals(rebuilt.hashCode(), filter.hashCode(), kind.label());
        rebuilt.addHash(longs.hashLong(1));
        assertNotEquals(rebuilt, filter, kind.label());
      }
    }
  }

  /** Tests that a tool can handle a file without knowing its kind and strategy. */
  @Test
  default void filesAreInspectedAndReadWithoutTheirStrategy(@TempDir Path directory)
      throws IOException {
    LongHashStrategy longs = HashStrategies.longs();
    for (FilterKind kind : kinds()) {
      StorableFilter<Long> filter = kind.create(longs, 1000, 0.01);
      byte[] before = filter.toBytes();
      kind.addHash(filter, longs.hashLong(42));
      byte[] bytes = filter.toBytes();
      Path path = directory.resolve(kind.label());
      filter.writeTo(path);
      for (FilterFile file : List.of(FilterFile.inspect(path), FilterFile.inspect(bytes))) {
        assertEquals(kind, file.kind().orElseThrow());
        assertEquals(kind.code(), file.code());
        assertEquals(kind.filterClass().getSimpleName(), file.className());
        assertEquals(StrategyIdentity.of(longs), file.strategy());
        assertEquals(filter.elementCount(), file.elementCount(), kind.label());
        assertFalse(file.isDelta());
      }
      FilterFile file = FilterFile.inspect(bytes);
      assertEquals(file.className() + " with " + file.strategy(), file.toString());
      StorableFilter<Object> opaque = kind.fromBytes(bytes, file.opaqueStrategy());
      assertArrayEquals(bytes, opaque.toBytes(), kind.label());
      assertTrue(opaque.mightContainHash(longs.hashLong(42)), kind.label());
      assertThrows(IllegalStateException.class, () -> opaque.mightContain(42L));
      byte[] uncompressed = filter.toUncompressedBytes();
      assertFalse(FilterFile.inspect(uncompressed).isCompressed() && !kind.is(Trait.ELASTIC));
      assertArrayEquals(bytes, kind.<Long>fromBytes(uncompressed, longs).toBytes(), kind.label());
      StoredFilter stored = StoredFilter.readFrom(new ByteArrayInputStream(bytes));
      assertEquals(Delta.fingerprintOf(filter), stored.fingerprint(), kind.label());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      stored.writeTo(out);
      assertArrayEquals(bytes, out.toByteArray(), kind.label());
      StoredFilter older = StoredFilter.readFrom(new ByteArrayInputStream(before));
      Delta delta = Delta.between(older, stored);
      assertEquals(stored.fingerprint(), delta.apply(older).fingerprint(), kind.label());
      delta.apply(older).writeTo(path);
      assertEquals(Delta.fingerprintOf(filter), fingerprint(path), kind.label());
      FilterFile change = FilterFile.inspect(delta.toBytes());
      assertTrue(change.isDelta(), kind.label());
      assertEquals(kind, change.kind().orElseThrow());
      FilterFormatException refusal =
          assertThrows(
              FilterFormatException.class,
              () -> StoredFilter.readFrom(new ByteArrayInputStream(delta.toBytes())));
      assertEquals("at byte 10: this is a delta, not a filter", refusal.getMessage());
    }
  }

  private static long fingerprint(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return StoredFilter.readFrom(in).fingerprint();
    }
  }

  @Test
  default void kindsConvertToThoseThatTheyName() {
    LongHashStrategy longs = HashStrategies.longs();
    for (FilterKind kind : kinds()) {
      StorableFilter<Long> filter = kind.create(longs, 1000, 0.01);
      kind.addHash(filter, longs.hashLong(42));
      for (FilterKind to : FilterKind.installed()) {
        Optional<StorableFilter<Long>> converted = kind.convert(filter, to);
        assertEquals(
            kind.isConvertibleTo(to),
            converted.isPresent(),
            () -> kind.label() + " to " + to.label());
        converted.ifPresent(
            other -> {
              assertSame(to.filterClass(), other.getClass());
              assertTrue(other.mightContain(42L), to.label());
            });
      }
    }
  }

  private static List<Class<?>> classes(List<FilterKind> kinds) {
    return kinds.stream().<Class<?>>map(FilterKind::filterClass).toList();
  }
}
