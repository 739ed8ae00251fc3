package io.bloomkit.interop.internal;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.ByteArrayOutput;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.format.AtomicFile;
import io.bloomkit.internal.format.FileErrors;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/**
 * The file format of another library: a header, followed by 64-bit words in a fixed byte order.
 *
 * @param name the name of the format in messages, such as {@code a Guava BloomFilter}
 * @param order the byte order of the words
 * @param padding the number of unused words at the beginning of the arrays that {@link #array} and
 *     {@link #readWords} return; these words are not part of the format
 */
public record InteropFormat(String name, ByteOrder order, int padding) {

  private static final int CHUNK_BYTES = 1 << 13;
  private static final int FIRST_WORDS = 1 << 11;

  /** The announced words divided by this number must arrive before there is room for all. */
  private static final int TRUSTED_SHARE = 8;

  /**
   * Reads a filter.
   *
   * @param <F> the type of the filter
   */
  @FunctionalInterface
  public interface Reader<F> {

    /**
     * Reads the filter and no byte beyond it.
     *
     * @throws FilterFormatException if the bytes are not such a filter
     * @throws IOException if the stream fails
     */
    F readFrom(InputStream in) throws IOException;
  }

  /**
   * Returns a new array with space for the padding, followed by a given number of words, all zero.
   */
  public long[] array(int wordCount) {
    return WordArrays.allocate(padding + wordCount);
  }

  /**
   * Reads the bytes of a header.
   *
   * @param length the number of bytes
   * @param offset the number of bytes of the header that were already read, for messages
   * @throws FilterFormatException if the stream ends too early
   */
  public byte[] readHeader(InputStream in, int length, int offset) throws IOException {
    byte[] header = new byte[length];
    int received = in.readNBytes(header, 0, length);
    if (received < length) {
      throw malformed(
          offset + received, "the input ends within the header of %d bytes", offset + length);
    }
    return header;
  }

  /**
   * Reads words into a new array, behind the padding. A forged header may announce more words than
   * follow, so the array is allocated when an eighth of them has arrived. Reading takes at most 64
   * KiB of memory plus nine times the bytes received so far, and never more than 9/8 of the array.
   *
   * @param count the number of words, at least 1; the words and the padding must fit into an array
   * @param offset the number of bytes before the first word, for messages
   * @throws FilterFormatException if the stream ends too early
   */
  public long[] readWords(InputStream in, int count, long offset) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(chunk).order(order);
    int filled = padding;
    int end = padding + count;
    int trusted = padding + count / TRUSTED_SHARE;
    long[] words = new long[padding + Math.min(count, FIRST_WORDS)];
    while (filled < end) {
      if (filled == words.length) {
        boolean isTrusted = filled >= trusted;
        int length = isTrusted ? end : (int) Math.min(trusted, 2L * filled);
        words = WordArrays.copyOfRange(words, 0, length);
      }
      int wanted = chunkBytes(words.length - filled);
      int received = in.readNBytes(chunk, 0, wanted);
      if (received < wanted) {
        throw malformed(
            offset + (filled - padding) * (long) Long.BYTES + received,
            "the input ends, but the header announces %d words, %d bytes in all",
            count,
            offset + count * (long) Long.BYTES);
      }
      buffer.asLongBuffer().get(words, filled, wanted / Long.BYTES);
      filled += wanted / Long.BYTES;
    }
    return words;
  }

  /** Returns the number of bytes to read at once if a number of words is missing. */
  static int chunkBytes(int wordCount) {
    return Math.min(CHUNK_BYTES / Long.BYTES, wordCount) * Long.BYTES;
  }

  /**
   * Writes words.
   *
   * @param count the number of words
   * @param words returns the word at an index from 0 to {@code count - 1}
   */
  public void writeWords(OutputStream out, int count, IntToLongFunction words) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(chunk).order(order);
    int filled = 0;
    for (int i = 0; i < count; i++) {
      if (filled == chunk.length) {
        out.write(chunk);
        filled = 0;
      }
      buffer.putLong(filled, words.applyAsLong(i));
      filled += Long.BYTES;
    }
    out.write(chunk, 0, filled);
  }

  /**
   * Returns the exception for bytes that are not of this format.
   *
   * @param at the offset of the problem in bytes
   * @param problem a format string for the arguments
   */
  public FilterFormatException malformed(long at, String problem, Object... arguments) {
    return new FilterFormatException(
        at, "not the bytes of " + name + ": " + String.format(Locale.ROOT, problem, arguments));
  }

  /**
   * Reads a filter from bytes that contain nothing else.
   *
   * @throws FilterFormatException if the reader throws it, or if bytes follow the filter
   */
  public static <F> F fromBytes(byte[] bytes, Reader<F> reader) throws FilterFormatException {
    ByteArrayInputStream in = new ByteArrayInputStream(Objects.requireNonNull(bytes, "bytes"));
    F filter;
    try {
      filter = reader.readFrom(in);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("an array has no errors of its own", e);
    }
    int left = in.available();
    if (left > 0) {
      throw bytesFollow(bytes.length - left, left);
    }
    return filter;
  }

  /**
   * Reads a filter from a file that contains nothing else.
   *
   * @throws FilterFormatException if the reader throws it, or if bytes follow the filter; the
   *     message names the file
   * @throws IOException if the file cannot be read
   */
  public static <F> F readFrom(Path file, Reader<F> reader) throws IOException {
    try (InputStream in =
        new BufferedInputStream(Files.newInputStream(Objects.requireNonNull(file, "file")))) {
      F filter = reader.readFrom(in);
      long left = in.transferTo(OutputStream.nullOutputStream());
      if (left > 0) {
        throw bytesFollow(Files.size(file) - left, left);
      }
      return filter;
    } catch (IOException e) {
      throw FileErrors.naming(file, e);
    }
  }

  /**
   * Returns the number of words of a new filter.
   *
   * @throws IllegalArgumentException if the positions are no multiple of 64, or too many
   */
  public static int wordCount(long positions, long maxWords) {
    if (positions < 1 || positions % Long.SIZE != 0 || positions / Long.SIZE > maxWords) {
      throw new IllegalArgumentException(
          "positions must be a multiple of 64, from 64 to "
              + maxWords * Long.SIZE
              + ", got "
              + positions);
    }
    return (int) (positions / Long.SIZE);
  }

  private static FilterFormatException bytesFollow(long at, long left) {
    return new FilterFormatException(
        at,
        "the filter ends here, but "
            + left
            + (left == 1 ? " more byte follows" : " more bytes follow"));
  }

  /**
   * Returns the bytes that {@code body} writes.
   *
   * @param length the number of these bytes
   * @param body writes all of these bytes, including those of a header
   * @throws IllegalStateException if the bytes do not fit into an array
   */
  public static byte[] toBytes(long length, AtomicFile.Body body) {
    if (length > WordArrays.MAX_LENGTH) {
      throw new IllegalStateException(
          "the filter takes " + length + " bytes, more than an array holds: use writeTo");
    }
    ByteArrayOutput bytes = new ByteArrayOutput((int) length);
    try {
      body.writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all bytes", e);
    }
    return bytes.toByteArray();
  }
}
