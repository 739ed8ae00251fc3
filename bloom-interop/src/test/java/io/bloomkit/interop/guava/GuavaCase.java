package io.bloomkit.interop.guava;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/** A funnel of Guava's, ours for it, a strategy, and as many random elements as one likes. */
record GuavaCase<T>(
    String name,
    Funnel<? super T> guavas,
    GuavaFunnel<? super T> ours,
    LongFunction<T> elements,
    byte strategy) {

  static final byte MITZ_32 = 0;
  static final byte MITZ_64 = 1;

  static final List<GuavaCase<?>> ALL =
      List.of(
          longs(MITZ_32),
          longs(MITZ_64),
          ints(MITZ_32),
          ints(MITZ_64),
          byteArrays(MITZ_32),
          byteArrays(MITZ_64),
          chars(MITZ_32),
          chars(MITZ_64),
          utf8(MITZ_32),
          utf8(MITZ_64),
          latin1(MITZ_64));

  static GuavaCase<Long> longs(byte strategy) {
    return new GuavaCase<>(
        "longs", Funnels.longFunnel(), GuavaFunnel.longs(), i -> i * 0x9e3779b97f4a7c15L, strategy);
  }

  private static GuavaCase<Integer> ints(byte strategy) {
    return new GuavaCase<>(
        "ints", Funnels.integerFunnel(), GuavaFunnel.ints(), i -> (int) i * 0x9e3779b1, strategy);
  }

  private static GuavaCase<byte[]> byteArrays(byte strategy) {
    return new GuavaCase<>(
        "byte arrays",
        Funnels.byteArrayFunnel(),
        GuavaFunnel.byteArrays(),
        i -> {
          SplittableRandom random = new SplittableRandom(i);
          byte[] bytes = new byte[random.nextInt(40)];
          random.nextBytes(bytes);
          return bytes;
        },
        strategy);
  }

  private static GuavaCase<String> chars(byte strategy) {
    return new GuavaCase<>(
        "unencoded chars",
        Funnels.unencodedCharsFunnel(),
        GuavaFunnel.unencodedChars(),
        i -> text(i, 1 << Character.SIZE),
        strategy);
  }

  private static GuavaCase<String> utf8(byte strategy) {
    return new GuavaCase<>(
        "UTF-8",
        Funnels.stringFunnel(StandardCharsets.UTF_8),
        GuavaFunnel.strings(StandardCharsets.UTF_8),
        i -> text(i, 1 << Character.SIZE),
        strategy);
  }

  /** With some characters that this charset does not have. */
  private static GuavaCase<String> latin1(byte strategy) {
    return new GuavaCase<>(
        "ISO-8859-1",
        Funnels.stringFunnel(StandardCharsets.ISO_8859_1),
        GuavaFunnel.strings(StandardCharsets.ISO_8859_1),
        i -> text(i, 0x180),
        strategy);
  }

  /** Half of the texts are ASCII; the others have any code units below, surrogates alone too. */
  static String text(long i, int below) {
    SplittableRandom random = new SplittableRandom(i);
    int bound = (i & 1) == 0 ? 0x80 : below;
    char[] chars = new char[random.nextInt(40)];
    for (int j = 0; j < chars.length; j++) {
      chars[j] = (char) random.nextInt(bound);
    }
    return new String(chars);
  }

  T element(long i) {
    return elements.apply(i);
  }

  /** Guava makes filters of its newer strategy only, but reads, and then fills, both. */
  BloomFilter<T> guava(int expectedInsertions, double fpp) throws IOException {
    byte[] empty = bytesOf(BloomFilter.create(guavas, expectedInsertions, fpp));
    empty[0] = strategy;
    return readByGuava(empty);
  }

  BloomFilter<T> readByGuava(byte[] bytes) throws IOException {
    return BloomFilter.readFrom(new ByteArrayInputStream(bytes), guavas);
  }

  GuavaBloomFilter<T> read(byte[] bytes) throws IOException {
    return GuavaBloomFilter.readFrom(new ByteArrayInputStream(bytes), ours);
  }

  static byte[] bytesOf(BloomFilter<?> filter) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    filter.writeTo(bytes);
    return bytes.toByteArray();
  }

  @Override
  public String toString() {
    return name + " by strategy " + strategy;
  }
}
