package io.bloomkit.cli.interop;

import io.bloomkit.classic.parquet.ParquetBloomFilter;
import io.bloomkit.classic.parquet.ParquetStrategies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

/** Small Parquet files with a filter and without data; Parquet's classes write their footers. */
public final class FooterSample {

  /** Where the only filter of {@link #file()} begins. */
  static final int FILTER_AT = 4;

  private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);

  private FooterSample() {}

  /** Returns a file of two row groups with the columns {@code id} and {@code a.code}. */
  public static byte[] file() throws IOException {
    ParquetBloomFilter<Long> filter =
        ParquetBloomFilter.create(ParquetStrategies.int64(), 10, 0.01);
    filter.add(42L);
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(metaData(), footer);
    return file(filter.toBytes(), footer.toByteArray());
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
      ids.getMeta_data().setBloom_filter_offset(FILTER_AT);
      groups.add(
          new RowGroup(List.of(ids, chunk(Type.FIXED_LEN_BYTE_ARRAY, "a", "code")), 0, 10L + i));
    }
    return new FileMetaData(1, List.of(root, id, group, code), 21, groups).setCreated_by("a test");
  }

  private static ColumnChunk chunk(Type type, String... path) {
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
                FILTER_AT));
  }
}
