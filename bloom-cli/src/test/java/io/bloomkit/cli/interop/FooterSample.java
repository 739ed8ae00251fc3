package io.bloomkit.cli.interop;

import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** Small Parquet files with filters and without data; Parquet's classes write their footers. */
public final class FooterSample {

  /** Where the filter of the first row group of {@link #file()} begins; the second follows. */
  static final int FILTER_AT = 4;

  /** The length of a filter. */
  static final int FILTER_BYTES = filter(0).length;

  private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);

  private FooterSample() {}

  /** Returns a file of two row groups with the columns {@code id} and {@code a.code}. */
  public static byte[] file() throws IOException {
    return file(metaData());
  }

  /** Returns a file of two filters and a footer. */
  static byte[] file(FileMetaData metaData) throws IOException {
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(metaData, footer);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(filter(0));
    body.writeBytes(filter(1));
    return file(body.toByteArray(), footer.toByteArray());
  }

  /** Returns the filter of a row group, which contains 42 and the index of the row group. */
  private static byte[] filter(long rowGroup) {
    ParquetBloomFilter<Long> filter =
        ParquetBloomFilter.create(ParquetStrategies.int64(), 10, 0.01);
    filter.add(42L);
    filter.add(rowGroup);
    return filter.toBytes();
  }

  /** Returns a file of bytes and a footer. */
  public static byte[] file(byte[] body, byte[] footer) {
    return ByteBuffer.allocate(2 * MARK.length + body.length + footer.length + Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MARK)
        .put(body)
        .put(footer)
        .putInt(footer.length)
        .put(MARK)
        .array();
  }

  static FileMetaData metaData() {
    SchemaElement root = new SchemaElement("root").setNum_children(2);
    SchemaElement id = new SchemaElement("id").setType(Type.INT64);
    SchemaElement group = new SchemaElement("a").setNum_children(1);
    SchemaElement code =
        new SchemaElement("code").setType(Type.FIXED_LEN_BYTE_ARRAY).setType_length(5);
    List<RowGroup> groups = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ColumnChunk ids = chunk(Type.INT64, "id");
      ids.getMeta_data().setBloom_filter_offset(FILTER_AT + i * FILTER_BYTES);
      groups.add(
          new RowGroup(
              Arrays.asList(ids, chunk(Type.FIXED_LEN_BYTE_ARRAY, "a", "code")), 0, 10L + i));
    }
    return new FileMetaData(1, Arrays.asList(root, id, group, code), 21, groups)
        .setCreated_by("a test");
  }

  static ColumnChunk chunk(Type type, String... path) {
    return new ColumnChunk(0)
        .setMeta_data(
            new ColumnMetaData(
                type,
                List.of(Encoding.PLAIN),
                List.of(path),
                CompressionCodec.UNCOMPRESSED,
                10,
                80,
                80,
                FILTER_AT + 2 * FILTER_BYTES));
  }
}
