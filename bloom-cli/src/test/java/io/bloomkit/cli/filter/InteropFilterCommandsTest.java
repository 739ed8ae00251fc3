package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on filters of Parquet and of Spark, beside the real ones. */
class InteropFilterCommandsTest {

  @TempDir private Path folder;

  private static final List<BloomFilter.Version> VERSIONS =
      List.of(BloomFilter.Version.V1, BloomFilter.Version.V2);

  private Path written(BloomFilter spark, String name) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      spark.writeTo(out);
    }
    return file;
  }

  @Test
  void filtersOfSparkAreInspectedQueriedAndMerged() throws IOException {
    for (BloomFilter.Version version : VERSIONS) {
      BloomFilter first = BloomFilter.create(version, 1000, 10_000, 0);
      BloomFilter second = BloomFilter.create(version, 1000, 10_000, 0);
      for (long i = 0; i < 500; i++) {
        first.putLong(i);
        second.putLong(10_000 + i);
      }
      Path one = written(first, "one");
      Path two = written(second, "two");
      String table = CommandRun.succeed("", "inspect", one).out();
      String kind = version == BloomFilter.Version.V1 ? "spark-v1" : "spark-v2";
      assertTrue(table.contains(kind) && table.contains("none"), table);
      String lines = "7\n10007\n123456789\n";
      assertEquals("7\n", FilterCommandsTest.check(one, lines, "--type", "int64"));
      Path both = folder.resolve("both");
      CommandRun.succeed("", "merge", one, two, "--force", "-o", both);
      assertEquals("7\n10007\n", FilterCommandsTest.check(both, lines, "--type", "int64"));
      try {
        first.mergeInPlace(second);
      } catch (Exception e) {
        throw new AssertionError("two of one size and version", e);
      }
      assertEquals(first, BloomFilter.readFrom(Files.readAllBytes(both)));
    }
    BloomFilter texts = BloomFilter.create(100);
    texts.putString("\u0416a");
    String line =
        new String("\u0416a\n".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    assertEquals(line, FilterCommandsTest.check(written(texts, "texts"), line + "b\n"));
  }

  @Test
  void filtersOfParquetAreInspectedQueriedAndMerged() throws IOException {
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    ParquetBloomFilter<Double> first =
        ParquetBloomFilter.create(ParquetStrategies.float64(), 100, 0.001);
    ParquetBloomFilter<Double> second = first.copy();
    first.add(0.25);
    second.add(-1e300);
    first.writeTo(one);
    second.writeTo(two);
    String table = CommandRun.succeed("", "inspect", one).out();
    assertTrue(table.contains("parquet") && table.contains("blocks"), table);
    String lines = "0.25\n-1E300\n7\n";
    assertEquals("0.25\n", FilterCommandsTest.check(one, lines, "--type", "double"));
    Path both = folder.resolve("both");
    CommandRun.succeed("", "merge", one, two, "-o", both);
    assertEquals("0.25\n-1E300\n", FilterCommandsTest.check(both, lines, "--type", "double"));
    first.merge(second);
    assertArrayEquals(first.toBytes(), Files.readAllBytes(both));
  }

  /** A program may store either zero, and NaN in many forms. */
  @Test
  void aZeroOfEitherSignAndNanMayBeInAFilterOfParquet() throws IOException {
    Path file = folder.resolve("zero");
    ParquetBloomFilter<Double> filter =
        ParquetBloomFilter.create(ParquetStrategies.float64(), 100, 0.001);
    filter.add(-0.0);
    filter.writeTo(file);
    String lines = "0\n-0.0\nNaN\n7\n";
    assertEquals("0\n-0.0\nNaN\n", FilterCommandsTest.check(file, lines, "--type", "double"));
  }

  @Test
  void builtFiltersAreReadByTheirLibraries() throws IOException {
    Path spark = CommandRun.build(folder, "spark-v2", "alice\nbob\n");
    BloomFilter sparks = BloomFilter.readFrom(Files.readAllBytes(spark));
    assertTrue(sparks.mightContainString("alice"));
    assertFalse(sparks.mightContainString("carol"));
    Path parquet = CommandRun.build(folder, "parquet", "alice\nbob\n");
    byte[] bitset =
        ParquetBloomFilter.fromBytes(Files.readAllBytes(parquet), ParquetStrategies.byteArray())
            .toBitset();
    BlockSplitBloomFilter parquets = new BlockSplitBloomFilter(bitset);
    assertTrue(parquets.findHash(parquets.hash(Binary.fromString("bob"))));
    assertFalse(parquets.findHash(parquets.hash(Binary.fromString("carol"))));
  }

  @Test
  void impossibleOperationsAreRefusedWithTheReason() throws IOException {
    Path spark = CommandRun.build(folder, "spark-v1", "a\n");
    String refusal =
        CommandRun.fail("", "convert", spark, "--to", "classic", "-o", folder.resolve("x"));
    assertTrue(
        refusal.contains(
            "spark-v1 filters cannot become classic; possible conversions: counting becomes"),
        refusal);
    assertTrue(refusal.contains("elements cannot be recovered from a filter"), refusal);
    assertTrue(
        CommandRun.fail("1\n", "check", spark, "--type", "double")
            .contains("a spark-v1 filter does not support elements of type double"));
    assertTrue(
        CommandRun.fail("1.5\n", "check", spark, "--type", "int64")
            .contains("'1.5' is not a value of type int64"));
    Path delta = folder.resolve("delta");
    assertTrue(
        CommandRun.fail("", "delta", spark, spark, "-o", delta)
            .contains("deltas require filters in this library's format, got a spark-v1 file"));
    Path other = CommandRun.build(folder, "spark-v2", "a\n");
    assertTrue(
        CommandRun.fail("", "merge", spark, other, "-o", folder.resolve("y"))
            .endsWith(" of kind spark-v2: build both with one --kind"));
    long end = Files.size(spark);
    Files.write(spark, new byte[3], StandardOpenOption.APPEND);
    assertTrue(
        CommandRun.fail("a\n", "check", spark)
            .contains("at byte " + end + ": the filter ends here, but 3 more bytes follow"));
    Files.write(spark, new byte[] {0, 0, 0, 1, 0});
    assertTrue(CommandRun.fail("a\n", "check", spark).contains("the input ends within the header"));
  }
}
