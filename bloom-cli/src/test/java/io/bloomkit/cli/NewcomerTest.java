package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterFile;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer writes works, or fails with a message that names the remedy. */
class NewcomerTest {

  private static final HashStrategy<CharSequence> UTF_8 = HashStrategies.utf8();
  private static final Duration HOUR = Duration.ofHours(1);

  /** {@code var} makes a filter of CharSequence: it merges with one of String, both ways. */
  @Test
  void filtersOfVarMergeWithThoseOfStrings() throws Exception {
    var classic = ClassicBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    ClassicBloomFilter<String> classicOfStrings = ClassicBloomFilter.create(UTF_8, 100, 0.01);
    classic.add("a");
    classicOfStrings.merge(classic);
    classicOfStrings.intersect(classic);
    classic.merge(classicOfStrings);
    assertTrue(classicOfStrings.mightContain("a"));

    var blocked = BlockedBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    BlockedBloomFilter<String> blockedOfStrings = BlockedBloomFilter.create(UTF_8, 100, 0.01);
    blocked.add("a");
    blockedOfStrings.merge(blocked);
    blockedOfStrings.intersect(blocked);
    blocked.merge(blockedOfStrings);
    assertTrue(blockedOfStrings.mightContain("a"));

    var counting = CountingBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    CountingBloomFilter<String> countingOfStrings = CountingBloomFilter.create(UTF_8, 100, 0.01);
    counting.add("a");
    countingOfStrings.merge(counting);
    counting.merge(countingOfStrings);
    countingOfStrings.subtract(countingOfStrings.copy());
    assertEquals(2, counting.count("a"));

    var lines = BlockedCountingBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    BlockedCountingBloomFilter<String> linesOfStrings =
        BlockedCountingBloomFilter.create(UTF_8, 100, 0.01);
    lines.add("a");
    linesOfStrings.merge(lines);
    lines.merge(linesOfStrings);
    lines.subtract(linesOfStrings);
    assertEquals(1, lines.count("a"));

    var dynamic = DynamicCuckooFilter.create(HashStrategies.utf8(), 100, 0.01);
    DynamicCuckooFilter<String> dynamicOfStrings = DynamicCuckooFilter.create(UTF_8, 100, 0.01);
    dynamic.add("a");
    dynamicOfStrings.merge(dynamic);
    dynamic.merge(dynamicOfStrings);
    dynamic.subtract(dynamicOfStrings);
    assertEquals(1, dynamic.count("a"));

    var expiring = ExpiringCuckooFilter.create(HashStrategies.utf8(), 100, 0.01, HOUR);
    ExpiringCuckooFilter<String> expiringOfStrings =
        ExpiringCuckooFilter.create(UTF_8, 100, 0.01, HOUR);
    expiring.add("a");
    expiringOfStrings.merge(expiring);
    expiring.merge(expiringOfStrings);
    assertTrue(expiringOfStrings.mightContain("a"));

    var parquet = ParquetBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    ParquetBloomFilter<String> parquetOfStrings = ParquetBloomFilter.create(UTF_8, 100, 0.01);
    parquet.add("a");
    parquetOfStrings.merge(parquet);
    assertTrue(parquetOfStrings.mightContain("a"));

    var guava = GuavaBloomFilter.create(GuavaFunnel.strings(StandardCharsets.UTF_8), 100, 0.01);
    var guavaOfStrings =
        GuavaBloomFilter.<String>create(GuavaFunnel.strings(StandardCharsets.UTF_8), 100, 0.01);
    guava.add("a");
    guavaOfStrings.merge(guava);
    assertTrue(guavaOfStrings.mightContain("a"));

    var spark = SparkBloomFilter.create(SparkVersion.V1, SparkType.strings(), 100, 0.01);
    SparkBloomFilter<String> sparkOfStrings =
        SparkBloomFilter.create(SparkVersion.V1, SparkType.strings(), 100, 0.01);
    spark.add("a");
    sparkOfStrings.merge(spark);
    assertTrue(sparkOfStrings.mightContain("a"));
  }

  /** The elements of a buffer and of an array are the same; so their filters merge. */
  @Test
  void filtersOfBuffersMergeWithThoseOfArrays() {
    var arrays = ClassicBloomFilter.create(HashStrategies.bytes(), 100, 0.01);
    var buffers = ClassicBloomFilter.create(HashStrategies.byteBuffers(), 100, 0.01);
    arrays.add(new byte[] {1});
    buffers.merge(arrays);
    assertEquals(arrays.toString(), buffers.toString());
  }

