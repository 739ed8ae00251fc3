package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every filter knows what it was made for. */
class PlanTest {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();
  private static final long ELEMENTS = 1000;
  private static final FilterPlan PLAN = new FilterPlan(ELEMENTS, 0.01);

  @TempDir private Path directory;

  static List<FilterKind> kinds() {
    return List.of(
        ClassicBloomFilter.KIND,
        BlockedBloomFilter.KIND,
        CountingBloomFilter.KIND,
        BlockedCountingBloomFilter.KIND,
        CuckooFilter.KIND,
        DynamicCuckooFilter.KIND,
        ExpiringCuckooFilter.KIND,
        ScalableBloomFilter.KIND);
  }

  private static StorableFilter<Long> create(FilterKind kind) {
    return kind.create(LONGS, PLAN.expectedInsertions(), PLAN.fpp());
  }

  private static void fill(FilterKind kind, StorableFilter<Long> filter, long elements) {
    LongStream.range(0, elements).map(LONGS::hash).forEach(hash -> kind.addHash(filter, hash));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void planIsStoredCopiedAndWritten(FilterKind kind) throws IOException {
    StorableFilter<Long> filter = create(kind);
    assertEquals(Optional.of(PLAN), filter.plan());
    fill(kind, filter, 10);
    byte[] bytes = filter.toBytes();
    StorableFilter<Long> read = kind.fromBytes(bytes, LONGS);
    assertEquals(Optional.of(PLAN), read.plan());
    if (filter instanceof MergeableFilter<?> mergeable) {
      assertEquals(Optional.of(PLAN), ((StorableFilter<?>) mergeable.copy()).plan());
    }
    fill(kind, filter, 20);
    byte[] delta = Delta.between(read, filter).toBytes();
    StorableFilter<Long> after =
        Delta.fromBytes(delta).apply(read, changed -> kind.<Long>fromBytes(changed, LONGS));
    assertEquals(Optional.of(PLAN), after.plan());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void filterIsOverfullWithMoreThanPlanned(FilterKind kind) {
    StorableFilter<Long> filter = create(kind);
    assertEquals(0, filter.fppRatio());
    assertFalse(filter.isOverfull());
    fill(kind, filter, ELEMENTS);
    assertEquals(filter.expectedFpp() / 0.01, filter.fppRatio());
    boolean holdsItsRate = kind.is(FilterKind.Trait.GROWING) || filter instanceof CuckooFilter<?>;
    assertFalse(filter.isOverfull(), "as many as planned");
    if (!holdsItsRate) {
      fill(kind, filter, 2 * ELEMENTS);
      assertTrue(filter.isOverfull(), filter::toString);
      assertTrue(filter.fppRatio() > 1.01, filter::toString);
    }
  }

  @Test
  void filterOfAGivenShapeHasNoPlanUnlessOneIsGiven() {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(64, 2)).build();
    assertEquals(Optional.empty(), filter.plan());
    assertTrue(Double.isNaN(filter.fppRatio()));
    LongStream.range(0, 1000).forEach(filter::addLong);
    assertFalse(filter.isOverfull());
    assertEquals(
        Optional.of(PLAN),
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(64, 2)).plan(PLAN).build().plan());
    assertEquals(
        Optional.empty(),
        CountingBloomFilter.builder(LONGS).shape(new FlatShape(64, 2)).build().plan());
    assertEquals(
        Optional.empty(),
        BlockedCountingBloomFilter.builder(LONGS)
            .shape(new BlockedShape(2, 128, 2))
            .build()
            .plan());
  }

  /** Neither call drops what the other has set. */
  @Test
  void aShapeAndAnExpectationRefuseEachOther() {
    FlatShape flat = new FlatShape(64, 2);
    BlockedShape blocks = new BlockedShape(2, 128, 2);
    for (Executable both :
        List.<Executable>of(
            () -> ClassicBloomFilter.builder(LONGS).expecting(9, 0.1).shape(flat),
            () -> ClassicBloomFilter.builder(LONGS).shape(flat).expecting(9, 0.1),
            () -> BlockedBloomFilter.builder(LONGS).expecting(9, 0.1).shape(blocks),
            () -> BlockedBloomFilter.builder(LONGS).shape(blocks).expecting(9, 0.1),
            () -> CountingBloomFilter.builder(LONGS).expecting(9, 0.1).shape(flat),
            () -> CountingBloomFilter.builder(LONGS).shape(flat).expecting(9, 0.1),
            () -> BlockedCountingBloomFilter.builder(LONGS).expecting(9, 0.1).shape(blocks),
            () -> BlockedCountingBloomFilter.builder(LONGS).shape(blocks).expecting(9, 0.1),
            () -> ClassicBloomFilter.builder(LONGS).expecting(9, 0.1).plan(PLAN),
            () -> CountingBloomFilter.builder(LONGS).plan(PLAN).expecting(9, 0.1))) {
      assertThrows(IllegalStateException.class, both);
    }
  }

  @Test
  void planIsNoPartOfTheContents() {
    FlatShape shape = Shape.of(ELEMENTS, 0.01);
    ClassicBloomFilter<Long> planned =
        ClassicBloomFilter.builder(LONGS).shape(shape).plan(PLAN).build();
    ClassicBloomFilter<Long> other = ClassicBloomFilter.builder(LONGS).shape(shape).build();
    assertEquals(planned, other);
    assertEquals(planned.hashCode(), other.hashCode());
    assertEquals(planned.contents().fingerprint(), other.contents().fingerprint());
  }

  @Test
  void bytesOfMergedFiltersDoNotDependOnTheOrder() {
    FlatShape shape = Shape.of(ELEMENTS, 0.01);
    ClassicBloomFilter<Long> planned =
        ClassicBloomFilter.builder(LONGS).shape(shape).plan(PLAN).build();
    planned.addLong(1);
    ClassicBloomFilter<Long> other = ClassicBloomFilter.builder(LONGS).shape(shape).build();
    other.addLong(2);
    ClassicBloomFilter<Long> first = planned.copy();
    first.merge(other);
    ClassicBloomFilter<Long> second = other.copy();
    second.merge(planned);
    assertEquals(Optional.of(PLAN), second.plan());
    assertArrayEquals(first.toBytes(), second.toBytes());
    other.intersect(planned);
    assertEquals(Optional.of(PLAN), other.plan());
  }

  @Test
  void convertedAndMappedFiltersKeepThePlan() throws IOException {
    CountingBloomFilter<Long> counting = CountingBloomFilter.create(LONGS, ELEMENTS, 0.01);
    ClassicBloomFilter<Long> classic = counting.toClassic();
    assertEquals(Optional.of(PLAN), classic.plan());
    assertEquals(
        Optional.of(PLAN),
        BlockedCountingBloomFilter.create(LONGS, ELEMENTS, 0.01).toBlocked().plan());
    Path file = directory.resolve("classic");
    classic.writeMappableTo(file);
    try (var mapped = ClassicBloomFilter.openMapped(file, LONGS)) {
      assertEquals(Optional.of(PLAN), mapped.plan());
      assertFalse(mapped.isOverfull());
    }
  }

  @Test
  void headroomOfAGrowingFilterEndsWithItsNewestLayer() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 100, 0.01);
    long element = 0;
    while (filter.headroom() > 0) {
      assertEquals(1, filter.layerCount());
      filter.addLong(element++);
    }
    assertTrue(element >= 90, "took " + element + " elements");
    while (filter.layerCount() == 1) {
      filter.addLong(element++);
    }
    assertTrue(filter.headroom() > 0);
  }
}
