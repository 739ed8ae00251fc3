package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
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
import io.bloomkit.formattests.FileChecks;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.format.ContentsDelta;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.interop.dcso.DcsoBloomFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import io.bloomkit.interop.guava.MappedGuavaFilter;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.testkit.internal.AllocatedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes that a coverage-guided fuzzer makes up meet every reader, and what is a delta is applied.
 * In the ordinary build these are the seeds and the files of the corpus only; this searches for
 * others for ten minutes, and what it finds in {@code bloom-cli/.cifuzz-corpus} is copied to {@code
 * FilterFilesFuzzTestInputs/everyReader}:
 *
 * <pre>{@code
 * JAZZER_FUZZ=1 mvn -Pdeep test -Djazzer.hooks=true -pl bloom-cli -am \
 *     -Dtest=FilterFilesFuzzTest -Dsurefire.failIfNoSpecifiedTests=false
 * }</pre>
 *
 * It stands here because this module sees all filters.
 */
class FilterFilesFuzzTest {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static final GuavaFunnel<Long> GUAVA = GuavaFunnel.longs();

  private static final HashStrategy<Long> PARQUET = ParquetStrategies.int64();

  private static final SparkType<Long> SPARK = SparkType.longs();

  private static final List<FileChecks.Reader<StorableFilter<Long>>> READERS =
      List.of(
          in -> ClassicBloomFilter.readFrom(in, LONGS),
          in -> BlockedBloomFilter.readFrom(in, LONGS),
          in -> CountingBloomFilter.readFrom(in, LONGS),
          in -> BlockedCountingBloomFilter.readFrom(in, LONGS),
          in -> CuckooFilter.readFrom(in, LONGS),
          in -> DynamicCuckooFilter.readFrom(in, LONGS),
          in -> ExpiringCuckooFilter.readFrom(in, LONGS),
          in -> ScalableBloomFilter.readFrom(in, LONGS));

  /** What deltas are applied to: bits alone, a side table besides, and numbers alone. */
  private static final List<StorableFilter<Long>> BASES =
      List.of(
          filled(ClassicBloomFilter.builder(LONGS).shape(new FlatShape(2000, 7)).build(), 200),
          crowded(CountingBloomFilter.builder(LONGS).shape(new FlatShape(500, 5)).build()),
          crowded(DynamicCuckooFilter.create(LONGS, 40, 0.01)));

  /** How many files take turns, since a mapped one should not be replaced soon. */
  private static final int FILES = 64;

  @TempDir private static Path folder = Path.of("");

  private static int files;

  @BeforeAll
  static void aSearchIsInstrumented() {
    assertFalse(
        System.getenv("JAZZER_FUZZ") != null && "false".equals(System.getProperty("jazzer.hooks")),
        "without -Djazzer.hooks=true the fuzzer does not see what its bytes reach");
  }

  static Stream<byte[]> seeds() {
    Stream<byte[]> filters =
        Stream.<StorableFilter<Long>>of(
                filled(ClassicBloomFilter.builder(LONGS).shape(new FlatShape(1, 1)).build(), 3),
                filled(ClassicBloomFilter.builder(LONGS).shape(new FlatShape(9585, 7)).build(), 1),
                ofUnknownCount(),
                filled(blocked(new BlockedShape(20, 512, 6)), 1),
                filled(blocked(new BlockedShape(12, 128, 4)), 114),
                filled(CountingBloomFilter.builder(LONGS).shape(new FlatShape(500, 5)).build(), 1),
                filled(BlockedCountingBloomFilter.create(LONGS, 10, 0.01), 1),
                crowded(BlockedCountingBloomFilter.create(LONGS, 40, 0.01)),
                filled(CuckooFilter.create(LONGS, 40, 0.01), 1),
                filled(CuckooFilter.create(LONGS, 40, 0.000_01), 30),
                filled(DynamicCuckooFilter.create(LONGS, 40, 0.01), 0),
                filled(DynamicCuckooFilter.create(LONGS, 40, 1e-9), 30),
                filled(DynamicCuckooFilter.create(LONGS, 40, 0.5), 60),
                crowded(DynamicCuckooFilter.create(LONGS, 40, 0.01)),
                filled(ScalableBloomFilter.create(LONGS, 20, 0.01), 0),
                filled(ScalableBloomFilter.create(LONGS, 20, 0.01), 150),
                expiring(0),
                expiring(60))
            .map(StorableFilter::toBytes);
    Stream<byte[]> deltas = BASES.stream().flatMap(FilterFilesFuzzTest::fileAndDelta);
    return Stream.of(filters, deltas, guavas(), foreign()).flatMap(Function.identity());
  }

