package io.bloomkit.formattests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.bloomkit.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks how a reader of the file format handles a valid file and corrupted copies of it. {@link
 * FileFormatContract} calls these checks for filters. Call them directly for other values that a
 * {@link io.bloomkit.internal.format.FilterReader} reads.
 *
 * <p>A reader must refuse invalid bytes by throwing a {@link FilterFormatException}. A check that
 * fails throws {@link AssertionError}. A check also fails if the reader throws an exception other
 * than {@code FilterFormatException}, or if a file that must be valid has no valid header. Checks
 * of memory need a Java runtime that counts the bytes allocated by a thread, such as HotSpot.
 */
public final class FileChecks {

  /** The number of heap bytes, 16, that a reader may allocate per byte that it has read. */
  public static final long MEMORY_PER_BYTE = 16;

  /**
   * The number of heap bytes, 64 KiB, that a reader may allocate in addition to {@link
   * #MEMORY_PER_BYTE} per byte read.
   */
  public static final long MEMORY_AT_ONCE = 64 << 10;

  /** The number of zeros after a forged header: more than a correct reader ever requests there. */
  private static final int ZEROS = 1 << 20;

  private FileChecks() {}

  /** Reads a value from a stream, and no byte after the value. */
  @FunctionalInterface
  public interface Reader<F> {

    /**
     * Reads a value.
     *
     * @throws IOException if the bytes are invalid; it is then a {@link FilterFormatException}
     */
    F readFrom(InputStream in) throws IOException;
  }

  /**
   * Checks that a reader reads a file and leaves the byte after the file unread, and that writing
   * the value gives the same bytes.
   */
  public static <F> void isReadAndWrittenBack(
      byte[] file, Reader<F> reader, Function<F, byte[]> toBytes) {
    try {
      ByteArrayInputStream in = new ByteArrayInputStream(Arrays.copyOf(file, file.length + 1));
      assertArrayEquals(file, toBytes.apply(reader.readFrom(in)));
      assertEquals(1, in.available(), "the reader must leave what follows");
    } catch (IOException e) {
      fail("a good file is refused", e);
    }
  }

  /**
   * Checks that a file is refused if it is cut to any shorter length, from 0 bytes to one byte less
   * than the whole file.
   */
  public static void noTruncationIsRead(byte[] file, Reader<?> reader) {
    for (int length = 0; length < file.length; length++) {
      isRefused(Arrays.copyOf(file, length), reader, "cut to " + length + " bytes");
    }
  }

  /** Checks that a file is refused if any one of its bits is flipped. */
  public static void noFlippedBitIsRead(byte[] file, Reader<?> reader) {
    for (long bit = 0; bit < 8L * file.length; bit++) {
      String change = "bit " + bit % 8 + " of byte " + bit / 8 + " flipped";
      isRefused(ForgedFile.withBitFlipped(file, bit), reader, change);
    }
  }

  /**
   * Checks how a reader handles arbitrary bytes, for fuzzers. The check passes the bytes to the
   * reader twice: unchanged, and with their checksums corrected. Each time, the reader must refuse
   * the bytes or return a value that can be written and read again. The reader must not allocate
   * more than {@link #readerTakesNoMoreMemoryThanItMay} allows.
   */
  public static <F> void anyBytesAreRefusedOrSound(
      byte[] bytes, Reader<F> reader, Function<F, byte[]> toBytes) {
    for (byte[] file : new byte[][] {bytes, ForgedFile.withChecksums(bytes)}) {
      F found = readOrNull(new ByteArrayInputStream(file), reader);
      assertTakesLittle(file, 0, 1 << 20, reader, () -> "these bytes");
      if (found != null) {
        isReadAndWrittenBack(toBytes.apply(found), reader, toBytes);
      }
    }
  }

  /**
   * Checks how a reader handles forged files. Each forged file is a changed copy of a valid file;
   * its checksums match the changed bytes. The reader must refuse each forged file or return a
   * value that can be written and read again. Some changes affect single bits and stored numeric
   * values, both in the header and in {@linkplain io.bloomkit.internal.format.FilterSection
   * sections}. Other changes affect the declared sizes, number and order of the sections that the
   * header lists.
   *
   * @return the number of forged files that the reader did not refuse
   */
  public static <F> int forgedFilesAreRefusedOrSound(
      byte[] file, Reader<F> reader, Function<F, byte[]> toBytes) {
    return (int)
        forgeries(file)
            .map(forged -> readOrNull(new ByteArrayInputStream(forged), reader))
            .filter(Objects::nonNull)
            .peek(found -> isReadAndWrittenBack(toBytes.apply(found), reader, toBytes))
            .count();
  }

