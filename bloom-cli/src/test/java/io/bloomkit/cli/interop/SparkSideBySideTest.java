package io.bloomkit.cli.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A {@link SparkBloomFilter} and a filter of the real Spark, side by side. */
class SparkSideBySideTest {

  /** A type of elements, as many of them as one likes, a version and a seed. */
  private record SparkCase<T>(
      SparkType<? super T> type, LongFunction<T> elements, SparkVersion version, int seed) {

    static List<SparkCase<?>> all() {
      List<SparkCase<?>> cases = new ArrayList<>();
      for (int seed : new int[] {0, 1, -77}) {
        for (SparkVersion version : SparkVersion.values()) {
          if (seed == 0 || version == SparkVersion.V2) {
            cases.add(longs(version, seed));
            cases.add(new SparkCase<>(SparkType.strings(), SparkCase::text, version, seed));
            cases.add(
                new SparkCase<>(
                    SparkType.binary(),
                    i -> text(i).getBytes(StandardCharsets.UTF_16LE),
                    version,
                    seed));
          }
        }
      }
      return cases;
    }

    static SparkCase<Long> longs(SparkVersion version, int seed) {
      return new SparkCase<>(SparkType.longs(), i -> i * 0x9e3779b97f4a7c15L, version, seed);
    }

    /** Of any length below 40; half of them ASCII, the others with bytes above 127. */
    private static String text(long i) {
      SplittableRandom random = new SplittableRandom(i);
      int bound = (i & 1) == 0 ? 0x80 : 0xd800;
      char[] chars = new char[random.nextInt(40)];
      for (int j = 0; j < chars.length; j++) {
        chars[j] = (char) random.nextInt(bound);
      }
      return i + new String(chars);
    }

    T element(long i) {
      return elements.apply(i);
    }

    BloomFilter spark(long expectedItems, long bits) {
      return BloomFilter.create(sparksVersion(), expectedItems, bits, seed);
    }

    private BloomFilter.Version sparksVersion() {
      return version == SparkVersion.V1 ? BloomFilter.Version.V1 : BloomFilter.Version.V2;
    }

    SparkBloomFilter<T> read(byte[] bytes) throws IOException {
      return SparkBloomFilter.readFrom(new ByteArrayInputStream(bytes), type);
    }

    static byte[] bytesOf(BloomFilter filter) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream((int) (filter.bitSize() / 8 + 16));
      filter.writeTo(out);
      return out.toByteArray();
    }

    @Override
    public String toString() {
      return type + " of " + version + " with seed " + seed;
    }
  }

  @TestFactory
  Stream<DynamicTest> elementsAreAnsweredForAsSparkDoes() {
    return SparkCase.all().stream()
        .map(side -> DynamicTest.dynamicTest(side.toString(), () -> fillBothAndCompare(side)));
  }

  /** Both are filled by themselves and read by the other. */
  private static <T> void fillBothAndCompare(SparkCase<T> side) throws Exception {
    int count = 10_000;
    BloomFilter spark = side.spark(count, 8L * count);
    SparkBloomFilter<T> ours = side.read(SparkCase.bytesOf(spark));
    for (int i = 0; i < count; i++) {
      T element = side.element(i);
      assertEquals(spark.put(element), ours.add(element));
    }
    byte[] written = SparkCase.bytesOf(spark);
    assertArrayEquals(written, ours.toBytes());
    SparkBloomFilter<T> read = side.read(written);
    assertEquals(ours, read);
    assertEquals(spark.expectedFpp(), read.expectedFpp(), 1e-14);
    assertEquals(spark.bitSize(), read.positions());
    BloomFilter readBySpark = BloomFilter.readFrom(ours.toBytes());
    int falsePositives = 0;
    for (int i = 0; i < 2 * count; i++) {
      T element = side.element(i);
      boolean answer = read.mightContain(element);
      if (answer != readBySpark.mightContain(element) || (i < count && !answer)) {
        throw new AssertionError(side + ": element " + i + " is answered for by " + answer);
      }
      falsePositives += i >= count && answer ? 1 : 0;
    }
    // 2 %: none or all would show nothing.
    assertTrue(
        falsePositives > count / 100 && falsePositives < count / 20,
        "positives: " + falsePositives);
  }

  @Test
  void everyNumberOfWordsAndManyNumbersOfHashesAreAsInSpark() throws Exception {
    for (SparkVersion version : SparkVersion.values()) {
      for (int words = 1; words < 200; words++) {
        BloomFilter spark = SparkCase.longs(version, 0).spark(words % 90 + 1, 64L * words);
        SparkBloomFilter<Long> ours = SparkCase.longs(version, 0).read(SparkCase.bytesOf(spark));
        for (long i = 0; i < 10; i++) {
          assertEquals(spark.mightContainLong(i), ours.mightContain(i));
          assertEquals(spark.putLong(i), ours.add(i));
        }
        assertArrayEquals(SparkCase.bytesOf(spark), ours.toBytes());
      }
    }
  }

  /** Version 1 sets no bit there, version 2 does. */
  @Tag("deep")
  @Test
  void positionsAboveTwoToThe31AreThoseOfSpark() throws Exception {
    int words = (1 << 25) + (1 << 23); // a fifth of the positions lies above
    for (SparkVersion version : SparkVersion.values()) {
      int[] fields =
          version == SparkVersion.V1 ? new int[] {1, 7, words} : new int[] {2, 7, 3, words};
      ByteBuffer header = ByteBuffer.allocate(fields.length * Integer.BYTES);
      Arrays.stream(fields).forEach(header::putInt);
      BloomFilter spark = BloomFilter.readFrom(withZeros(header.array()));
      SparkBloomFilter<Long> ours =
          SparkBloomFilter.readFrom(withZeros(header.array()), SparkType.longs());
      for (long i = 0; i < 20_000; i++) {
        assertEquals(spark.putLong(i), ours.add(i));
        assertEquals(spark.mightContainLong(-i), ours.mightContain(-i));
      }
      CRC32 sparks = new CRC32();
      try (OutputStream out = // Spark writes word by word
          new BufferedOutputStream(
              new CheckedOutputStream(OutputStream.nullOutputStream(), sparks))) {
        spark.writeTo(out);
      }
      CRC32 written = new CRC32();
      ours.writeTo(new CheckedOutputStream(OutputStream.nullOutputStream(), written));
      assertEquals(sparks.getValue(), written.getValue());
      assertEquals(140_000, (double) ours.setPositions(), 20);
      double factor = version == SparkVersion.V1 ? Math.pow(5 / 4.0, 7) : 1;
      assertEquals(factor * spark.expectedFpp(), ours.expectedFpp(), 1e-9 * ours.expectedFpp());
      assertEquals(20_000, (double) ours.approximateElementCount(), 10);
      assertEquals(ours.expectedFpp(), ours.fpp(20_000), 0.01 * ours.expectedFpp());
    }
  }

  /** Returns bytes followed by endless zeros. */
  private static InputStream withZeros(byte[] bytes) {
    return new SequenceInputStream(
        new ByteArrayInputStream(bytes),
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            Arrays.fill(buffer, offset, offset + length, (byte) 0);
            return length;
          }
        });
  }
}