  /** Filters of Guava in this library's format, one in Guava's own, and a delta. */
  private static Stream<byte[]> guavas() {
    GuavaBloomFilter<Long> filter = GuavaBloomFilter.create(GUAVA, 100, 0.01);
    byte[] empty = filter.contents().toBytes();
    filter.add(0L);
    byte[] sparse = filter.contents().toBytes();
    LongStream.range(0, 100).forEach(filter::add);
    byte[] planned = filter.contents().toBytes();
    byte[] guavas = filter.toBytes();
    FilterContents before = filter.copy().contents();
    filter.add(1000L);
    byte[] delta = ContentsDelta.between(before, filter.contents()).contents().toBytes();
    return Stream.of(empty, sparse, planned, guavas, delta);
  }

  /** Filters of Parquet and, of either version, of Spark. */
  private static Stream<byte[]> foreign() {
    return Stream.of(
        filled(ParquetBloomFilter.create(PARQUET, 1, 0.01), 1).toBytes(),
        filled(ParquetBloomFilter.create(PARQUET, 100, 0.01), 100).toBytes(),
        filled(SparkBloomFilter.create(SparkVersion.V1, SPARK, 30, 0.01), 30).toBytes(),
        filled(SparkBloomFilter.create(SparkVersion.V2, SPARK, 30, 0.01), 30).toBytes());
  }

  private static Stream<byte[]> fileAndDelta(StorableFilter<Long> base) {
    byte[] file = base.toBytes();
    FilterKind kind = FilterKind.of(FilterContents.of(base).header().variant()).orElseThrow();
    StorableFilter<Long> changed;
    try {
      changed = kind.<Long>fromBytes(file, LONGS);
    } catch (FilterFormatException e) {
      throw new AssertionError("a filter does not read what it wrote", e);
    }
    LongStream.range(1000, 1010).forEach(element -> kind.addHash(changed, LONGS.hash(element)));
    return Stream.of(file, Delta.between(base, changed).toBytes());
  }

  private static BlockedBloomFilter<Long> blocked(BlockedShape shape) {
    return BlockedBloomFilter.builder(LONGS).shape(shape).build();
  }

