package io.bloomkit.interop.guava;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.interop.InteropBytesContract;
import io.bloomkit.testkit.internal.AllocatedBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What is no filter of Guava's is refused, whatever its header says. */
class GuavaBytesTest implements InteropBytesContract<GuavaBloomFilter<Long>> {

  private static final int HEADER_BYTES = 6;

  private static GuavaBloomFilter<Long> filterOf(int elements) {
    GuavaBloomFilter<Long> filter =
        GuavaBloomFilter.create(GuavaFunnel.longs(), Math.max(1, elements), 0.01);
    for (long i = 0; i < elements; i++) {
      filter.add(i);
    }
    return filter;
  }

  private static byte[] bytesOf(int elements) {
    return filterOf(elements).toBytes();
  }

  static byte[] header(int strategy, int hashes, int words) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .put((byte) strategy)
        .put((byte) hashes)
        .putInt(words)
        .array();
  }

  @Override
  public GuavaBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return GuavaBloomFilter.readFrom(in, GuavaFunnel.longs());
  }

  @Override
  public GuavaBloomFilter<Long> readFrom(Path file) throws IOException {
    return GuavaBloomFilter.readFrom(file, GuavaFunnel.longs());
  }

  @Override
  public GuavaBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return GuavaBloomFilter.fromBytes(bytes, GuavaFunnel.longs());
  }

  @Override
  public GuavaBloomFilter<Long> filter() {
    return filterOf(2000);
  }

  @Override
  public byte[] headerOfTheLargest() {
    return header(1, 7, Integer.MAX_VALUE - 8);
  }

  private void assertRefused(byte[] bytes, String... partsOfMessage) {
    for (String message :
        new String[] {
          assertThrows(IOException.class, () -> readFrom(new ByteArrayInputStream(bytes)))
              .toString(),
          assertThrows(IOException.class, () -> fromBytes(bytes)).toString()
        }) {
      for (String part : partsOfMessage) {
        assertTrue(message.contains(part), () -> "\"" + part + "\" is not in: " + message);
      }
    }
  }

  /** The reader takes eight KiB at a time and, after sixteen, twice as many as it has. */
  @Test
  void aLongFilterThatIsCutOffIsRefusedWhereItEnds() {
    byte[] bytes = bytesOf(40_000);
    int words = (bytes.length - HEADER_BYTES) / 8;
    assertTrue(words > 4 << 10);
    for (int chunk = 0; HEADER_BYTES + chunk < bytes.length; chunk += 8 << 10) {
      for (int more : new int[] {0, 1, 7, 8, 13}) {
        int length = HEADER_BYTES + chunk + more;
        assertRefused(
            Arrays.copyOf(bytes, length),
            "at byte " + length + ": ",
            "announces " + words + " words, " + bytes.length + " bytes in all");
      }
    }
  }

  @Test
  void everyOtherStrategyIsRefused() {
    byte[] bytes = bytesOf(10);
    for (int code = -128; code < 128; code++) {
      bytes[0] = (byte) code;
      if (code == FilterHeader.FIRST_BYTE) { // taken for this library's format
        assertRefused(bytes, "at byte 1: ", "not a file of Bloomkit");
      } else if (code != 0 && code != 1) {
        assertRefused(bytes, "at byte 0: ", "got " + code);
      }
    }
  }

  @Test
  void zeroHashesAreRefused() {
    byte[] bytes = bytesOf(10);
    bytes[1] = 0;
    assertRefused(bytes, "at byte 1: ", "hashes", "got 0");
  }

  @Test
  void lengthsThatNoFilterHasAreRefused() {
    for (int words :
        new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 7}) {
      byte[] bytes = Arrays.copyOf(header(1, 7, words), 100);
      assertRefused(bytes, "at byte 2: ", "words", "got " + words);
    }
    assertRefused(header(1, 7, Integer.MAX_VALUE - 8), "at byte 6: ", "2147483639 words");
  }

  @Test
  void aFlippedBitOfTheHeaderIsRefusedUnlessItMakesAnotherFilter() throws IOException {
    byte[] bytes = bytesOf(10);
    for (int bit = 0; bit < 8 * HEADER_BYTES; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      boolean isFilter = bit == 0 || (bit / 8 == 1 && flipped[1] != 0);
      if (isFilter) { // the other strategy, or another number of hashes
        assertArrayEquals(
            flipped, GuavaBloomFilter.fromBytes(flipped, GuavaFunnel.longs()).toBytes());
      } else {
        assertThrows(
            IOException.class, () -> GuavaBloomFilter.fromBytes(flipped, GuavaFunnel.longs()));
      }
    }
  }

  @Test
  void javaSerializationIsToldApart() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject("a filter");
    }
    assertRefused(bytes.toByteArray(), "serialization", "writeTo");
  }

  @Test
  void charsetThatOnlyDecodesIsRefused() {
    Charset decoder = Charset.forName("ISO-2022-CN");
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> GuavaFunnel.strings(decoder)).toString();
    assertTrue(refusal.contains("charset") && refusal.contains("ISO-2022-CN"), refusal);
  }

  @Test
  void operationsTakeNoMemory() {
    Long[] longs = new Long[100_000];
    Integer[] ints = new Integer[longs.length];
    String[] texts = new String[longs.length];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = (long) i;
      ints[i] = i;
      texts[i] = GuavaCase.text(i, 1 << Character.SIZE);
    }
    assertNoMemory(GuavaFunnel.longs(), longs);
    assertNoMemory(GuavaFunnel.ints(), ints);
    assertNoMemory(GuavaFunnel.unencodedChars(), texts);
  }

  private static <T> void assertNoMemory(GuavaFunnel<? super T> funnel, T[] elements) {
    GuavaBloomFilter<T> filter = GuavaBloomFilter.create(funnel, elements.length, 0.01);
    use(filter, elements);
    long before = AllocatedBytes.ofThisThread();
    int sum = use(filter, elements);
    long allocated = AllocatedBytes.ofThisThread() - before;
    assertTrue(allocated < elements.length, funnel + " took " + allocated);
    assertEquals(elements.length, sum);
  }

  private static <T> int use(GuavaBloomFilter<T> filter, T[] elements) {
    int sum = 0;
    for (T element : elements) {
      sum += filter.add(element) ? 1 : 0;
      sum += filter.mightContain(element) ? 1 : 0;
    }
    return sum;
  }
}
