package io.bloomkit.cli.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.parquet.crypto.ColumnEncryptionProperties;
import org.apache.parquet.crypto.FileEncryptionProperties;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/** A Parquet file that the library of Parquet has written, with filters in it. */
public final class ParquetSample {

  /** The rows of a row group. */
  public static final int ROWS = 1000;

  /** The number of row groups. */
  public static final int ROW_GROUPS = 3;

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message accounts {
            required int64 id;
            required int32 day;
            required float share;
            required double amount;
            required binary name (STRING);
            required fixed_len_byte_array(4) code;
            required boolean open;
            required group address {
              optional binary city (STRING);
            }
          }
          """);

  private ParquetSample() {}

  /** Writes a file: row i has id 10i, day i, share i / 4, amount i / 8, name "name i". */
  public static Path write(Path file) throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(SCHEMA)
            .withRowGroupRowCountLimit(ROWS)
            .withDictionaryEncoding(false)
            .withBloomFilterNDV("id", ROWS)
            .withBloomFilterEnabled("id", true)
            .withBloomFilterEnabled("day", true)
            .withBloomFilterEnabled("share", true)
            .withBloomFilterEnabled("amount", true)
            .withBloomFilterEnabled("name", true)
            .withBloomFilterEnabled("code", true)
            .withBloomFilterEnabled("address.city", true)
            .withMaxBloomFilterBytes(4096)
            .build()) {
      for (int i = 0; i < ROWS * ROW_GROUPS; i++) {
        Group row = new SimpleGroup(SCHEMA);
        row.add("id", 10L * i);
        row.add("day", i);
        row.add("share", i / 4f);
        row.add("amount", i / 8d);
        row.add("name", "name " + i);
        row.add("code", Binary.fromConstantByteArray(new byte[] {0, 0, (byte) (i >> 8), (byte) i}));
        row.add("open", i % 2 == 0);
        row.addGroup("address").add("city", "city " + i / 10);
        writer.write(row);
      }
    }
    return file;
  }

  private static final MessageType SMALL =
      MessageTypeParser.parseMessageType(
          """
          message rows {
            required int64 id;
            required int32 day (DATE);
            required int64 at (TIMESTAMP(MILLIS, true));
            required double share;
            required binary name (STRING);
            required group address {
              required binary city (STRING);
            }
          }
          """);

  /**
   * Writes a small file with filters for all columns, with the rows of the stored files that other
   * writers have written.
   */
  static Path writeSmall(Path file, int rows, int rowGroups) throws IOException {
    return writeSmall(file, rows, rowGroups, null);
  }

  /** Writes a small file of two row groups with an encrypted column. */
  static Path writeEncrypted(Path file, String column) throws IOException {
    byte[] key = "a key of 16 byte".getBytes(StandardCharsets.US_ASCII);
    ColumnPath path = ColumnPath.fromDotString(column);
    return writeSmall(
        file,
        10,
        2,
        FileEncryptionProperties.builder(key)
            .withPlaintextFooter()
            .withEncryptedColumns(
                Map.of(path, ColumnEncryptionProperties.builder(path).withKey(key).build()))
            .build());
  }

  private static Path writeSmall(
      Path file, int rows, int rowGroups, @Nullable FileEncryptionProperties encryption)
      throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(SMALL)
            .withRowGroupRowCountLimit(rows)
            .withBloomFilterEnabled(true)
            .withMaxBloomFilterBytes(256)
            .withEncryption(encryption)
            .build()) {
      for (int i = 0; i < rows * rowGroups; i++) {
        Group row = new SimpleGroup(SMALL);
        row.add("id", 10L * i);
        row.add("day", 20_000 + i);
        row.add("at", 1_700_000_000_000L + 1000L * i);
        row.add("share", i / 8d);
        row.add("name", "name " + i);
        row.addGroup("address").add("city", "city " + i);
        writer.write(row);
      }
    }
    return file;
  }
}