  @Test
  void filtersOfOtherElementsAreRefused() {
    var strings = ClassicBloomFilter.create(UTF_8, 100, 0.01);
    var longs = ClassicBloomFilter.create(HashStrategies.longs(), 100, 0.01);
    assertRefused(
        "cannot merge: this filter has the strategy utf8(xxh3)#736c49625c35ae6d, other has"
            + " longs(rrmxmx)#"
            + Long.toHexString(HashStrategies.longs().fingerprint())
            + "; build both with one strategy",
        () -> strings.merge(longs));
    var cuckoos = DynamicCuckooFilter.create(UTF_8, 100, 0.01);
    var others = DynamicCuckooFilter.create(HashStrategies.bytes(), 100, 0.01);
    assertRefused(
        "cannot subtract: this filter has the strategy utf8(xxh3)#736c49625c35ae6d, other has"
            + " xxh3#ab5cd8d32ec439ae; build both with one strategy",
        () -> cuckoos.subtract(others));
  }

  @Test
  void otherSizesAreRefused() {
    assertRefused(
        "cannot merge: this filter has expected number 100 and rate 0.01, other has expected number"
            + " 200 and rate 0.01; build both with the same expected number and rate",
        () ->
            ClassicBloomFilter.create(UTF_8, 100, 0.01)
                .merge(ClassicBloomFilter.create(UTF_8, 200, 0.01)));
    assertRefused(
        "cannot merge: this filter has expected number 100 and rate 0.01, other has expected number"
            + " 200 and rate 0.01; build both with the same expected number and rate",
        () ->
            DynamicCuckooFilter.create(UTF_8, 100, 0.01)
                .merge(DynamicCuckooFilter.create(UTF_8, 200, 0.01)));
    assertRefused(
        "cannot merge: this is ExpiringCuckooFilter[expected=100, fpp=0.0100, timeToLive=PT1H,"
            + " entries=0, strategy=utf8(xxh3)], other is ExpiringCuckooFilter[expected=100,"
            + " fpp=0.0100, timeToLive=PT2H, entries=0, strategy=utf8(xxh3)]; build both with"
            + " the same strategy, expected number, rate and time to live",
        () ->
            ExpiringCuckooFilter.create(UTF_8, 100, 0.01, HOUR)
                .merge(ExpiringCuckooFilter.create(UTF_8, 100, 0.01, HOUR.plus(HOUR))));
    assertRefused(
        "cannot merge: this filter has positions=960, hashes=7, strategy=MURMUR128_MITZ_64,"
            + " funnel=longs, other has positions=960, hashes=7, strategy=MURMUR128_MITZ_64,"
            + " funnel=ints; build both with the same funnel, expected number and rate",
        () ->
            GuavaBloomFilter.create(GuavaFunnel.longs(), 100, 0.01)
                .merge(GuavaBloomFilter.create(GuavaFunnel.ints(), 100, 0.01)));
  }

  @Test
  void aDeltaOfTwoSizesIsRefused() {
    assertRefused(
        "a delta is between two versions of one filter, of one size, but base has 120 bytes and"
            + " changed 240; build both with the same options, or send the changed one as a whole",
        () ->
            Delta.between(
                ClassicBloomFilter.create(UTF_8, 100, 0.01),
                ClassicBloomFilter.create(UTF_8, 200, 0.01)));
  }

  @Test
  void nothingIsSubtractedThatWasNotAdded() {
    String message =
        "cannot subtract: other holds an element more often than this filter; subtract only what"
            + " was added to this filter";
    var counting = CountingBloomFilter.create(UTF_8, 100, 0.01);
    var counted = counting.copy();
    counted.add("a");
    assertRefused(message, () -> counting.subtract(counted));
    var blocked = BlockedCountingBloomFilter.create(UTF_8, 100, 0.01);
    var more = blocked.copy();
    more.add("a");
    assertRefused(message, () -> blocked.subtract(more));
    var dynamic = DynamicCuckooFilter.create(UTF_8, 100, 0.01);
    var larger = dynamic.copy();
    larger.add("a");
    assertRefused(message, () -> dynamic.subtract(larger));
  }

  @Test
  void aFileIsReadByTheStrategyThatFilledIt() {
    byte[] texts = ClassicBloomFilter.create(UTF_8, 100, 0.01).toBytes();
    assertRefused(
        "at byte 104: the filter was filled by strategy utf8(xxh3) but is to be read with xxh3 of"
            + " bytes: read it with HashStrategies.utf8()",
        () -> ClassicBloomFilter.fromBytes(texts, HashStrategies.bytes()));
    byte[] bytes = ClassicBloomFilter.create(HashStrategies.murmur3(5), 100, 0.01).toBytes();
    assertRefused(
        "at byte 104: the filter was filled by strategy murmur3(0x5) of bytes but is to be read"
            + " with utf8(xxh3): read it with the strategy that filled it",
        () -> ClassicBloomFilter.fromBytes(bytes, UTF_8));
  }

