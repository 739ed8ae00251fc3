package io.bloomkit.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.testkit.internal.AllocatedBytes;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the reader of another library's format promises for bytes that are damaged or forged.
 *
 * @param <F> the type of the filter
 */
public interface InteropBytesContract<F extends InteropFilter<?>> {

  /** Reads a filter and not a byte more. */
  F readFrom(InputStream in) throws IOException;

  /** Reads a filter from a file that holds nothing else. */
  F readFrom(Path file) throws IOException;

  /** Reads a filter from bytes that hold nothing else. */
  F fromBytes(byte[] bytes) throws FilterFormatException;

  /** Returns a filter of a few thousand elements. */
  F filter();

  /** Returns a header that announces the largest filter there is. */
  byte[] headerOfTheLargest();

  @Test
  default void bytesAreReadAndWrittenAsTheyAre() throws IOException {
    byte[] bytes = filter().toBytes();
    assertArrayEquals(bytes, fromBytes(bytes).toBytes());
    assertArrayEquals(bytes, readFrom(new ByteArrayInputStream(bytes)).toBytes());
  }

  @Test
  default void everyTruncationIsRefusedWhereItEnds() {
    byte[] bytes = filter().toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      FilterFormatException refusal =
          assertThrows(FilterFormatException.class, () -> fromBytes(cut));
      assertEquals(length, refusal.offset());
      assertTrue(refusal.toString().contains("the input ends"), refusal.toString());
    }
  }

  @Test
  default void followingBytesAreLeftInAStreamAndRefusedInAnArray() throws IOException {
    byte[] bytes = filter().toBytes();
    byte[] two = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, two, bytes.length, bytes.length);
    InputStream in = new ByteArrayInputStream(two);
    assertArrayEquals(bytes, readFrom(in).toBytes());
    assertArrayEquals(bytes, readFrom(in).toBytes());
    assertEquals(-1, in.read());
    FilterFormatException refusal = assertThrows(FilterFormatException.class, () -> fromBytes(two));
    assertEquals(bytes.length, refusal.offset());
    assertTrue(refusal.toString().endsWith(bytes.length + " more bytes follow"));
  }

  @Test
  default void aFileIsReadAndNamedIfItIsNone(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("filter"), filter().toBytes());
    assertArrayEquals(Files.readAllBytes(file), readFrom(file).toBytes());
    Files.write(file, new byte[3], StandardOpenOption.APPEND);
    FilterFormatException refusal = assertThrows(FilterFormatException.class, () -> readFrom(file));
    assertEquals(Files.size(file) - 3, refusal.offset());
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.startsWith(file + ", at byte "), message);
    assertTrue(message.endsWith("3 more bytes follow"), message);
    Files.delete(file);
    assertThrows(NoSuchFileException.class, () -> readFrom(file));
  }

  @Test
  default void streamThatReturnsOneByteAtATimeIsReadWhole() throws IOException {
    byte[] bytes = filter().toBytes();
    InputStream trickle =
        new FilterInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            return super.read(into, offset, Math.min(length, 1));
          }
        };
    assertArrayEquals(bytes, readFrom(trickle).toBytes());
  }

  @Test
  default void failureOfTheStreamIsPassedOn() throws IOException {
    InputStream closed = InputStream.nullInputStream();
    closed.close();
    String failure = assertThrows(IOException.class, () -> readFrom(closed)).getMessage();
    assertEquals("Stream closed", failure);
  }

  @Test
  default void announcedBytesTakeNoMemoryBeforeTheyArrive() {
    byte[] header = headerOfTheLargest();
    byte[] most = Arrays.copyOf(header, 3_000_000);
    for (int i = 0; i < 20; i++) { // loads what first calls load
      String refusal =
          assertThrows(FilterFormatException.class, () -> readFrom(new ByteArrayInputStream(most)))
              .toString();
      assertTrue(refusal.contains("the input ends, but the header announces "), refusal);
    }
    for (int received = header.length; received <= most.length; received = received * 5 / 4 + 1) {
      InputStream in = new ByteArrayInputStream(most, 0, received);
      long before = AllocatedBytes.ofThisThread();
      assertThrows(FilterFormatException.class, () -> readFrom(in));
      long allocated = AllocatedBytes.ofThisThread() - before;
      assertTrue(allocated <= 16L * received + (64 << 10), received + " bytes took " + allocated);
    }
  }
}
