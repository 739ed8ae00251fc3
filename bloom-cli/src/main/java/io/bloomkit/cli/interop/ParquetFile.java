package io.bloomkit.cli.interop;

import io.bloomkit.FilterFormatException;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the columns and Bloom filters of a Parquet file, which is open until it is closed. */
public final class ParquetFile implements Closeable {

  private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED_MARK = "PARE".getBytes(StandardCharsets.US_ASCII);
  private static final int MARK_BYTES = 4;
  private static final int TRAILER_BYTES = Integer.BYTES + MARK_BYTES;

  private final Path file;
  private final FileChannel channel;
  private final FooterReader.Footer footer;

  private ParquetFile(Path file, FileChannel channel, FooterReader.Footer footer) {
    this.file = file;
    this.channel = channel;
    this.footer = footer;
  }

  /** Returns whether the first four bytes of a file are those of a Parquet file. */
  public static boolean isMark(byte[] start) {
    return Arrays.equals(start, MARK) || Arrays.equals(start, ENCRYPTED_MARK);
  }

  /**
   * Opens a file and reads its footer.
   *
   * @return the file, or null if it does not start with the signature of Parquet
   * @throws FilterFormatException if the footer is damaged or encrypted
   * @throws IOException if the file cannot be read
   */
  public static @Nullable ParquetFile open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file);
    ParquetFile opened = null;
    try {
      byte[] start = Channels.newInputStream(channel).readNBytes(MARK_BYTES);
      if (isMark(start)) {
        opened = new ParquetFile(file, channel, readFooter(channel, start));
      }
      return opened;
    } finally {
      if (opened == null) {
        channel.close();
      }
    }
  }

  private static FooterReader.Footer readFooter(FileChannel channel, byte[] start)
      throws IOException {
    long end = channel.size() - TRAILER_BYTES;
    if (end < MARK_BYTES) {
      throw new FilterFormatException(channel.size(), "the Parquet file ends within its signature");
    }
    byte[] trailer = new byte[TRAILER_BYTES];
    channel.position(end);
    Channels.newInputStream(channel).readNBytes(trailer, 0, TRAILER_BYTES);
    byte[] mark = Arrays.copyOfRange(trailer, Integer.BYTES, TRAILER_BYTES);
    if (Arrays.equals(mark, ENCRYPTED_MARK)) {
      throw new FilterFormatException(
          end + Integer.BYTES, "the footer of the Parquet file is encrypted");
    }
    if (!Arrays.equals(mark, start)) {
      throw new FilterFormatException(
          end + Integer.BYTES,
          "a Parquet file must end with " + new String(start, StandardCharsets.US_ASCII));
    }
    int length = ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (length < 1 || length > end - MARK_BYTES) {
      throw new FilterFormatException(
          end, "the footer must have 1 to " + (end - MARK_BYTES) + " bytes, got " + length);
    }
    return FooterReader.read(channel, end - length, end);
  }

  /** Returns the file. */
  Path path() {
    return file;
  }

  /** Returns the columns in the order of the schema. */
  List<ColumnSchema> schema() {
    return footer.schema();
  }

  /** Returns the columns of all row groups, in the order of the file. */
  List<ParquetColumn> columns() {
    return footer.columns();
  }

  /** Returns the number of row groups. */
  int rowGroups() {
    return footer.rows().size();
  }

  /** Returns the number of rows of a row group. */
  long rows(int rowGroup) {
    return footer.rows().getLong(rowGroup);
  }

  /**
   * Reads the filter of a column of a row group.
   *
   * @param column a column that has a filter
   * @throws FilterFormatException if the filter is damaged, or is not where or as large as the
   *     footer says
   * @throws IOException if the file cannot be read
   */
  ParquetBloomFilter<Object> filter(ParquetColumn column) throws IOException {
    try {
      long length = requiredLength(column);
      channel.position(column.filterOffset());
      return ParquetBloomFilter.readFrom(
          new BufferedInputStream(Channels.newInputStream(channel)),
          length,
          column.schema().strategy());
    } catch (FilterFormatException e) {
      throw new FilterFormatException(
          column.filterOffset() + e.offset(),
          "the Bloom filter of row group "
              + column.rowGroup()
              + ", column "
              + column.name()
              + " is damaged: "
              + e.getMessage());
    }
  }

  /**
   * Returns the number of bytes that a filter must have. If the footer does not record it, the
   * filter must end where the next part of the file begins.
   *
   * @throws FilterFormatException if there is no filter of that length at its offset
   */
  private long requiredLength(ParquetColumn column) throws FilterFormatException {
    long offset = column.filterOffset();
    LongList starts = footer.starts();
    if (offset < MARK_BYTES || offset >= footer.start()) {
      throw new FilterFormatException(
          0, "bloom_filter_offset must be in [4, " + footer.start() + "), got " + offset);
    }
    int next = firstAfter(starts, offset);
    if (next >= 2 && starts.getLong(next - 2) == offset) {
      throw new FilterFormatException(0, "another part of the file begins at the same byte");
    }
    long space = starts.getLong(next) - offset;
    int length = column.filterLength();
    if (length == ParquetColumn.UNKNOWN_LENGTH) {
      return space;
    }
    if (length > space) {
      throw new FilterFormatException(
          0,
          "bloom_filter_length is "
              + length
              + ", but another part of the file begins after "
              + space
              + " bytes");
    }
    return length;
  }

  /** Returns the index of the first number in a sorted list that is greater than a value. */
  private static int firstAfter(LongList sorted, long value) {
    int from = 0;
    int to = sorted.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted.getLong(middle) > value) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
