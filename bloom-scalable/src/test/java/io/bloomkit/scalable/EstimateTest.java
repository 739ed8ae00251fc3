package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Estimates from a sample have the standard error that they state, are exact where they say so, and
 * read no more than they may.
 */
class EstimateTest {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();
  private static final double FPP = 0.01;

  /** Elements of a filter of bits of 512 lines and more, of which 128 are read. */
  private static final int ELEMENTS = 30_000;

  private static final int LINES = 128;

  /**
   * Filters of layers are larger, and more lines of them are read, since each layer gets a part.
   */
  private static final int SCALABLE_FACTOR = 2;

  /**
   * A filter to test: a kind with its options.
   *
   * @param maker makes one for a number of elements, which holds them
   */
  private record Subject(String name, int times, Maker maker) {

    @Override
    public String toString() {
      return name;
    }
  }

  /** Names of the subjects whose errors are tested in the short run. */
  private static final Set<String> SHORT_RUN =
      Set.of("classic", "mapped blocked", "counting", "concurrent blocked counting");

  static List<Subject> shortRunSubjects() {
    return subjects().stream().filter(subject -> SHORT_RUN.contains(subject.name)).toList();
  }

  static List<Subject> otherSubjects() {
    return subjects().stream().filter(subject -> !SHORT_RUN.contains(subject.name)).toList();
  }

  static List<Subject> subjects() {
    return List.of(
        new Subject("classic", 1, n -> filled(ClassicBloomFilter.create(LONGS, n, FPP), n)),
        new Subject(
            "concurrent classic",
            1,
            n ->
                filled(
                    ClassicBloomFilter.builder(LONGS).expecting(n, FPP).concurrent().<Long>build(),
                    n)),
        new Subject(
            "mapped classic",
            1,
            n -> {
              ClassicBloomFilter<Long> filter = ClassicBloomFilter.create(LONGS, n, FPP);
              fill(filter, n);
              return mapped(filter::writeMappableTo, f -> ClassicBloomFilter.openMapped(f, LONGS));
            }),
        new Subject("blocked", 1, n -> filled(BlockedBloomFilter.create(LONGS, n, FPP), n)),
        new Subject(
            "concurrent blocked",
            1,
            n ->
                filled(
                    BlockedBloomFilter.builder(LONGS).expecting(n, FPP).concurrent().<Long>build(),
                    n)),
        new Subject(
            "mapped blocked",
            1,
            n -> {
              BlockedBloomFilter<Long> filter = BlockedBloomFilter.create(LONGS, n, FPP);
              fill(filter, n);
              return mapped(filter::writeMappableTo, f -> BlockedBloomFilter.openMapped(f, LONGS));
            }),
        new Subject(
            "blocked of quarters",
            1,
            n ->
                filled(
                    BlockedBloomFilter.builder(LONGS)
                        .shape(BlockedShape.ofCounters(n, FPP))
                        .<Long>build(),
                    n)),
        new Subject(
            "counting", 1, n -> filled(CountingBloomFilter.create(LONGS, n / 2, FPP), n / 2)),
        new Subject(
            "concurrent counting",
            1,
            n ->
                filled(
                    CountingBloomFilter.builder(LONGS)
                        .expecting(n / 2, FPP)
                        .concurrent()
                        .<Long>build(),
                    n / 2)),
        new Subject(
            "blocked counting",
            1,
            n -> filled(BlockedCountingBloomFilter.create(LONGS, n / 2, FPP), n / 2)),
        new Subject(
            "concurrent blocked counting",
            1,
            n ->
                filled(
                    BlockedCountingBloomFilter.builder(LONGS)
                        .expecting(n / 2, FPP)
                        .concurrent()
                        .<Long>build(),
                    n / 2)),
        new Subject(
            "parquet",
            1,
            n -> filled(ParquetBloomFilter.create(ParquetStrategies.int64(), n, FPP), n)),
        new Subject(
            "spark",
            1,
            n -> filled(SparkBloomFilter.create(SparkVersion.V2, SparkType.longs(), n, FPP), n)),
        new Subject(
            "scalable",
            SCALABLE_FACTOR,
            n -> filled(ScalableBloomFilter.create(LONGS, n / 4, FPP), n)));
  }

