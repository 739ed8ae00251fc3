package io.bloomkit.cli.foreign;

import io.bloomkit.classic.parquet.ParquetBloomFilter;
import io.bloomkit.format.FilterFormatException;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TList;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;

/** The columns of a Parquet file, by its footer, and the Bloom filters they have. */
public final class ParquetFile {

  private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED_MARK = "PARE".getBytes(StandardCharsets.US_ASCII);
  private static final int MARK_BYTES = 4;
  private static final int TRAILER_BYTES = Integer.BYTES + MARK_BYTES;
  private static final int MOST_NESTED = 64;

  private final Path file;
  private final List<ParquetColumn> columns;
  private final long[] rows;

  private ParquetFile(Path file, List<ParquetColumn> columns, long[] rows) {
    this.file = file;
    this.columns = columns;
    this.rows = rows;
  }

  /** Returns whether a file begins as a Parquet file does. */
  public static boolean isOne(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MARK_BYTES), MARK);
    }
  }

  /**
   * Reads the footer of a file.
   *
   * @throws FilterFormatException if it is damaged, or encrypted
   * @throws IOException if the file cannot be read
   */
  public static ParquetFile read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long end = channel.size() - TRAILER_BYTES;
      if (end < MARK_BYTES) {
        throw new FilterFormatException(channel.size(), "the Parquet file ends within its mark");
      }
      byte[] trailer = read(channel, end, TRAILER_BYTES);
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
      return of(
          file,
          footer(ByteBuffer.wrap(read(channel, end - length, length)), end - length),
          end - length);
    }
  }

  private static byte[] read(FileChannel channel, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    channel.position(offset);
    int received = Channels.newInputStream(channel).readNBytes(bytes, 0, length);
    if (received < length) {
      throw new FilterFormatException(offset + received, "the Parquet file ends here");
    }
    return bytes;
  }

  /** No list or text takes more memory than the footer has bytes. */
  private static FileMetaData footer(ByteBuffer bytes, long offset) throws IOException {
    int length = bytes.remaining();
    FileMetaData footer = new FileMetaData();
    try {
      TConfiguration limits = new TConfiguration(length, length, MOST_NESTED);
      FooterTransport transport = new FooterTransport(limits, bytes);
      footer.read(new CheckedProtocol(transport, length));
    } catch (TException | RuntimeException e) { // Thrift's readers trust some counts
      throw new FilterFormatException(
          offset + bytes.position(), "the footer of the Parquet file is damaged: " + e);
    }
    return footer;
  }

  /** Refuses lists that have more elements than bytes are left. */
  private static final class CheckedProtocol extends TCompactProtocol {

    private final FooterTransport transport;

    CheckedProtocol(FooterTransport transport, long limit) {
      super(transport, limit, limit);
      this.transport = transport;
    }

    @Override
    public TList readListBegin() throws TException {
      TList list = super.readListBegin();
      if (list.size > transport.left()) {
        throw new TProtocolException(
            TProtocolException.SIZE_LIMIT, "a list of " + list.size + " elements");
      }
      return list;
    }
  }

  private static ParquetFile of(Path file, FileMetaData footer, long offset)
      throws FilterFormatException {
    List<ParquetColumn> columns = new ArrayList<>();
    List<RowGroup> groups = footer.getRow_groups();
    long[] rows = new long[groups.size()];
    List<SchemaElement> leaves =
        footer.getSchema().stream().filter(element -> element.getNum_children() == 0).toList();
    for (int group = 0; group < rows.length; group++) {
      rows[group] = groups.get(group).getNum_rows();
      List<ColumnChunk> chunks = groups.get(group).getColumns();
      if (chunks.size() > leaves.size()) {
        throw new FilterFormatException(
            offset,
            "row group "
                + group
                + " has "
                + chunks.size()
                + " columns but the schema has "
                + leaves.size());
      }
      for (int i = 0; i < chunks.size(); i++) {
        ColumnMetaData data = chunks.get(i).getMeta_data();
        if (data != null) { // an encrypted column has none
          Type type = data.getType();
          columns.add(
              new ParquetColumn(
                  group,
                  String.join(".", data.getPath_in_schema()),
                  type,
                  type == Type.FIXED_LEN_BYTE_ARRAY ? leaves.get(i).getType_length() : 0,
                  data.isSetBloom_filter_offset() ? data.getBloom_filter_offset() : -1));
        }
      }
    }
    return new ParquetFile(file, columns, rows);
  }

  /** Returns the columns of all row groups, in the order of the file. */
  public List<ParquetColumn> columns() {
    return columns;
  }

  /** Returns the number of row groups. */
  public int rowGroups() {
    return rows.length;
  }

  /** Returns the number of rows of a row group. */
  public long rows(int rowGroup) {
    return rows[rowGroup];
  }

  /**
   * Returns a column of a row group, or null if the footer tells nothing of it.
   *
   * @param name the names of its path in the schema, with dots between
   */
  public @Nullable ParquetColumn column(int rowGroup, String name) {
    return columns.stream()
        .filter(column -> column.rowGroup() == rowGroup && column.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  /**
   * Reads the filter of a column that has one.
   *
   * @throws IOException if that fails
   */
  public ParquetBloomFilter<Object> filter(ParquetColumn column) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      channel.position(column.filterOffset());
      return ParquetBloomFilter.readFrom(
          new BufferedInputStream(Channels.newInputStream(channel)), column.strategy());
    } catch (FilterFormatException e) {
      throw new FilterFormatException(
          column.filterOffset() + e.offset(),
          "the Bloom filter of row group "
              + column.rowGroup()
              + ", column "
              + column.name()
              + ": "
              + e.getMessage());
    }
  }
}