  private static StorableFilter<Long> ofUnknownCount() {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(1000, 5)).build();
    filled(filter, 90);
    filter.intersect(filter.copy());
    return filter;
  }

  private static <F extends InsertableFilter<Long>> F filled(F filter, int elements) {
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static ExpiringCuckooFilter<Long> expiring(int elements) {
    ExpiringCuckooFilter<Long> filter =
        ExpiringCuckooFilter.builder(LONGS)
            .expecting(40, 0.01)
            .expireAfterAdd(Duration.ofDays(1))
            .clock(InstantSource.fixed(Instant.EPOCH))
            .build();
    for (long i = 0; i < elements; i++) {
      filter.add(i);
      filter.advanceTo(Instant.EPOCH.plusSeconds(i * 1_000));
    }
    return filter;
  }

  /** With counters above 15. */
  private static <F extends InsertableFilter<Long>> F crowded(F filter) {
    for (int i = 0; i < 20; i++) {
      filled(filter, 10);
    }
    return filter;
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10m") // the last of all, or Jazzer refuses to search
  @Tag("deep")
  void everyReader(byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      return; // what the fuzzer calls the empty input in the ordinary build
    }
    for (FileChecks.Reader<StorableFilter<Long>> reader : READERS) {
      FileChecks.anyBytesAreRefusedOrSound(bytes, reader, StorableFilter::toBytes);
    }
    FileChecks.Reader<GuavaBloomFilter<Long>> guavas = in -> GuavaBloomFilter.readFrom(in, GUAVA);
    FileChecks.anyBytesAreRefusedOrSound(bytes, guavas, GuavaBloomFilter::toBytes);
    FileChecks.anyBytesAreRefusedOrSound(bytes, guavas, filter -> filter.contents().toBytes());
    FileChecks.Reader<ParquetBloomFilter<Long>> parquets =
        in -> ParquetBloomFilter.readFrom(in, PARQUET);
    FileChecks.Reader<SparkBloomFilter<Long>> sparks = in -> SparkBloomFilter.readFrom(in, SPARK);
    FileChecks.anyBytesAreRefusedOrSound(bytes, parquets, ParquetBloomFilter::toBytes);
    FileChecks.anyBytesAreRefusedOrSound(bytes, sparks, SparkBloomFilter::toBytes);
    FileChecks.anyBytesAreRefusedOrSound(
        bytes, DcsoBloomFilter::readFrom, DcsoBloomFilter::toBytes);
    FileChecks.anyBytesAreRefusedOrSound(
        bytes, FilterFilesFuzzTest::readAndApplied, delta -> delta.contents().toBytes());
    bytesOfGuavaAreMappedAsTheyAreRead(bytes);
  }

  private static void bytesOfGuavaAreMappedAsTheyAreRead(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("mapped" + files++ % FILES), bytes);
    GuavaBloomFilter<Long> read = null;
    if (bytes.length > 0 && bytes[0] != FilterHeader.FIRST_BYTE) {
      try {
        read = GuavaBloomFilter.fromBytes(bytes, GUAVA);
      } catch (FilterFormatException e) {
        // it must not be mapped either
      }
    }
    assertTakesLittle(bytes, () -> GuavaBloomFilter.openMapped(file, GUAVA).close());
    try (MappedGuavaFilter<Long> mapped = GuavaBloomFilter.openMapped(file, GUAVA)) {
      assertNotNull(read, "mapped but not read");
      assertEquals(read.setPositions(), mapped.setPositions());
      for (long element = -100; element < 100; element++) {
        assertEquals(read.mightContain(element), mapped.mightContain(element));
      }
    } catch (FilterFormatException e) {
      assertNull(read, "read but not mapped");
    }
  }

  /** Opens a file twice, since the first time classes are loaded. */
  private static void assertTakesLittle(byte[] bytes, Opening opening) throws IOException {
    long before = 0;
    for (int i = 0; i < 2; i++) {
      before = AllocatedBytes.ofThisThread();
      try {
        opening.open();
      } catch (FilterFormatException e) {
        // damaged
      }
    }
    long allocated = AllocatedBytes.ofThisThread() - before;
    long most = FileChecks.MEMORY_PER_BYTE * bytes.length + FileChecks.MEMORY_AT_ONCE;
    assertTrue(allocated <= most, bytes.length + " bytes took " + allocated);
  }

  private interface Opening {
    void open() throws IOException;
  }

  /** Reads a delta, and applies it: to what it was made for, if that is a base. */
  private static ContentsDelta readAndApplied(InputStream in) throws IOException {
    ContentsDelta delta = FilterReader.readFrom(in, ContentsDelta::read);
    for (StorableFilter<Long> base : BASES) {
      FilterContents contents = FilterContents.of(base);
      try {
        assertEquals(delta.resultFingerprint(), delta.apply(contents).fingerprint());
      } catch (IllegalArgumentException e) {
        assertEquals(contents.fingerprint(), FilterContents.of(base).fingerprint());
      }
    }
    return delta;
  }
}
