package io.bloomkit.cli.interop;

import static io.bloomkit.cli.interop.FooterProtocol.BINARY;
import static io.bloomkit.cli.interop.FooterProtocol.I32;
import static io.bloomkit.cli.interop.FooterProtocol.I64;
import static io.bloomkit.cli.interop.FooterProtocol.LIST;
import static io.bloomkit.cli.interop.FooterProtocol.STRUCT;
import static io.bloomkit.cli.interop.FooterProtocol.field;

import io.bloomkit.FilterFormatException;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;

/**
 * Reads the struct {@code FileMetaData} of parquet.thrift, the footer of a Parquet file, and keeps
 * only the data that queries require: about a hundred bytes per column of a row group. A struct
 * without a required field is refused, so a column takes at least 21 bytes of the footer. The
 * memory is therefore proportional to the size of the footer.
 */
final class FooterReader {

  // The fields of parquet.thrift, by id and type.

  // FileMetaData
  private static final int SCHEMA = field(2, LIST);
  private static final int ROW_GROUPS = field(4, LIST);
  private static final long OF_FOOTER =
      FooterProtocol.required(field(1, I32), SCHEMA, field(3, I64), ROW_GROUPS);

  // SchemaElement
  private static final int TYPE_LENGTH = field(2, I32);
  private static final int NUM_CHILDREN = field(5, I32);
  private static final long OF_SCHEMA_ELEMENT = FooterProtocol.required(field(4, BINARY));

  // RowGroup
  private static final int COLUMNS = field(1, LIST);
  private static final int NUM_ROWS = field(3, I64);
  private static final long OF_ROW_GROUP =
      FooterProtocol.required(COLUMNS, field(2, I64), NUM_ROWS);

  // ColumnChunk
  private static final int META_DATA = field(3, STRUCT);
  private static final int CRYPTO_METADATA = field(8, STRUCT);
  private static final long OF_CHUNK = FooterProtocol.required(field(2, I64));

  // ColumnMetaData
  private static final int TYPE = field(1, I32);
  private static final int PATH_IN_SCHEMA = field(3, LIST);
  private static final int BLOOM_FILTER_OFFSET = field(14, I64);
  private static final long OF_META_DATA =
      FooterProtocol.required(
          TYPE,
          field(2, LIST),
          PATH_IN_SCHEMA,
          field(4, I32),
          field(5, I64),
          field(6, I64),
          field(7, I64),
          field(9, I64));

  private static final int NONE = -1;

  private final FooterTransport bytes;
  private final FooterProtocol in;

  private final FooterProtocol.Fields schemaElement = this::readSchemaElementField;
  private final FooterProtocol.Fields rowGroup = this::readRowGroupField;
  private final FooterProtocol.Fields chunk = this::readChunkField;
  private final FooterProtocol.Fields metaData = this::readMetaDataField;

  private final List<ParquetColumn> columns = new ArrayList<>();
  private final LongList rows = new LongArrayList();

  /** The length of a value in bytes, for each leaf of the schema. */
  private final IntArrayList lengths = new IntArrayList();

  private long rowGroupsAt = NONE;

  // Fields of the schema element, row group and column that are being read.
  private int length;
  private int children;
  private long numRows;
  private boolean hasMetaData;
  private boolean isEncrypted;
  private @Nullable Type type;
  private final ByteArrayOutputStream path = new ByteArrayOutputStream();
  private long filterOffset;

  private FooterReader(FileChannel channel, long start, long end) throws TException {
    this.bytes = new FooterTransport(channel, start, end);
    this.in = new FooterProtocol(bytes);
  }

  /** The columns in the order of the file, and the number of rows of each row group. */
  record Footer(List<ParquetColumn> columns, LongList rows) {}

  /**
   * Reads the footer between two offsets of a file.
   *
   * @throws FilterFormatException if the footer is damaged
   */
  static Footer read(FileChannel channel, long start, long end) throws IOException {
    FooterReader reader;
    try {
      reader = new FooterReader(channel, start, end);
    } catch (TException e) {
      throw new AssertionError("nothing was read", e);
    }
    try {
      reader.readFooter();
    } catch (TException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new FilterFormatException(
          reader.bytes.position(), "the footer of the Parquet file is damaged: " + e.getMessage());
    }
    return new Footer(reader.columns, reader.rows);
  }

