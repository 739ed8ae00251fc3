package io.bloomkit.cli.interop;

import io.bloomkit.classic.spark.SparkBloomFilter;
import io.bloomkit.classic.spark.SparkType;
import io.bloomkit.classic.spark.SparkVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.apache.spark.util.sketch.BloomFilter;

/** A type of elements, as many of them as one likes, a version and a seed. */
record SparkCase<T>(
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

  static BloomFilter readBySpark(byte[] bytes) throws IOException {
    return BloomFilter.readFrom(bytes);
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
