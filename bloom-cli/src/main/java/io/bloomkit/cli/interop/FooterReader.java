package io.bloomkit.cli.interop;

import static io.bloomkit.cli.interop.FooterProtocol.BINARY;
import static io.bloomkit.cli.interop.FooterProtocol.I32;
import static io.bloomkit.cli.interop.FooterProtocol.I64;
import static io.bloomkit.cli.interop.FooterProtocol.LIST;
import static io.bloomkit.cli.interop.FooterProtocol.STRUCT;
import static io.bloomkit.cli.interop.FooterProtocol.field;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cli.interop.ParquetColumn.Place;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.channels.FileChannel;
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
  private static final int NUM_ROWS_OF_FILE = field(3, I64);
  private static final int ROW_GROUPS = field(4, LIST);
  private static final long OF_FOOTER =
      FooterProtocol.required(field(1, I32), SCHEMA, NUM_ROWS_OF_FILE, ROW_GROUPS);

  // RowGroup
  private static final int COLUMNS = field(1, LIST);
  private static final int NUM_ROWS = field(3, I64);
  private static final long OF_ROW_GROUP =
      FooterProtocol.required(COLUMNS, field(2, I64), NUM_ROWS);

  // ColumnChunk
  private static final int FILE_PATH = field(1, BINARY);
  private static final int META_DATA = field(3, STRUCT);
  private static final int OFFSET_INDEX_OFFSET = field(4, I64);
  private static final int COLUMN_INDEX_OFFSET = field(6, I64);
  private static final int CRYPTO_METADATA = field(8, STRUCT);
  private static final int ENCRYPTED_COLUMN_METADATA = field(9, BINARY);
  private static final long OF_CHUNK = FooterProtocol.required(field(2, I64));

  // ColumnMetaData
  private static final int TYPE = field(1, I32);
  private static final int PATH_IN_SCHEMA = field(3, LIST);
  private static final int DATA_PAGE_OFFSET = field(9, I64);
  private static final int DICTIONARY_PAGE_OFFSET = field(11, I64);
  private static final int BLOOM_FILTER_OFFSET = field(14, I64);
  private static final int BLOOM_FILTER_LENGTH = field(15, I32);
  private static final long OF_META_DATA =
      FooterProtocol.required(
          TYPE,
          field(2, LIST),
          PATH_IN_SCHEMA,
          field(4, I32),
          field(5, I64),
          field(6, I64),
          field(7, I64),
          DATA_PAGE_OFFSET);

  private static final int NONE = -1;

  private final FooterTransport bytes;
  private final FooterProtocol in;

  private final SchemaReader schemas;
  private final FooterProtocol.Fields rowGroup = this::readRowGroupField;
  private final FooterProtocol.Fields chunk = this::readChunkField;
  private final FooterProtocol.Fields metaData = this::readMetaDataField;

  private List<ColumnSchema> schema = List.of();
  private final List<ParquetColumn> columns = new ArrayList<>();
  private final LongArrayList rows = new LongArrayList();
  private final LongArrayList starts = new LongArrayList();

  private long rowGroupsAt = NONE;
  private long rowsOfFile;

  // Fields of the row group and column that are being read.
  private long numRows;
  private boolean hasMetaData;
  private boolean isEncrypted;
  private boolean isElsewhere;
  private int leaf;
  private @Nullable Type type;
  private long filterOffset;
  private int filterLength;
  private final LongArrayList startsOfChunk = new LongArrayList();

  private FooterReader(FileChannel channel, long start, long end) throws TException {
    this.bytes = new FooterTransport(channel, start, end);
    this.in = new FooterProtocol(bytes);
    this.schemas = new SchemaReader(in);
    starts.add(start);
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
    reader.starts.unstableSort(null);
    return new Footer(reader.schema, reader.columns, reader.rows, start, reader.starts);
  }

  private void readFooter() throws TException {
    in.readStruct("FileMetaData", OF_FOOTER, this::readFooterField);
    bytes.seek(rowGroupsAt);
    for (long left = in.readListStart(STRUCT); left > 0; left--) {
      in.readStruct("RowGroup", OF_ROW_GROUP, rowGroup);
      rows.add(numRows);
    }
    long sum = rows.longStream().sum();
    if (sum != rowsOfFile) {
      throw FooterProtocol.malformed(
          "the row groups have %d rows but the file has %d", sum, rowsOfFile);
    }
  }

  private boolean readFooterField(int field) throws TException {
    if (field == ROW_GROUPS) {
      rowGroupsAt =
          bytes.position(); // skipped here and read later, since reading them requires the schema
      return false;
    }
    if (field == SCHEMA) {
      schema = schemas.read();
    } else if (field == NUM_ROWS_OF_FILE) {
      rowsOfFile = in.readI64();
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
    if (!columns.isEmpty() && columns.get(columns.size() - 1).rowGroup() == rows.size()) {
      throw FooterProtocol.malformed("row group %d has two lists of columns", rows.size());
    }
    long count = in.readListStart(STRUCT);
    if (count > schema.size()) {
      throw FooterProtocol.malformed(
          "row group %d has %d columns but the schema has %d", rows.size(), count, schema.size());
    }
    for (leaf = 0; leaf < count; leaf++) {
      readChunk();
    }
  }

  private void readChunk() throws TException {
    hasMetaData = false;
    isEncrypted = false;
    isElsewhere = false;
    filterOffset = NONE;
    filterLength = ParquetColumn.UNKNOWN_LENGTH;
    startsOfChunk.clear();
    in.readStruct("ColumnChunk", OF_CHUNK, chunk);
    if (!hasMetaData && !isEncrypted) {
      throw FooterProtocol.malformed(
          "column %s of row group %d has no metadata", schema.get(leaf).path(), rows.size());
    }
    Place place = isElsewhere ? Place.ELSEWHERE : isEncrypted ? Place.ENCRYPTED : Place.HERE;
    if (place != Place.ELSEWHERE) {
      startsOfChunk.add(filterOffset);
      for (int i = 0; i < startsOfChunk.size(); i++) {
        if (startsOfChunk.getLong(i) > 0) {
          starts.add(startsOfChunk.getLong(i));
        }
      }
    }
    columns.add(
        new ParquetColumn(rows.size(), schema.get(leaf), place, filterOffset, filterLength));
  }

  private boolean readChunkField(int field) throws TException {
    if (field == FILE_PATH) {
      isElsewhere = true;
    } else if (field == CRYPTO_METADATA || field == ENCRYPTED_COLUMN_METADATA) {
      isEncrypted = true; // the filter is encrypted as well
    } else if (field == OFFSET_INDEX_OFFSET || field == COLUMN_INDEX_OFFSET) {
      startsOfChunk.add(in.readI64());
      return true;
    } else if (field == META_DATA) {
      readMetaData();
      return true;
    }
    return false;
  }

  private void readMetaData() throws TException {
    hasMetaData = true;
    type = null;
    in.readStruct("ColumnMetaData", OF_META_DATA, metaData);
    ColumnSchema column = schema.get(leaf);
    if (type != column.type()) {
      throw FooterProtocol.malformed(
          "column %s of row group %d has type %s but the schema has %s",
          column.path(), rows.size(), String.valueOf(type), column.type());
    }
  }

  private boolean readMetaDataField(int field) throws TException {
    if (field == TYPE) {
      type = Type.findByValue(in.readI32());
    } else if (field == PATH_IN_SCHEMA) {
      readPath();
    } else if (field == DATA_PAGE_OFFSET || field == DICTIONARY_PAGE_OFFSET) {
      startsOfChunk.add(in.readI64());
    } else if (field == BLOOM_FILTER_OFFSET) {
      filterOffset = in.readI64();
    } else if (field == BLOOM_FILTER_LENGTH) {
      filterLength = in.readI32();
    } else {
      return false;
    }
    return true;
  }

  /** Reads the path of a column, which must be the one in the schema at the same place. */
  private void readPath() throws TException {
    ColumnPath path = schema.get(leaf).path();
    byte[][] names = path.names();
    boolean isExpected = in.readListStart(BINARY) == names.length;
    for (int i = 0; isExpected && i < names.length; i++) {
      isExpected = in.readsBinary(names[i]);
    }
    if (!isExpected) {
      throw FooterProtocol.malformed(
          "column %d of row group %d is not %s, as in the schema", leaf, rows.size(), path);
    }
  }
}