  private void readFooter() throws TException {
    in.readStruct("FileMetaData", OF_FOOTER, this::readFooterField);
    bytes.seek(rowGroupsAt);
    for (long left = in.readListStart(STRUCT); left > 0; left--) {
      in.readStruct("RowGroup", OF_ROW_GROUP, rowGroup);
      rows.add(numRows);
    }
  }

  private boolean readFooterField(int field) throws TException {
    if (field == ROW_GROUPS) {
      rowGroupsAt =
          bytes.position(); // skipped here and read later, since reading them requires the schema
      return false;
    }
    if (field != SCHEMA) {
      return false;
    }
    for (long left = in.readListStart(STRUCT); left > 0; left--) {
      length = 0;
      children = 0;
      in.readStruct("SchemaElement", OF_SCHEMA_ELEMENT, schemaElement);
      if (children == 0) {
        lengths.add(length);
      }
    }
    return true;
  }

  private boolean readSchemaElementField(int field) throws TException {
    if (field == TYPE_LENGTH) {
      length = in.readI32();
    } else if (field == NUM_CHILDREN) {
      children = in.readI32();
    } else {
      return false;
    }
    return true;
  }

  private boolean readRowGroupField(int field) throws TException {
    if (field == NUM_ROWS) {
      numRows = in.readI64();
    } else if (field == COLUMNS) {
      readColumns();
    } else {
      return false;
    }
    return true;
  }

  private void readColumns() throws TException {
    long count = in.readListStart(STRUCT);
    if (count > lengths.size()) {
      throw FooterProtocol.malformed(
          "row group %d has %d columns but the schema has %d", rows.size(), count, lengths.size());
    }
    for (int i = 0; i < count; i++) {
      hasMetaData = false;
      isEncrypted = false;
      in.readStruct("ColumnChunk", OF_CHUNK, chunk);
      if (hasMetaData && !isEncrypted) {
        columns.add(column(i));
      }
    }
  }

  private boolean readChunkField(int field) throws TException {
    if (field == CRYPTO_METADATA) {
      isEncrypted = true; // the filter is encrypted as well
      return false;
    }
    if (field != META_DATA) {
      return false;
    }
    hasMetaData = true;
    type = null;
    path.reset();
    filterOffset = NONE;
    in.readStruct("ColumnMetaData", OF_META_DATA, metaData);
    return true;
  }

  private boolean readMetaDataField(int field) throws TException {
    if (field == TYPE) {
      type = Type.findByValue(in.readI32());
    } else if (field == PATH_IN_SCHEMA) {
      readPath();
    } else if (field == BLOOM_FILTER_OFFSET) {
      filterOffset = in.readI64();
      if (filterOffset < 0) {
        throw FooterProtocol.malformed(
            "bloom_filter_offset must be at least 0, got %d", filterOffset);
      }
    } else {
      return false;
    }
    return true;
  }

  private void readPath() throws TException {
    path.reset();
    long count = in.readListStart(BINARY);
    for (long i = 0; i < count; i++) {
      if (i > 0) {
        path.write('.');
      }
      in.readBinaryTo(path);
    }
  }

  private ParquetColumn column(int leaf) throws TException {
    String name = path.toString(StandardCharsets.UTF_8);
    if (type == null) {
      throw FooterProtocol.malformed("column %s has a type unknown to Parquet", name);
    }
    int valueLength = type == Type.FIXED_LEN_BYTE_ARRAY ? lengths.getInt(leaf) : 0;
    if (type == Type.FIXED_LEN_BYTE_ARRAY && valueLength < 1) {
      throw FooterProtocol.malformed(
          "the values of column %s must have a length of at least 1, got %d", name, valueLength);
    }
    return new ParquetColumn(rows.size(), name, type, valueLength, filterOffset);
  }
}
