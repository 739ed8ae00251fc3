package io.bloomkit.classic.provider;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClassicFiltersTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static final List<FilterKind> KINDS = new ClassicFilters().kinds();

  private static List<StorableFilter<Long>> filters() {
    return List.of(
        ClassicBloomFilter.create(LONGS, 1000, 0.01), BlockedBloomFilter.create(LONGS, 1000, 0.01));
  }

  @Test
  void allKindsAreOfferedInOrder() {
    assertEquals(List.of("classic", "blocked"), KINDS.stream().map(FilterKind::label).toList());
  }

  @Test
  void kindsCreateReadAndMeasureTheirFilters() throws IOException {
    List<StorableFilter<Long>> filters = filters();
    for (int i = 0; i < filters.size(); i++) {
      FilterKind kind = KINDS.get(i);
      StorableFilter<Long> filter = filters.get(i);
      assertSame(kind.filterClass(), filter.getClass());
      assertEquals(kind.filterClass().getSimpleName(), kind.variant().name());
      assertArrayEquals(filter.toBytes(), kind.<Long>create(LONGS, 1000, 0.01).toBytes());
      kind.addHash(filter, LONGS.hashLong(42));
      byte[] bytes = filter.toBytes();
      StorableFilter<Long> read =
          FilterReader.fromBytes(bytes, reader -> kind.<Long>read(reader, LONGS));
      assertTrue(read.mightContain(42L), kind.label());
      assertArrayEquals(bytes, read.toBytes());
      FilterLayout planned = kind.layout(1000, 0.01);
      assertEquals(filter.memoryBytes(), planned.memoryBytes(), kind.label());
      FilterLayout built = kind.layoutOf(filter);
      assertTrue(
          built.figures().entrySet().containsAll(planned.figures().entrySet()),
          () -> planned.figures() + " planned, " + built.figures());
      assertTrue(Objects.requireNonNull(built.figures().get("fill")).doubleValue() > 0);
    }
  }

  @Test
  void kindsMergeOnlyFiltersOfTheirOwn() {
    List<StorableFilter<Long>> filters = filters();
    List<StorableFilter<Long>> others = filters();
    for (int i = 0; i < filters.size(); i++) {
      FilterKind kind = KINDS.get(i);
      StorableFilter<Long> filter = filters.get(i);
      StorableFilter<Long> other = others.get(i);
      StorableFilter<Long> foreign = others.get((i + 1) % others.size());
      kind.addHash(other, LONGS.hashLong(42));
      assertThrows(IllegalArgumentException.class, () -> kind.merge(filter, foreign));
      if (kind.isMergeable()) {
        kind.merge(filter, other);
        assertEquals(other, filter);
      } else {
        assertThrows(IllegalArgumentException.class, () -> kind.merge(filter, other));
      }
    }
  }

  /** What the class path and the module path find. */
  @Test
  void bothServiceLinesNameTheSameProviders() throws IOException {
    String service = FilterProvider.class.getName();
    List<String> ofModule =
        ClassicFilters.class.getModule().getDescriptor().provides().stream()
            .filter(provides -> provides.service().equals(service))
            .flatMap(provides -> provides.providers().stream())
            .toList();
    try (InputStream in =
        Objects.requireNonNull(
            ClassicFilters.class.getModule().getResourceAsStream("META-INF/services/" + service))) {
      String ofClassPath = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(ofModule, ofClassPath.lines().toList());
    }
  }
}
