package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterCollectors;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that fill every kind of filter, and filters that filter streams. */
class FilterCollectorsTest {

  private static final int ELEMENTS = 20_000;
  private static final HashStrategy<CharSequence> UTF_8 = HashStrategies.utf8();

  private static Stream<String> elements() {
    return IntStream.range(0, ELEMENTS).mapToObj(i -> "element " + i);
  }

  static Stream<FilterKind> insertableKinds() {
    return FilterKind.installed().stream();
  }

  static Stream<FilterKind> mergeableKinds() {
    return insertableKinds().filter(FilterKind::isMergeable);
  }

  static Stream<Supplier<InsertableFilter<String>>> concurrentFilters() {
    return Stream.of(
        () -> ClassicBloomFilter.builder(UTF_8).expecting(ELEMENTS, 0.01).concurrent().build(),
        () -> BlockedBloomFilter.builder(UTF_8).expecting(ELEMENTS, 0.01).concurrent().build(),
        () -> CountingBloomFilter.builder(UTF_8).expecting(ELEMENTS, 0.01).concurrent().build(),
        () ->
            BlockedCountingBloomFilter.builder(UTF_8)
                .expecting(ELEMENTS, 0.01)
                .concurrent()
                .build(),
        () -> ScalableBloomFilter.builder(UTF_8).expecting(ELEMENTS, 0.01).concurrent().build());
  }

  @SuppressWarnings("unchecked") // the caller knows that filters of the kind take elements
  private static InsertableFilter<String> newFilter(FilterKind kind) {
    StorableFilter<String> filter = kind.create(UTF_8, ELEMENTS, 0.01);
    return (InsertableFilter<String>) filter;
  }

  private static byte[] bytes(InsertableFilter<String> filter) {
    return ((StorableFilter<?>) filter).toBytes();
  }

  private static byte[] bytesOfOneByOne(FilterKind kind) {
    InsertableFilter<String> filter = newFilter(kind);
    elements().forEach(filter::add);
    return bytes(filter);
  }

  private static String messageOf(Class<? extends Exception> type, Executable call) {
    return String.valueOf(assertThrows(type, call).getMessage());
  }

  @ParameterizedTest
  @MethodSource("insertableKinds")
  void aStreamFillsAFilterAsOneAfterAnother(FilterKind kind) {
    assertArrayEquals(
        bytesOfOneByOne(kind),
        bytes(elements().collect(FilterCollectors.toFilter(() -> newFilter(kind)))));
  }

  @ParameterizedTest
  @MethodSource("mergeableKinds")
  void partsOfAParallelStreamAreMerged(FilterKind kind) {
    AtomicLong parts = new AtomicLong();
    InsertableFilter<String> filter =
        elements()
            .parallel()
            .collect(
                FilterCollectors.toFilter(
                    () -> {
                      parts.incrementAndGet();
                      return newFilter(kind);
                    }));
    assertTrue(parts.get() > 1, "the stream had one part");
    assertArrayEquals(bytesOfOneByOne(kind), bytes(filter));
  }

  @ParameterizedTest
  @MethodSource("concurrentFilters")
  void allThreadsOfAParallelStreamShareAConcurrentFilter(
      Supplier<InsertableFilter<String>> supplier) {
    AtomicLong filters = new AtomicLong();
    InsertableFilter<String> filter =
        elements()
            .parallel()
            .collect(
                FilterCollectors.toConcurrentFilter(
                    () -> {
                      filters.incrementAndGet();
                      return supplier.get();
                    }));
    assertEquals(1, filters.get());
    assertTrue(filter.isConcurrent());
    assertTrue(elements().allMatch(filter));
    InsertableFilter<String> oneByOne = supplier.get();
    elements().forEach(oneByOne::add);
    assertEquals(
        (double) oneByOne.approximateElementCount(),
        (double) filter.approximateElementCount(),
        ELEMENTS * 0.001);
  }

  @Test
  void createdFiltersAreNotConcurrentUnlessAllOfTheirKindAre() {
    insertableKinds()
        .forEach(
            kind ->
                assertEquals(
                    kind == DynamicCuckooFilter.KIND || kind.is(FilterKind.Trait.EXPIRING),
                    newFilter(kind).isConcurrent(),
                    kind.label()));
  }

  @Test
  void partsOfTwoShapesAreRefused() {
    AtomicLong sizes = new AtomicLong(ELEMENTS);
    String message =
        messageOf(
            IllegalArgumentException.class,
            () ->
                elements()
                    .parallel()
                    .collect(
                        FilterCollectors.toFilter(
                            () ->
                                ClassicBloomFilter.create(UTF_8, sizes.incrementAndGet(), 0.01))));
    assertTrue(message.contains("one class, strategy and size"), message);
    assertEquals(2, message.split("ClassicBloomFilter\\[positions=", -1).length - 1, message);
  }

  @Test
  void oneFilterForAllPartsIsRefused() {
    ClassicBloomFilter<String> filter = ClassicBloomFilter.create(UTF_8, ELEMENTS, 0.01);
    String message =
        messageOf(
            IllegalStateException.class,
            () -> elements().parallel().collect(FilterCollectors.toFilter(() -> filter)));
    assertTrue(message.contains("new filter at each call"), message);
  }

  @Test
  @SuppressWarnings("NullAway") // what is refused
  void missingFiltersAndElementsAreRefusedByName() {
    String message =
        messageOf(
            NullPointerException.class,
            () ->
                elements()
                    .collect(FilterCollectors.toFilter(() -> (ClassicBloomFilter<String>) null)));
    assertTrue(message.contains("supplier"), message);
    assertEquals(
        "element",
        assertThrows(
                NullPointerException.class,
                () ->
                    Arrays.asList("a", null).stream()
                        .collect(
                            FilterCollectors.toFilter(
                                () -> CuckooFilter.<String>create(UTF_8, 10, 0.01))))
            .getMessage());
  }

  @Test
  void aGroupHasAFilterOfItsOwn() {
    Map<Integer, ClassicBloomFilter<String>> byLength =
        Stream.of("a", "b", "cc")
            .collect(
                Collectors.groupingBy(
                    String::length,
                    FilterCollectors.toFilter(() -> ClassicBloomFilter.create(UTF_8, 10, 1e-6))));
    assertTrue(Objects.requireNonNull(byLength.get(1)).mightContain("b"));
    assertFalse(Objects.requireNonNull(byLength.get(1)).mightContain("cc"));
    assertTrue(Objects.requireNonNull(byLength.get(2)).mightContain("cc"));
  }
}
