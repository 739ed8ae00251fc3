package io.bloomkit.cli.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.JavaProcess;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetShape;
import io.bloomkit.interop.parquet.ParquetStrategies;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter of another library is read in little more memory than it takes. */
class MemoryOfReadingTest {
  private static final long BYTES = 64 << 20;

  /** What Java itself needs, and space that the collector cannot give to one array. */
  private static final long RESERVE_BYTES = 8 << 20;

  @TempDir private Path folder;

  enum Format {
    GUAVA {
      @Override
      Object read(InputStream in) throws IOException {
        return GuavaBloomFilter.readFrom(in, GuavaFunnel.longs());
      }

      @Override
      void write(OutputStream out) throws IOException {
        GuavaBloomFilter.create(GuavaFunnel.longs(), ELEMENTS, 0.01).writeTo(out);
      }
    },
    PARQUET {
      @Override
      Object read(InputStream in) throws IOException {
        return ParquetBloomFilter.readFrom(in, ParquetStrategies.int64());
      }

      @Override
      void write(OutputStream out) throws IOException {
        ParquetBloomFilter.create(ParquetStrategies.int64(), ParquetShape.ofBytes((int) BYTES))
            .writeTo(out);
      }
    },
    SPARK {
      @Override
      Object read(InputStream in) throws IOException {
        return SparkBloomFilter.readFrom(in, SparkType.longs());
      }

      @Override
      void write(OutputStream out) throws IOException {
        SparkBloomFilter.create(SparkVersion.V2, SparkType.longs(), ELEMENTS, 0.01).writeTo(out);
      }
    };

    private static final long ELEMENTS = 57_000_000; // of 9.59 bits

    abstract Object read(InputStream in) throws IOException;

    abstract void write(OutputStream out) throws IOException;

    /** Reads a file: the name of the format, the file. */
    public static void main(String[] arguments) throws IOException {
      try (InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(arguments[1])))) {
        System.out.println(valueOf(arguments[0]).read(in));
      }
    }
  }

  @Tag("deep")
  @ParameterizedTest
  @EnumSource
  void readingTakesFifteenPercentMoreThanTheFilterAtMost(Format format) throws Exception {
    Path file = folder.resolve("filter");
    try (OutputStream out = Files.newOutputStream(file)) {
      format.write(out);
    }
    assertTrue(Files.size(file) >= BYTES);
    long heap = (long) (1.15 * Files.size(file)) + (1 << 20) + RESERVE_BYTES;
    ProcessBuilder process = JavaProcess.of(List.of(), Format.class, format.name(), file);
    process.command().addAll(1, List.of("-Xmn2m"));
    process.command().replaceAll(word -> word.startsWith("-Xmx") ? "-Xmx" + heap : word);
    Process child = process.redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), output);
  }
}
