package io.bloomkit.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The meters of a filter in a registry that keeps them in memory. */
class FilterMetricsTest {

  private static final HashStrategy<CharSequence> UTF_8 = HashStrategies.utf8();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private static CountingBloomFilter<String> counting() {
    return CountingBloomFilter.create(UTF_8, 1_000, 0.01);
  }

  private static long[] hashes(String... elements) {
    return UTF_8.hashAll(List.of(elements));
  }

  private static List<String> elements(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "element " + i).toList();
  }

  private double gauge(String name) {
    return registry.get("bloom.filter." + name).tag("filter", "sessions").gauge().value();
  }

  private double counter(String name, String... tags) {
    return registry
        .get("bloom.filter." + name)
        .tag("filter", "sessions")
        .tags(tags)
        .functionCounter()
        .count();
  }

  @Test
  void aMeteredFilterSaysOfItsStateWhatTheFilterSays() {
    ClassicBloomFilter<String> filter = ClassicBloomFilter.create(UTF_8, 10, 0.01);
    MeteredInsertableFilter<String> metered = FilterMetrics.of(registry, "state").bind(filter);
    assertSame(filter, metered.filter());
    assertEquals(Optional.of(new FilterPlan(10, 0.01)), metered.plan());
    assertFalse(metered.isOverfull());
    elements(0, 20).forEach(metered::add);
    assertEquals(OptionalLong.of(20), metered.elementCount());
    assertTrue(metered.isOverfull());
    assertEquals(filter.fppRatio(), metered.fppRatio());
  }

  @Test
  void gaugesOfAnExpiringFilterShowItsLiveElements() {
    ExpiringCuckooFilter<Long> filter =
        ExpiringCuckooFilter.<Long>builder(HashStrategies.longs())
            .expecting(1_500, 0.01)
            .window(1_500)
            .build();
    MeteredFilter<Long> metered = FilterMetrics.of(registry, "sessions").bind(filter);
    assertEquals(0, gauge("elements"));
    for (long i = 0; i < 10_000; i++) {
      filter.add(i);
    }
    assertEquals((double) filter.approximateElementCount(), gauge("elements"));
    assertEquals(1_550, gauge("elements"), 60);
    assertEquals(filter.expectedFpp(), gauge("fpp.expected"));
    assertEquals(0, gauge("fpp.expected.error"));
    assertEquals(0.01, gauge("fpp.planned"));
    assertEquals(filter.liveFingerprints() / 1_600.0, gauge("fill"));
    assertEquals((double) filter.memoryBytes(), gauge("memory"));
    assertTrue(metered.mightContain(9_999L));
    assertEquals(1, counter("queries", "result", "positive"));
    filter.clear();
    assertEquals(0, gauge("fill"));
  }

  /** A filter of several MiB, of which a gauge reads 256 KiB. */
  @Test
  void gaugesOfALargeFilterShowASample() {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.create(HashStrategies.longs(), 3_000_000, 0.01);
    MeteredInsertableFilter<Long> metered = FilterMetrics.of(registry, "sessions").bind(filter);
    new SplittableRandom(1).longs(3_000_000).forEach(filter::addHash);
    double error = gauge("fpp.expected.error");
    assertTrue(error > 0 && error < 1e-4, () -> "standard error " + error);
    assertNotEquals(filter.expectedFpp(), gauge("fpp.expected"));
    assertEquals(filter.expectedFpp(), gauge("fpp.expected"), 5 * error);
    assertEquals(filter.estimate().fill().value(), gauge("fill"));
    assertEquals(3_000_000, gauge("elements"), 30_000);
    assertEquals(filter.estimate(100), metered.estimate(100));
    assertNotEquals(filter.estimate(), metered.estimate(100));
  }

  @Test
  void aFilterOfQueriesIsWrappedAsItIs() {
    MembershipFilter<String> filter = counting();
    assertSame(filter, FilterMetrics.of(registry, "queries").bind(filter).filter());
  }

  @Test
  void oneLineBindsEveryMeter() {
    MeteredDeletableFilter<String> sessions =
        FilterMetrics.of(registry, "sessions").plannedFpp(0.01).bind(counting());
    assertEquals(
        List.of(
            "elements",
            "false.positives",
            "fill",
            "fpp.expected",
            "fpp.expected.error",
            "fpp.observed",
            "fpp.planned",
            "insertions",
            "memory",
            "queries",
            "queries",
            "removals",
            "removals"),
        registry.getMeters().stream()
            .map(Meter::getId)
            .peek(id -> assertEquals("sessions", id.getTag("filter")))
            .peek(id -> assertFalse(Objects.requireNonNull(id.getDescription()).isBlank()))
            .map(id -> id.getName().replace("bloom.filter.", ""))
            .sorted()
            .toList());
    assertEquals("bytes", registry.get("bloom.filter.memory").meter().getId().getBaseUnit());
    assertTrue(sessions.toString().startsWith("CountingBloomFilter["));
  }

  @Test
  void gaugesShowTheFilter() {
    CountingBloomFilter<String> filter = counting();
    MeteredDeletableFilter<String> sessions =
        FilterMetrics.of(registry, "sessions").plannedFpp(0.02).bind(filter);
    assertEquals(0, gauge("fill"));
    elements(0, 1_000).forEach(sessions::add);
    assertEquals(
        (double) filter.nonZeroCounters() / filter.shape().positions(), gauge("fill"), 1e-12);
    assertEquals(0.5, gauge("fill"), 0.05);
    assertEquals(filter.expectedFpp(), gauge("fpp.expected"));
    assertEquals(0.02, gauge("fpp.planned"));
    assertEquals((double) filter.approximateElementCount(), gauge("elements"), 0.5);
    assertEquals(0, gauge("fpp.expected.error"));
    assertEquals((double) filter.memoryBytes(), gauge("memory"));
    assertEquals(filter.expectedFpp(), sessions.expectedFpp());
    assertEquals(filter.approximateElementCount(), sessions.approximateElementCount());
    assertEquals(filter.memoryBytes(), sessions.memoryBytes());
    assertSame(UTF_8, sessions.strategy());
    assertSame(filter, sessions.filter());
  }

  @Test
  void operationsAreCounted() {
    MeteredDeletableFilter<String> sessions =
        FilterMetrics.of(registry, "sessions").bind(counting());
    assertTrue(sessions.add("a"));
    assertFalse(sessions.add("a"));
    assertTrue(sessions.addHash(UTF_8.hash("b")));
    assertEquals(2, sessions.addHashes(hashes("c", "d", "c"), 0, 3));
    assertEquals(6, counter("insertions"));

    assertTrue(sessions.mightContain("a"));
    assertTrue(sessions.test("b"));
    assertFalse(sessions.mightContainHash(UTF_8.hash("x")));
    sessions.mightContainHashes(hashes("a", "x", "y"), 0, 3, new boolean[3]);
    assertEquals(3, counter("queries", "result", "positive"));
    assertEquals(3, counter("queries", "result", "negative"));

    assertTrue(sessions.remove("a"));
    assertFalse(sessions.remove("x"));
    assertTrue(sessions.removeHash(UTF_8.hash("b")));
    assertEquals(1, sessions.removeHashes(hashes("x", "d", "y"), 0, 3));
    assertEquals(3, counter("removals", "result", "removed"));
    assertEquals(3, counter("removals", "result", "refused"));

    assertEquals(1, sessions.count("a"));
    assertEquals(2, sessions.countHash(UTF_8.hash("c")));
    sessions.clear();
    assertEquals(0, sessions.approximateElementCount());
    assertEquals(6, counter("insertions"), "the counter goes on");
  }

  @Test
  void anOperationThatThrowsIsNotCounted() {
    MeteredDeletableFilter<String> sessions =
        FilterMetrics.of(registry, "sessions").bind(counting());
    long[] one = {1};
    boolean[] none = {};
    assertThrows(IndexOutOfBoundsException.class, () -> sessions.addHashes(one, 0, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> sessions.removeHashes(one, 0, 2));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> sessions.mightContainHashes(one, 0, one.length, none));
    assertEquals(0, counter("insertions"));
    assertEquals(0, counter("removals", "result", "refused"));
    assertEquals(0, counter("queries", "result", "negative"));
  }

  @Test
  void theObservedRateStandsBesideTheExpectedOne() {
    MeteredInsertableFilter<String> seen =
        FilterMetrics.of(registry, "sessions")
            .bind(ClassicBloomFilter.<String>create(UTF_8, 2_000, 0.05));
    assertTrue(Double.isNaN(seen.observedFpp()));
    elements(0, 2_000).forEach(seen::add);
    elements(0, 2_000).forEach(seen::mightContain);
    assertTrue(Double.isNaN(gauge("fpp.observed")), "no absent element was queried");
    for (String absent : elements(2_000, 22_000)) {
      if (seen.mightContain(absent)) {
        seen.foundFalsePositive();
      }
    }
    assertEquals(gauge("fpp.expected"), gauge("fpp.observed"), 0.01);
    assertEquals(seen.observedFpp(), gauge("fpp.observed"));
    double before = counter("false.positives");
    seen.foundFalsePositives(5);
    seen.foundFalsePositives(0);
    assertEquals(before + 5, counter("false.positives"));
  }

  @Test
  void aFilterThatOnlyAnswersHasNoOtherCounters() {
    MembershipFilter<String> filter = ClassicBloomFilter.create(UTF_8, 10, 0.01);
    MeteredFilter<String> seen = FilterMetrics.of(registry, "sessions").bind(filter);
    assertFalse(seen.mightContain("a"));
    assertNull(registry.find("bloom.filter.insertions").meter());
    assertNull(registry.find("bloom.filter.removals").meter());
    assertEquals(0.01, registry.get("bloom.filter.fpp.planned").gauge().value());
  }

  @Test
  void aFilterTooFullForAnEstimateHasInfinitelyManyElements() {
    ClassicBloomFilter<String> full =
        ClassicBloomFilter.builder(UTF_8).shape(new FlatShape(64, 1)).buildFrom(new long[] {-1});
    FilterMetrics.of(registry, "sessions").bind(full);
    assertNull(registry.find("bloom.filter.fpp.planned").meter(), "its size was given directly");
    assertEquals(Double.POSITIVE_INFINITY, gauge("elements"));
  }

  static Stream<FilterKind> kinds() {
    return FilterKind.installed().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyKindOfFilterIsMetered(FilterKind kind) {
    StorableFilter<String> filter = kind.create(UTF_8, 1_000, 0.01);
    MeteredFilter<String> metered = FilterMetrics.of(registry, "sessions").bind(filter);
    elements(0, 500).forEach(element -> kind.addHash(filter, UTF_8.hash(element)));
    assertTrue(metered.mightContain("element 7"));
    assertTrue(gauge("fill") > 0 && gauge("fill") < 1, () -> "fill " + gauge("fill"));
    assertTrue(gauge("fpp.expected") > 0 && gauge("fpp.expected") < 0.01);
    assertEquals(500, gauge("elements"), 50);
  }

  @Test
  void aConcurrentFilterStaysConcurrent() {
    InsertableFilter<String> concurrent =
        BlockedBloomFilter.builder(UTF_8).expecting(10, 0.01).concurrent().build();
    assertTrue(FilterMetrics.of(registry, "sessions").bind(concurrent).isConcurrent());
    assertFalse(FilterMetrics.of(registry, "others").bind(counting()).isConcurrent());
  }

  @Test
  void aNameIsBoundOnceUntilItIsClosed() {
    FilterMetrics metrics = FilterMetrics.of(registry, "sessions");
    MeteredDeletableFilter<String> first = metrics.bind(counting());
    int meters = registry.getMeters().size();
    String message =
        String.valueOf(
            assertThrows(IllegalStateException.class, () -> metrics.bind(counting())).getMessage());
    assertTrue(message.contains("sessions"), message);
    assertTrue(message.contains("close it first"), message);
    assertEquals(meters, registry.getMeters().size());
    FilterMetrics.of(registry, "others").bind(counting());
    assertEquals(2 * meters, registry.getMeters().size());

    first.close();
    assertEquals(meters, registry.getMeters().size());
    assertTrue(first.add("the filter works on"));
    MeteredDeletableFilter<String> second = metrics.bind(counting());
    second.add("a");
    assertEquals(1, counter("insertions"));
    first.close();
    assertEquals(2 * meters, registry.getMeters().size());
  }

  @Test
  void filtersWithAndWithoutATagAreTwo() {
    FilterMetrics metrics = FilterMetrics.of(registry, "sessions");
    FilterMetrics inEurope = metrics.tags(Tags.of("region", "eu"));
    inEurope.bind(counting());
    int meters = registry.getMeters().size();
    metrics.bind(counting());
    assertEquals(2 * meters, registry.getMeters().size());
    assertThrows(IllegalStateException.class, () -> metrics.bind(counting()));
    assertThrows(IllegalStateException.class, () -> inEurope.bind(counting()));
  }

  @Test
  void tagsThatTheRegistryDropsTellNoFiltersApart() {
    registry.config().meterFilter(MeterFilter.ignoreTags("region"));
    FilterMetrics metrics = FilterMetrics.of(registry, "sessions");
    metrics.tags(Tags.of("region", "eu")).bind(counting());
    int meters = registry.getMeters().size();
    FilterMetrics elsewhere = metrics.tags(Tags.of("region", "us"));
    assertThrows(IllegalStateException.class, () -> elsewhere.bind(counting()));
    assertEquals(meters, registry.getMeters().size());
  }

  @Test
  void tagsOfTheRegistryHideNoFilter() {
    registry.config().commonTags("host", "a");
    FilterMetrics metrics = FilterMetrics.of(registry, "sessions");
    metrics.bind(counting());
    assertThrows(IllegalStateException.class, () -> metrics.bind(counting()));
  }

  @Test
  void moreTagsTellFiltersApart() {
    FilterMetrics metrics = FilterMetrics.of(registry, "sessions");
    metrics.tags(Tags.of("shop", "1")).bind(counting()).add("a");
    List.of("a", "b").forEach(metrics.tags(Tags.of("shop", "2")).bind(counting())::add);
    assertEquals(1, counter("insertions", "shop", "1"));
    assertEquals(2, counter("insertions", "shop", "2"));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void aNegativeNumberOfFalsePositivesIsRefused(long number) {
    MeteredDeletableFilter<String> sessions =
        FilterMetrics.of(registry, "sessions").bind(counting());
    String message =
        assertThrows(IllegalArgumentException.class, () -> sessions.foundFalsePositives(number))
            .getMessage();
    assertEquals("number must be at least 0, got " + number, message);
    assertEquals(0, counter("false.positives"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void aPlannedRateOutsideItsRangeIsRefused(double fpp) {
    FilterMetrics metrics = FilterMetrics.of(registry, "sessions");
    assertEquals(
        "fpp must be in (0, 1), got " + fpp + "; 1 % is 0.01",
        assertThrows(IllegalArgumentException.class, () -> metrics.plannedFpp(fpp)).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void aBlankNameIsRefused(String name) {
    assertEquals(
        "name must not be blank, got \"" + name + "\"",
        assertThrows(IllegalArgumentException.class, () -> FilterMetrics.of(registry, name))
            .getMessage());
  }

  @Test
  @SuppressWarnings("NullAway") // what is refused
  void aNullArgumentIsNamed() {
    FilterMetrics metrics = FilterMetrics.of(registry, "sessions");
    assertNamed("registry", () -> FilterMetrics.of(null, "sessions"));
    assertNamed("name", () -> FilterMetrics.of(registry, null));
    assertNamed("tags", () -> metrics.tags(null));
    assertNamed("filter", () -> metrics.bind((MembershipFilter<String>) null));
    assertNamed("filter", () -> metrics.bind((CountingBloomFilter<String>) null));
    assertTrue(registry.getMeters().isEmpty());
    MeteredDeletableFilter<String> sessions = metrics.bind(counting());
    assertNamed("element", () -> sessions.mightContain(null));
    assertNamed("element", () -> sessions.add(null));
    assertNamed("element", () -> sessions.remove(null));
    assertNamed("element", () -> sessions.count(null));
    assertNamed("hashes", () -> sessions.addHashes(null, 0, 0));
    assertNamed("hashes", () -> sessions.removeHashes(null, 0, 0));
    assertNamed("hashes", () -> sessions.mightContainHashes(null, 0, 0, new boolean[0]));
  }

  private static void assertNamed(String name, Runnable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call::run).getMessage());
  }
}
