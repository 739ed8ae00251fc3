package io.bloomkit.cli.interop;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cli.interop.ParquetColumn.Place;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TField;
import shaded.parquet.org.apache.thrift.protocol.TProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;
import shaded.parquet.org.apache.thrift.protocol.TProtocolUtil;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/**
 * Reads the struct {@code FileMetaData} of parquet.thrift, the footer of a Parquet file, and keeps
 * only the data that queries require: about a hundred bytes per column of a row group. Parquet's
 * classes read the schema and one row group at a time, with some forty bytes of memory per byte.
 */
final class FooterReader {

  // The fields of FileMetaData, by id.
  private static final int SCHEMA = 2;
  private static final int NUM_ROWS = 3;
  private static final int ROW_GROUPS = 4;

  // Types of Thrift.
  private static final byte STOP = 0;
  private static final byte I64 = 10;
  private static final byte LIST = 15;

  private static final int MOST_DEPTH = 64;
  private static final int NONE = -1;

  private final Bytes bytes;
  private final TProtocol in;

  private @Nullable List<ColumnSchema> schema;
  private final List<ParquetColumn> columns = new ArrayList<>();
  private final LongArrayList rows = new LongArrayList();
  private final LongArrayList starts = new LongArrayList();

  private FooterReader(byte[] footer, long start) throws TException {
    this.bytes = new Bytes(footer);
    this.in = new TCompactProtocol(bytes);
    starts.add(start);
  }

  /** The bytes of a footer. */
  private static final class Bytes extends TEndpointTransport {

    private final ByteBuffer footer;

    Bytes(byte[] footer) throws TTransportException {
      super(new TConfiguration());
      this.footer = ByteBuffer.wrap(footer);
    }