  private interface Maker {
    MembershipFilter<Long> make(int elements);
  }

  private interface Writer {
    void writeTo(Path file) throws IOException;
  }

  private interface Opener {
    MembershipFilter<Long> open(Path file) throws IOException;
  }

  @TempDir private static Path directory;

  private static SplittableRandom seeds = new SplittableRandom(0);

  private static void fill(InsertableFilter<Long> filter, int elements) {
    seeds.longs(elements).forEach(filter::addHash);
  }

  private static MembershipFilter<Long> filled(InsertableFilter<Long> filter, int elements) {
    fill(filter, elements);
    return filter;
  }

  private static MembershipFilter<Long> mapped(Writer writer, Opener opener) {
    try {
      Path file = Files.createTempFile(directory, "filter", ".bloom");
      writer.writeTo(file);
      return opener.open(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The errors of 400 estimates, each over the standard error stated with it. If those are right,
   * the sum of squares is χ² with 400 degrees of freedom, as errors are sums over many lines. Both
   * tails are tested at α = 10⁻⁸ together, where the mean square is in [0.65, 1.45]. A standard
   * error that is wrong by a factor of 1.5 either way gives a mean square of 2.25 or 0.44, with a
   * standard deviation of 0.07 of it: power above 0.9999, and the test shows that it refuses both.
   */
  @ParameterizedTest
  @MethodSource("shortRunSubjects")
  @Tag("deep")
  void errorsAreAsLargeAsTheStandardErrorSays(Subject subject, TestReporter reporter) {
    checkErrors(subject, reporter);
  }

  /** The same for all other subjects. */
  @Tag("campaign")
  @ParameterizedTest
  @MethodSource("otherSubjects")
  void errorsOfOtherSubjectsAreAsLargeAsTheStandardErrorSays(
      Subject subject, TestReporter reporter) {
    checkErrors(subject, reporter);
  }

  private static void checkErrors(Subject subject, TestReporter reporter) {
    int filters = 400;
    long seed = subject.name.hashCode();
    seeds = new SplittableRandom(seed);
    double[] squares = new double[3];
    for (int i = 0; i < filters; i++) {
      MembershipFilter<Long> filter = subject.maker.make(ELEMENTS * subject.times);
      FilterEstimate whole = filter.estimate(Integer.MAX_VALUE);
      FilterEstimate sample = filter.estimate(LINES * subject.times);
      squares[0] += square(sample, whole, FilterEstimate::fpp);
      squares[1] += square(sample, whole, FilterEstimate::fill);
      squares[2] += square(sample, whole, FilterEstimate::elements);
    }
    reporter.publishEntry("seed " + seed + ", mean squares of fpp, fill, elements", text(squares));
    assertAll(
        () -> assertTrue(isLikely(squares[0], filters), "fpp " + squares[0] / filters),
        () -> assertTrue(isLikely(squares[1], filters), "fill " + squares[1] / filters),
        () -> assertTrue(isLikely(squares[2], filters), "elements " + squares[2] / filters),
        () -> assertFalse(isLikely(squares[0] / 2.25, filters), "power, too large"),
        () -> assertFalse(isLikely(squares[0] * 2.25, filters), "power, too small"));
  }

  private static String text(double[] squares) {
    return String.format("%.3f %.3f %.3f", squares[0] / 400, squares[1] / 400, squares[2] / 400);
  }

  private static double square(
      FilterEstimate sample, FilterEstimate whole, Function<FilterEstimate, Value> of) {
    Value estimate = of.apply(sample);
    assertTrue(estimate.standardError() > 0 && Double.isFinite(estimate.standardError()));
    double error = (estimate.value() - of.apply(whole).value()) / estimate.standardError();
    return error * error;
  }

  private static boolean isLikely(double sumOfSquares, int degrees) {
    double p = new ChiSquaredDistribution(degrees).cumulativeProbability(sumOfSquares);
    return Math.min(p, 1 - p) > 0.5e-8;
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void theWholeIsExact(Subject subject) {
    seeds = new SplittableRandom(1);
    MembershipFilter<Long> filter = subject.maker.make(5_000);
    assertTrue(filter.memoryBytes() <= 1 << 18, () -> subject + " is beyond 256 KiB");
    FilterEstimate estimate = filter.estimate();
    assertEquals(filter.expectedFpp(), estimate.fpp().value(), 1e-12);
    assertEquals((double) filter.approximateElementCount(), estimate.elements().value(), 4);
    assertTrue(estimate.fill().value() > 0.1 && estimate.fill().value() < 0.6);
    for (Value value : new Value[] {estimate.fpp(), estimate.fill(), estimate.elements()}) {
      assertEquals(0, value.standardError());
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void aSampleOfNoLinesIsRefused(Subject subject) {
    seeds = new SplittableRandom(2);
    MembershipFilter<Long> filter = subject.maker.make(100);
    for (int lines : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertEquals(
          "lines must be at least 1, got " + lines,
          assertThrows(IllegalArgumentException.class, () -> filter.estimate(lines)).getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void exactFiltersRefuseItToo(int lines) {
    for (MembershipFilter<Long> filter : exactFilters()) {
      assertEquals(
          "lines must be at least 1, got " + lines,
          assertThrows(IllegalArgumentException.class, () -> filter.estimate(lines)).getMessage());
    }
  }

  private static MembershipFilter<Long>[] exactFilters() {
    @SuppressWarnings({"unchecked", "rawtypes"}) // Java makes no array of a generic type
    MembershipFilter<Long>[] filters =
        new MembershipFilter[] {
          CuckooFilter.<Long>create(LONGS, 100_000, FPP),
          DynamicCuckooFilter.<Long>create(LONGS, 100_000, FPP),
          ExpiringCuckooFilter.<Long>create(LONGS, 100_000, FPP, Duration.ofHours(1))
        };
    return filters;
  }

  @Test
  void exactFiltersAreExactFromOneLine() {
    for (MembershipFilter<Long> filter : exactFilters()) {
      for (long hash : LONGS.hashAll(Stream.iterate(0L, i -> i + 1).limit(50_000).toList())) {
        if (filter instanceof InsertableFilter<Long> insertable) {
          insertable.addHash(hash);
        } else {
          ((ExpiringCuckooFilter<Long>) filter).addHash(hash);
        }
      }
      FilterEstimate estimate = filter.estimate(1);
      assertEquals(Value.exact(filter.expectedFpp()), estimate.fpp());
      assertEquals(0, estimate.elements().standardError());
      assertEquals((double) filter.approximateElementCount(), estimate.elements().value(), 0.5);
    }
  }

  @Test
  void oneLineOfSeveralHasNoStandardError() {
    ClassicBloomFilter<Long> filter = ClassicBloomFilter.create(LONGS, 1_000, FPP);
    assertEquals(Double.POSITIVE_INFINITY, filter.estimate(1).fpp().standardError(), "no bit set");
    fill(filter, 1_000);
    FilterEstimate estimate = filter.estimate(1);
    assertEquals(0.5, estimate.fill().value(), 0.1);
    for (ToDoubleFunction<FilterEstimate> error :
        List.<ToDoubleFunction<FilterEstimate>>of(
            e -> e.fpp().standardError(),
            e -> e.fill().standardError(),
            e -> e.elements().standardError())) {
      assertEquals(Double.POSITIVE_INFINITY, error.applyAsDouble(estimate));
    }
  }

  @Test
  void anEmptyAndAFullFilterAreWhatTheyAre() {
    FlatShape shape = new FlatShape(1L << 23, 7);
    ClassicBloomFilter<Long> filter = ClassicBloomFilter.builder(LONGS).shape(shape).build();
    FilterEstimate nothing = new FilterEstimate(Value.exact(0), Value.exact(0), Value.exact(0));
    assertEquals(nothing, filter.estimate());
    long[] ones = new long[1 << 17];
    Arrays.fill(ones, -1);
    ClassicBloomFilter<Long> full = ClassicBloomFilter.builder(LONGS).shape(shape).buildFrom(ones);
    assertEquals(
        new FilterEstimate(Value.exact(1), Value.exact(1), Value.exact(Double.POSITIVE_INFINITY)),
        full.estimate());
  }
}
