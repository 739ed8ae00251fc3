package io.bloomkit.cli.interop;

import io.bloomkit.FilterFormatException;
import io.bloomkit.classic.parquet.ParquetBloomFilter;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the columns and Bloom filters of a Parquet file. */
public final class ParquetFile {

  private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED_MARK = "PARE".getBytes(StandardCharsets.US_ASCII);
  private static final int MARK_BYTES = 4;
  private static final int TRAILER_BYTES = Integer.BYTES + MARK_BYTES;

  private final Path file;
  private final List<ParquetColumn> columns;
  private final LongList rows;

  private ParquetFile(Path file, List<ParquetColumn> columns, LongList rows) {
    this.file = file;
    this.columns = columns;
    this.rows = rows;
  }

  /** Returns whether a file starts with the signature of Parquet. */
  public static boolean isOne(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return isMark(in.readNBytes(MARK_BYTES));
    }
  }

  /** Returns whether the first four bytes of a file are those of a Parquet file. */
  public static boolean isMark(byte[] start) {
    return Arrays.equals(start, MARK) || Arrays.equals(start, ENCRYPTED_MARK);
  }

  /**
   * Reads the footer of a file.
   *
   * @throws FilterFormatException if the footer is damaged or encrypted
   * @throws IOException if the file cannot be read
   */
  public static ParquetFile read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long end = channel.size() - TRAILER_BYTES;
      if (end < MARK_BYTES) {
        throw new FilterFormatException(
            channel.size(), "the Parquet file ends within its signature");
      }
      byte[] trailer = new byte[TRAILER_BYTES];
      channel.position(end);
      Channels.newInputStream(channel).readNBytes(trailer, 0, TRAILER_BYTES);
      byte[] mark = Arrays.copyOfRange(trailer, Integer.BYTES, TRAILER_BYTES);
      if (!Arrays.equals(mark, MARK)) {
        throw new FilterFormatException(
            end + Integer.BYTES,
            Arrays.equals(mark, ENCRYPTED_MARK)
                ? "the footer of the Parquet file is encrypted"
                : "a Parquet file must end with PAR1");
      }
      int length = ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt();
      if (length < 1 || length > end - MARK_BYTES) {
        throw new FilterFormatException(
            end, "the footer must have 1 to " + (end - MARK_BYTES) + " bytes, got " + length);
      }
      FooterReader.Footer footer = FooterReader.read(channel, end - length, end);
      return new ParquetFile(file, footer.columns(), footer.rows());
    }
  }

  /** Returns the file. */
  public Path path() {
    return file;
  }

  /** Returns the columns of all row groups that are not encrypted, in the order of the file. */
  public List<ParquetColumn> columns() {
    return columns;
  }

  /** Returns the number of row groups. */
  public int rowGroups() {
    return rows.size();
  }

  /** Returns the number of rows of a row group. */
  public long rows(int rowGroup) {
    return rows.getLong(rowGroup);
  }

  /** A callback that receives filters one after another. */
  @FunctionalInterface
  public interface FilterTaker {

    /**
     * Receives the filter of a column.
     *
     * @param filter the filter, or null if the column has none
     */
    void take(ParquetColumn column, @Nullable ParquetBloomFilter<Object> filter);
  }

  /**
   * Reads the filters of some columns in the given order.
   *
   * @throws FilterFormatException if a filter is damaged, or if filters overlap because their total
   *     size exceeds that of the file
   * @throws IOException if the file cannot be read
   */
  public void readFilters(List<ParquetColumn> some, FilterTaker taker) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long left = channel.size();
      for (ParquetColumn column : some) {
        ParquetBloomFilter<Object> filter = column.hasFilter() ? filter(channel, column) : null;
        left -= filter == null ? 0 : filter.shape().bytes();
        if (left < 0) {
          throw new FilterFormatException(
              column.filterOffset(), "the Bloom filters are larger than the file: they overlap");
        }
        taker.take(column, filter);
      }
    }
  }

  private static ParquetBloomFilter<Object> filter(FileChannel channel, ParquetColumn column)
      throws IOException {
    long offset =
        Math.min(column.filterOffset(), channel.size()); // some systems refuse larger offsets
    try {
      return ParquetBloomFilter.readFrom(
          new BufferedInputStream(Channels.newInputStream(channel.position(offset))),
          column.strategy());
    } catch (FilterFormatException e) {
      throw new FilterFormatException(
          offset + e.offset(),
          "the Bloom filter of row group "
              + column.rowGroup()
              + ", column "
              + column.name()
              + " is damaged: "
              + e.getMessage());
    }
  }
}