  @Test
  void aFaultInAFileNamesTheFileOnce(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("words.bloom"), new byte[] {1, 2, 3});
    String fault =
        file
            + ", at byte 0: not a file of Bloomkit: its mark has byte 0x01 in place of 0x89;"
            + " bloom-interop reads filters of Guava, Parquet, Spark and DCSO";
    for (Executable read :
        List.<Executable>of(
            () -> ClassicBloomFilter.readFrom(file, UTF_8),
            () -> ClassicBloomFilter.builder(UTF_8).concurrent().readFrom(file),
            () -> ClassicBloomFilter.openMapped(file, UTF_8),
            () -> BlockedBloomFilter.readFrom(file, UTF_8),
            () -> BlockedBloomFilter.openMapped(file, UTF_8),
            () -> CountingBloomFilter.readFrom(file, UTF_8),
            () -> BlockedCountingBloomFilter.readFrom(file, UTF_8),
            () -> CuckooFilter.readFrom(file, UTF_8),
            () -> DynamicCuckooFilter.readFrom(file, UTF_8),
            () -> ExpiringCuckooFilter.readFrom(file, UTF_8),
            () -> ScalableBloomFilter.readFrom(file, UTF_8),
            () -> Delta.readFrom(file))) {
      assertRefused(fault, read);
    }
    assertRefused(
        file
            + ", at byte 3: not the bytes of a Guava BloomFilter: the input ends within the header"
            + " of 6 bytes",
        () -> GuavaBloomFilter.openMapped(file, GuavaFunnel.longs()));
  }

  @Test
  void aStrategyThatDiffersFromThatOfTheFileNamesTheFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("words.bloom");
    ClassicBloomFilter.create(UTF_8, 100, 0.01).writeTo(file);
    assertRefused(
        file
            + ", at byte 104: the filter was filled by strategy utf8(xxh3) but is to be read with"
            + " xxh3 of bytes: read it with HashStrategies.utf8()",
        () -> ClassicBloomFilter.readFrom(file, HashStrategies.bytes()));
    assertRefused(
        file
            + ", at byte 48: the filter has expected number 100 and rate 0.01, the builder asks for"
            + " expected number 10 and rate 0.01: build it with what it has",
        () -> ClassicBloomFilter.builder(UTF_8).expecting(10, 0.01).readFrom(file));
  }

  @Test
  void aFolderOfADurableFilterIsNoFile(@TempDir Path folder) throws IOException {
    DurableFilter.create(folder, ClassicBloomFilter.create(UTF_8, 100, 0.01));
    String fault =
        folder
            + ": it is the folder of a durable filter: open it by DurableFilter.open of"
            + " bloom-durable";
    assertRefused(fault, () -> ClassicBloomFilter.readFrom(folder, UTF_8));
    assertRefused(fault, () -> FilterFile.inspect(folder));
  }

  @Test
  void filtersOfTwoKindsAreNamedByTheirKinds() {
    assertRefused(
        "cannot merge: both must be filters of one kind, got ClassicBloomFilter and"
            + " BlockedBloomFilter",
        () ->
            ClassicBloomFilter.KIND.merge(
                ClassicBloomFilter.create(UTF_8, 100, 0.01),
                BlockedBloomFilter.create(UTF_8, 100, 0.01)));
    assertRefused(
        "cannot merge: this filter has 5 blocks, other has 9 blocks; build both with the same"
            + " expected number and rate",
        () ->
            ParquetBloomFilter.create(UTF_8, 100, 0.01)
                .merge(ParquetBloomFilter.create(UTF_8, 200, 0.01)));
  }

  @Test
  void wrongNumbersAndRatesAreRefused() {
    assertRefused(
        "expectedInsertions must be at least 0, got -1",
        () -> ScalableBloomFilter.create(UTF_8, -1, 0.01));
    assertRefused(
        "fpp must be in (0, 1), got 5.0; 1 % is 0.01",
        () -> ClassicBloomFilter.create(UTF_8, 100, 5.0));
    assertRefused(
        "fpp must be in (0, 1), got 5.0; 1 % is 0.01",
        () -> ScalableBloomFilter.create(UTF_8, 100, 5.0));
    assertEquals(
        "the filter has no size: call expecting(expectedInsertions, fpp) first",
        assertThrows(IllegalStateException.class, () -> ScalableBloomFilter.builder(UTF_8).build())
            .getMessage());
  }

  private static void assertRefused(String message, Executable call) {
    assertEquals(message, assertThrows(Exception.class, call).getMessage());
  }
}