    /** Called before memory is allocated for a text or a list, with what it announces. */
    @Override
    public void checkReadBytesAvailable(long count) throws TTransportException {
      if (count < 0 || count > footer.remaining()) {
        throw new TTransportException(TTransportException.END_OF_FILE, "the footer ends too early");
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws TTransportException {
      checkReadBytesAvailable(length);
      footer.get(into, offset, length);
      return length;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      throw new AssertionError("a footer is only read");
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void open() {}

    @Override
    public void close() {}
  }

  /**
   * The contents of a footer.
   *
   * @param schema the columns in the order of the schema
   * @param columns the columns of all row groups in the order of the file
   * @param rows the number of rows of each row group
   * @param start the offset of the footer in the file
   * @param starts the offsets of all known parts of the file, in ascending order: pages, indexes,
   *     filters and the footer
   */
  record Footer(
      List<ColumnSchema> schema,
      List<ParquetColumn> columns,
      LongList rows,
      long start,
      LongList starts) {}

  /**
   * Reads a footer.
   *
   * @param start the offset of the footer in the file
   * @throws FilterFormatException if the footer is damaged
   */
  static Footer read(byte[] footer, long start) throws FilterFormatException {
    int at = 0;
    try {
      FooterReader reader = new FooterReader(footer, start);
      try {
        return reader.read(start);
      } finally {
        at = reader.bytes.footer.position();
      }
    } catch (TException e) {
      // Thrift appends the struct, however large.
      String fault = String.valueOf(e.getMessage()).replaceFirst("(?s)! Struct:.*", "");
      throw new FilterFormatException(
          start + at, "the footer of the Parquet file is damaged: " + fault);
    }
  }

  private Footer read(long start) throws TException {
    long rowsOfFile = NONE;
    in.readStructBegin();
    for (TField field = in.readFieldBegin(); field.type != STOP; field = in.readFieldBegin()) {
      if (field.id == SCHEMA && field.type == LIST) {
        readSchema();
      } else if (field.id == NUM_ROWS && field.type == I64) {
        rowsOfFile = in.readI64();
      } else if (field.id == ROW_GROUPS && field.type == LIST) {
        readRowGroups();
      } else {
        TProtocolUtil.skip(in, field.type, MOST_DEPTH);
      }
    }
    if (schema == null || rowsOfFile == NONE) {
      throw malformed("FileMetaData lacks its schema or its number of rows");
    }
    long sum = rows.longStream().sum();
    if (sum != rowsOfFile) {
      throw malformed("the row groups have %d rows but the file has %d", sum, rowsOfFile);
    }
    starts.unstableSort(null);
    return new Footer(schema, columns, rows, start, starts);
  }

  /** Reads a schema: a group is followed by its members, and a column has a physical type. */
  private void readSchema() throws TException {
    List<ColumnSchema> leaves = new ArrayList<>();
    ColumnPath group = ColumnPath.ROOT;
    Deque<Integer> missing = new ArrayDeque<>(); // members of the group and of those around it
    int count = in.readListBegin().size;
    for (int i = 0; i < count; i++) {
      SchemaElement element = new SchemaElement();
      element.read(in);
      if (element.getNum_children() < 0) {
        throw malformed("num_children must be at least 0, got %d", element.getNum_children());
      }
      if (i == 0) {
        missing.push(element.getNum_children());
        continue;
      }
      while (missing.element() == 0 && !group.isRoot()) {
        missing.pop();
        group = group.parent();
      }
      if (missing.element() == 0) {
        throw malformed("the schema has %d elements that no group contains", count - i);
      }
      missing.push(missing.pop() - 1);
      ColumnPath path = group.child(element.getName());
      if (element.isSetType()) {
        leaves.add(column(path, element));
      } else if (element.isSetNum_children()) {
        group = path;
        missing.push(element.getNum_children());
      } else {
        throw malformed("column %s has a type unknown to Parquet", path);
      }
    }
    if (missing.stream().anyMatch(members -> members > 0)) {
      throw malformed("the schema ends within a group");
    }
    schema = leaves;
  }

  private static ColumnSchema column(ColumnPath path, SchemaElement element) throws TException {
    if (element.getNum_children() > 0) {
      throw malformed("column %s has both a type and members", path);
    }
    boolean isFixed = element.getType() == Type.FIXED_LEN_BYTE_ARRAY;
    int length = isFixed ? element.getType_length() : 0;
    if (isFixed && length < 1) {
      throw malformed(
          "the values of column %s must have a length of at least 1, got %d", path, length);
    }
    return new ColumnSchema(path, element.getType(), length, LogicalTypeReader.of(element));
  }

  private void readRowGroups() throws TException {
    if (schema == null || !rows.isEmpty()) {
      throw malformed("the row groups must follow the schema, once");
    }
    for (int left = in.readListBegin().size; left > 0; left--) {
      RowGroup group = new RowGroup();
      group.read(in);
      List<ColumnChunk> chunks = group.getColumns();
      if (chunks.size() > schema.size()) {
        throw malformed(
            "row group %d has %d columns but the schema has %d",
            rows.size(), chunks.size(), schema.size());
      }
      for (int i = 0; i < chunks.size(); i++) {
        addColumn(i, chunks.get(i), schema.get(i));
      }
      rows.add(group.getNum_rows());
    }
  }

  private void addColumn(int index, ColumnChunk chunk, ColumnSchema column) throws TException {
    // The filter of an encrypted column is encrypted as well.
    boolean isEncrypted = chunk.isSetCrypto_metadata() || chunk.isSetEncrypted_column_metadata();
    if (!chunk.isSetMeta_data() && !isEncrypted) {
      throw malformed("column %s of row group %d has no metadata", column.path(), rows.size());
    }
    ColumnMetaData metaData =
        Objects.requireNonNullElseGet(chunk.getMeta_data(), ColumnMetaData::new);
    if (chunk.isSetMeta_data()) {
      requireSameColumn(index, metaData, column);
    }
    Place place =
        chunk.isSetFile_path() ? Place.ELSEWHERE : isEncrypted ? Place.ENCRYPTED : Place.HERE;
    long filterOffset =
        metaData.isSetBloom_filter_offset() ? metaData.getBloom_filter_offset() : NONE;
    if (place != Place.ELSEWHERE) {
      addStart(chunk.getOffset_index_offset());
      addStart(chunk.getColumn_index_offset());
      addStart(metaData.getData_page_offset());
      addStart(metaData.getDictionary_page_offset());
      addStart(filterOffset);
    }
    int length =
        metaData.isSetBloom_filter_length()
            ? metaData.getBloom_filter_length()
            : ParquetColumn.UNKNOWN_LENGTH;
    columns.add(new ParquetColumn(rows.size(), column, place, filterOffset, length));
  }

  /** Adds the offset of a part of the file, if there is such a part. */
  private void addStart(long offset) {
    if (offset > 0) {
      starts.add(offset);
    }
  }

  /** Checks that a column of a row group is the one at the same place in the schema. */
  private void requireSameColumn(int index, ColumnMetaData metaData, ColumnSchema column)
      throws TException {
    if (!column.path().hasNames(metaData.getPath_in_schema())) {
      throw malformed(
          "column %d of row group %d is not %s, as in the schema",
          index, rows.size(), column.path());
    }
    if (metaData.getType() != column.type()) {
      throw malformed(
          "column %s of row group %d has type %s but the schema has %s",
          column.path(), rows.size(), metaData.getType(), column.type());
    }
  }

  private static TProtocolException malformed(String fault, Object... arguments) {
    return new TProtocolException(
        TProtocolException.INVALID_DATA, String.format(Locale.ROOT, fault, arguments));
  }
}