  /**
   * Checks that a file is refused if its header lists the wrong {@linkplain
   * io.bloomkit.internal.format.FilterSection sections}: two entries are exchanged, one entry is
   * missing, or one entry is repeated.
   */
  public static void noOtherSectionsAreRead(byte[] file, Reader<?> reader) {
    ForgedFile forgery = forgery(file);
    forgery
        .sectionsInAnotherOrder()
        .forEach(forged -> isRefused(forged, reader, "sections exchanged"));
    forgery
        .otherNumbersOfSections()
        .forEach(forged -> isRefused(forged, reader, "another number of sections"));
  }

  /**
   * Checks that a reader never allocates more than {@link #MEMORY_PER_BYTE} times the number of
   * bytes that it has read, plus {@link #MEMORY_AT_ONCE}. Allocated bytes count even if they are
   * freed. The check reads the valid file in pieces of different sizes, and the forged files of
   * {@link #forgedFilesAreRefusedOrSound}. It also reads forged files whose header declares more or
   * larger sections than the valid file contains; zeros are appended to these files.
   */
  public static void readerTakesNoMoreMemoryThanItMay(byte[] file, Reader<?> reader) {
    readerTakesNoMoreMemoryForAGoodFile(file, reader);
    assertTakesLittle(file, 0, 1, reader, () -> "a good file, byte by byte");
    byte[] many = forgery(file).headerOfManySections();
    assertTakesLittle(many, ZEROS, 1 << 20, reader, () -> "many sections");
    forgeries(file)
        .forEach(
            forged -> assertTakesLittle(forged, 0, 1 << 20, reader, () -> describe(file, forged)));
    forgery(file)
        .headersOfHugeSections()
        .forEach(
            forged ->
                assertTakesLittle(forged, ZEROS, 1 << 20, reader, () -> describe(file, forged)));
  }

  /**
   * Checks the bound of {@link #readerTakesNoMoreMemoryThanItMay} for a valid file, without
   * forgeries.
   */
  public static void readerTakesNoMoreMemoryForAGoodFile(byte[] file, Reader<?> reader) {
    readMetered(file, 0, 1 << 20, reader); // loads classes
    for (int maxAtOnce : new int[] {100, 4096, 1 << 20}) {
      assertTakesLittle(file, 0, maxAtOnce, reader, () -> "a good file");
    }
  }

  /** Repeats a failed check once, since loading and instrumenting classes allocates too. */
  private static void assertTakesLittle(
      byte[] file, long zeros, int maxAtOnce, Reader<?> reader, Supplier<String> description) {
    if (!readMetered(file, zeros, maxAtOnce, reader).isEmpty()) {
      assertEquals("", readMetered(file, zeros, maxAtOnce, reader), description);
    }
  }

  private static String readMetered(byte[] file, long zeros, int maxAtOnce, Reader<?> reader) {
    MeteredStream in = new MeteredStream(file, zeros, maxAtOnce);
    @Nullable Object found = readOrNull(in, reader);
    in.check();
    assertTrue(
        found == null
            || in.complaint().length() < 1000); // keeps the value read reachable until here
    return in.complaint();
  }

  private static Stream<byte[]> forgeries(byte[] file) {
    ForgedFile forgery = forgery(file);
    return Stream.of(
            forgery.headersWithABitFlipped(),
            forgery.headersWithAnotherNumber(),
            forgery.headersOfHugeSections(),
            forgery.sectionsInAnotherOrder(),
            forgery.otherNumbersOfSections(),
            forgery.sectionsWithABitFlipped(),
            forgery.sectionsWithAnotherNumber())
        .flatMap(Function.identity());
  }

  private static ForgedFile forgery(byte[] file) {
    try {
      return new ForgedFile(file);
    } catch (IOException e) {
      throw new AssertionError("a good file has no good header", e);
    }
  }

  private static <F> @Nullable F readOrNull(InputStream in, Reader<F> reader) {
    try {
      return reader.readFrom(in);
    } catch (FilterFormatException e) {
      saysWhere(e);
      return null;
    } catch (IOException | RuntimeException | Error e) {
      throw new AssertionError("malformed bytes cause " + e, e);
    }
  }

  private static void isRefused(byte[] bytes, Reader<?> reader, String change) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    if (readOrNull(in, reader) != null) {
      fail("a file is read with " + change);
    }
  }

  private static void saysWhere(FilterFormatException e) {
    String message = String.valueOf(e.getMessage());
    assertTrue(e.offset() >= 0, message);
    assertTrue(message.startsWith("at byte " + e.offset() + ": "), message);
  }

  private static String describe(byte[] good, byte[] forged) {
    int at = Arrays.mismatch(good, forged);
    return String.format(
        Locale.ROOT,
        "forged from byte %d on: %s",
        at,
        Arrays.toString(Arrays.copyOfRange(forged, at, at + 24)));
  }
}
