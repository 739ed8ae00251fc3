package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.dcso.DcsoBloomFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors of a heap without room state the bytes. Each test has a Java of its own of 128 MiB. */
class OutOfMemoryTest {

  private static String outputOf(int exitCode, Class<?> mainClass, Object... arguments)
      throws IOException, InterruptedException {
    Process process =
        JavaProcess.of(List.of(), mainClass, arguments).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(exitCode, process.waitFor(), output);
    return output;
  }

  @TempDir private Path folder;

  @Test
  void theCommandLineStatesThem() throws Exception {
    String output =
        outputOf(
            2,
            Bloom.class,
            "build",
            "--kind",
            "classic",
            "--items",
            "1000000000",
            "--output",
            folder.resolve("x.bloom"));
    assertTrue(output.startsWith("bloom: not enough memory: an array of 1"), output);
  }

  @Tag("deep")
  @Test
  void copiesAndBytesOfAllFiltersStateThem() throws Exception {
    List<String> lines = outputOf(0, FullHeap.class).lines().toList();
    assertEquals(15, lines.size(), lines.toString());
    for (String line : lines) {
      assertTrue(
          line.matches(".*: an? .* of \\d{8,} bytes does not fit into the Java heap, of .*"), line);
    }
  }

  /** Fills the heap beside each filter of some 12 MiB and then copies it. */
  static final class FullHeap {

    private static final int PIECE_BYTES = 1 << 22;
    private static final long BITS = 100_000_000;
    private static final HashStrategy<Long> LONGS = HashStrategies.longs();

    private FullHeap() {}

    public static void main(String[] arguments) {
      long[] words = new SplittableRandom(1).longs((BITS + 63) / 64).toArray();
      tryAll(
          "classic",
          ClassicBloomFilter.builder(LONGS)
              .shape(new FlatShape(64L * words.length, 7))
              .buildFrom(words),
          List.of(ClassicBloomFilter::copy, ClassicBloomFilter::toBytes));
      tryAll(
          "classic words",
          ClassicBloomFilter.builder(LONGS).shape(new FlatShape(BITS, 7)).<Long>build(),
          List.of(ClassicBloomFilter::toLongArray));
      tryAll(
          "blocked",
          BlockedBloomFilter.builder(LONGS)
              .shape(BlockedShape.ofBits(10_000_000, 0.01))
              .<Long>build(),
          List.of(BlockedBloomFilter::copy));
      tryAll(
          "counting",
          CountingBloomFilter.builder(LONGS).shape(new FlatShape(BITS / 2, 7)).<Long>build(),
          List.of(CountingBloomFilter::copy));
      tryAll(
          "scalable",
          ScalableBloomFilter.<Long>create(LONGS, 10_000_000, 0.01),
          List.of(ScalableBloomFilter::copy));
      tryAll(
          "cuckoo",
          CuckooFilter.<Long>create(LONGS, 10_000_000, 0.01),
          List.of(CuckooFilter::copy));
      tryAll(
          "dynamic",
          DynamicCuckooFilter.builder(LONGS).expecting(10_000_000, 0.01).allocated().<Long>build(),
          List.of(DynamicCuckooFilter::copy));
      tryAll(
          "guava",
          GuavaBloomFilter.<Long>create(GuavaFunnel.longs(), 10_000_000, 0.01),
          List.of(GuavaBloomFilter::copy, GuavaBloomFilter::toBytes));
      tryAll(
          "parquet",
          ParquetBloomFilter.<Long>create(ParquetStrategies.int64(), 10_000_000, 0.01),
          List.of(ParquetBloomFilter::copy));
      tryAll(
          "spark",
          SparkBloomFilter.<Long>create(SparkVersion.V2, SparkType.longs(), 10_000_000, 0.01),
          List.of(SparkBloomFilter::copy));
      tryAll(
          "dcso",
          DcsoBloomFilter.create(10_000_000, 0.01),
          List.of(DcsoBloomFilter::copy, DcsoBloomFilter::toBytes));
      tryAll(
          "allocated",
          DynamicCuckooFilter.builder(LONGS).expecting(200_000_000, 0.01).allocated(),
          List.of(builder -> builder.<Long>build()));
    }

    private interface Attempt<F> {
      Object by(F filter);
    }

    private static <F> void tryAll(String name, F filter, List<Attempt<F>> attempts) {
      for (Attempt<F> attempt : attempts) {
        List<byte[]> ballast = new ArrayList<>();
        try {
          while (true) {
            ballast.add(new byte[PIECE_BYTES]);
          }
        } catch (OutOfMemoryError e) {
          ballast.remove(0); // for all that is small
        }
        String message;
        try {
          message = "no error from " + attempt.by(filter).getClass();
        } catch (OutOfMemoryError e) {
          message = e.getMessage();
        }
        int pieces = ballast.size();
        ballast.clear();
        System.out.println(name + " beside " + pieces + " pieces: " + message);
      }
    }
  }
}
