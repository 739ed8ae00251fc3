package io.bloomkit.cli.io;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * An open input of a command: a file or standard input, compressed by gzip or not.
 *
 * @param stream the bytes
 * @param name the name of the input in messages
 * @param bytes the number of remaining bytes, or {@link #UNKNOWN}
 */
public record InputSource(InputStream stream, String name, long bytes) {

  public static final long UNKNOWN = -1;

  private static final int GZIP_BLOCK_BYTES = 1 << 16;

  private static final int[] GZIP = {0x1f, 0x8b, 8};

  /** Any byte of a signature. */
  private static final int ANY = -1;

  /** The first bytes of files that are compressed in another way, and the names of the ways. */
  private static final Map<String, int[]> OTHER_FORMATS =
      Map.of(
          "zstd", new int[] {0x28, 0xb5, 0x2f, 0xfd},
          "xz", new int[] {0xfd, '7', 'z', 'X', 'Z', 0},
          "bzip2", new int[] {'B', 'Z', 'h', ANY, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59});

  /** Returns whether a file with these first bytes, at least three, is compressed by gzip. */
  public static boolean isGzip(byte[] start) {
    return IntStream.range(0, GZIP.length)
        .allMatch(i -> i < start.length && (start[i] & 0xff) == GZIP[i]);
  }

  /**
   * Opens a file, or standard input if the name is {@code -}.
   *
   * @throws UncheckedIOException if the input cannot be opened
   */
  public static InputSource of(Path file, Supplier<InputSource> standardInput) {
    return file.toString().equals("-") ? standardInput.get() : of(file);
  }

  /**
   * Returns several inputs as one, whose length is unknown. Each is opened when it is reached. An
   * input that does not end with a terminator gets one if another input follows.
   *
   * @param opener opens a file; throws {@link UncheckedIOException} if it cannot
   */
  static InputSource joined(List<Path> files, Function<Path, InputSource> opener, byte terminator) {
    return new InputSource(
        new ConcatenatedStream(files.stream().map(opener).iterator(), terminator),
        "the " + files.size() + " files",
        UNKNOWN);
  }

  /**
   * Opens a file.
   *
   * @throws UncheckedIOException if the file cannot be opened
   */
  @SuppressWarnings("resource") // the stream's own channel
  public static InputSource of(Path file) {
    try {
      FileInputStream stream = new FileInputStream(file.toFile());
      return new InputSource(stream, file.toString(), remaining(stream.getChannel()));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read "
              + e.getMessage() // it names the file
              + (Files.exists(file) ? "" : "; an argument is a file of lines, not a line itself"),
          e);
    }
  }

  /**
   * Returns the number of bytes from the position to the end, or {@link #UNKNOWN}. Pipes and
   * terminals have neither size nor position, and special files report 0.
   */
  static long remaining(FileChannel channel) {
    try {
      long size = channel.size();
      return size > 0 ? size - channel.position() : UNKNOWN;
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Returns the name of what was read last: of joined inputs, one of them. */
  String current() {
    return stream instanceof ConcatenatedStream joined ? joined.name : name;
  }

  /**
   * Returns this input, decompressed if it is compressed by gzip.
   *
   * @param gzip whether the input is compressed; null to detect it by the first bytes (RFC 1952: 1f
   *     8b 08)
   * @throws UncheckedIOException if reading fails, or if {@code gzip} is true and the input is not
   *     compressed
   */
  public InputSource decompressed(@Nullable Boolean gzip) {
    PeekableStream bytes = new PeekableStream(stream);
    try {
      boolean isCompressed = gzip == null ? bytes.startsWith(GZIP) : gzip;
      if (gzip == null) {
        for (Map.Entry<String, int[]> format : OTHER_FORMATS.entrySet()) {
          if (bytes.startsWith(format.getValue())) {
            throw new ZipException(
                "it is compressed by "
                    + format.getKey()
                    + ", which is not supported; decompress it, or give --no-gzip to read its bytes"
                    + " as they are");
          }
        }
      }
      return isCompressed
          ? new InputSource(new GzipStream(bytes), name, UNKNOWN)
          : new InputSource(bytes, name, this.bytes);
    } catch (EOFException e) {
      throw new UncheckedIOException("cannot read " + name + ": it ends within a header", e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name + ": " + e.getMessage(), e);
    }
  }

  /**
   * Decompresses all members of a gzip file, and throws if other bytes follow a member. Zeros may
   * follow the last member, as on tapes. GZIPInputStream treats other bytes as the end of the file,
   * so it would silently drop everything from a damaged member on.
   */
  private static final class GzipStream extends GZIPInputStream {
    /** The length of the trailer of a member: a checksum and a length (RFC 1952, 2.3.1). */
    private static final int TRAILER_BYTES = 8;

    private final PeekableStream bytes;

    GzipStream(PeekableStream bytes) throws IOException {
      super(bytes, GZIP_BLOCK_BYTES);
      this.bytes = bytes;
    }

    @Override
    protected void fill() throws IOException {
      super.fill();
      bytes.single.reset();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count;
      try {
        count = super.read(target, offset, length);
      } catch (EOFException e) {
        throw new EOFException("the compressed data ends too early");
      }
      if (count < 0) {
        // The rest of the block, and what GZIPInputStream read byte by byte: the trailer, and
        // attempts to find the header of another member.
        int left = inf.getRemaining();
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        rest.write(buf, len - left, left);
        bytes.single.writeTo(rest);
        requireZeros(rest.toByteArray(), TRAILER_BYTES, rest.size());
        while (bytes.available() > 0) {
          requireZeros(bytes.buffer, bytes.from, bytes.to);
          bytes.from = bytes.to;
        }
        bytes.single.reset();
      }
      return count;
    }

    private static void requireZeros(byte[] rest, int from, int to) throws ZipException {
      for (int i = from; i < to; i++) {
        if (rest[i] != 0) {
          throw new ZipException("data that is not compressed by gzip follows compressed data");
        }
      }
    }
  }

  /** One input after another. */
  private static final class ConcatenatedStream extends InputStream {

    private final Iterator<InputSource> sources;
    private final byte terminator;
    private @Nullable InputSource source;
    private String name = "";
    private byte last;

    ConcatenatedStream(Iterator<InputSource> sources, byte terminator) {
      this.sources = sources;
      this.terminator = terminator;
      this.last = terminator;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      while (true) {
        if (source == null) {
          if (!sources.hasNext()) {
            return -1;
          }
          if (last != terminator) {
            last = terminator;
            bytes[offset] = terminator;
            return 1;
          }
          source = sources.next();
          name = source.name;
        }
        int count;
        try {
          count = source.stream.read(bytes, offset, length);
          if (count < 0) {
            source.stream.close();
          }
        } catch (IOException e) {
          throw new IOException(source.name + ": " + e.getMessage(), e);
        }
        if (count > 0) {
          last = bytes[offset + count - 1];
          return count;
        }
        source = count < 0 ? null : source;
      }
    }

    @Override
    public void close() throws IOException {
      if (source != null) {
        source.stream.close();
      }
    }
  }

  /** A stream whose first bytes can be inspected before they are read. */
  private static final class PeekableStream extends InputStream {

    private final InputStream in;
    private final byte[] buffer = new byte[GZIP_BLOCK_BYTES];
    private int from;
    private int to;

    /** The bytes that were read one by one since it was reset. */
    private final ByteArrayOutputStream single = new ByteArrayOutputStream();

    PeekableStream(InputStream in) {
      this.in = in;
    }

    /**
     * Returns whether the stream starts with some bytes. Waits only for the bytes that decide it.
     */
    boolean startsWith(int... signature) throws IOException {
      for (int i = 0; i < signature.length; i++) {
        if (i == to) {
          int count = in.read(buffer, to, buffer.length - to);
          to += Math.max(0, count);
        }
        if (i >= to || (signature[i] != ANY && (buffer[i] & 0xff) != signature[i])) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int read() throws IOException {
      if (available() == 0) {
        return -1;
      }
      single.write(buffer[from]);
      return buffer[from++] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (from == to) {
        return in.read(bytes, offset, length);
      }
      int count = Math.min(length, to - from);
      System.arraycopy(buffer, from, bytes, offset, count);
      from += count;
      return count;
    }

    /**
     * Returns 0 only at the end of the stream, and waits for input otherwise. GZIPInputStream calls
     * this method after each member. It would take a pipe that is empty at that moment for the end
     * of the input, and lose all other members.
     */
    @Override
    public int available() throws IOException {
      if (from == to) {
        from = 0;
        to = Math.max(0, in.read(buffer, 0, buffer.length));
      }
      return to - from;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
