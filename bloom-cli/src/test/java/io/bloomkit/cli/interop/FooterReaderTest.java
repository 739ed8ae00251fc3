package io.bloomkit.cli.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.formattests.FileChecks;
import io.bloomkit.testkit.AllocatedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Footers: those that Parquet's classes write, and forged ones. */
class FooterReaderTest {

  private static final int MANY = 100_000;

  // The fewest bytes that are a struct of the specification.
  private static final int[] LEAST_LEAF = {0x15, 4, 0x38, 0, 0};
  private static final int[] LEAST_COLUMN = {
    0x26, 0, 0x1c, 0x15, 4, 0x19, 5, 0x19, 0x18, 0, 0x15, 0, 0x16, 0, 0x16, 0, 0x16, 0, 0x26, 0, 0,
    0
  };
  private static final int TYPE_AT = 4;
  private static final int NAMES_AT = 8;
  private static final int DATA_PAGE_OFFSET_AT = 18;
  private static final int[] ROW_GROUP_OF_NONE = {0x19, 0x0c};
  private static final int[] ROW_GROUP_OF_ONE = {0x19, 0x1c};
  private static final int[] END_OF_ROW_GROUP = {0x16, 0, 0x16, 0, 0};

  @TempDir private Path folder;

  private ParquetFile read(byte[] file) throws IOException {
    return open(Files.write(folder.resolve("file"), file));
  }

  /** Reads the footer; the file is closed, since only the footer is looked at. */
  private static ParquetFile open(Path file) throws IOException {
    try (ParquetFile opened = ParquetFile.open(file)) {
      return Objects.requireNonNull(opened);
    }
  }

  private static List<String> names(ParquetFile file) {
    return file.columns().stream()
        .map(
            column ->
                column.rowGroup()
                    + " "
                    + column.name()
                    + " "
                    + column.schema().type()
                    + " "
                    + column.schema().length()
                    + " "
                    + column.place()
                    + " "
                    + column.filterOffset()
                    + " "
                    + column.filterLength())
        .toList();
  }

  private ParquetFile read(FileMetaData footer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, bytes);
    return read(FooterSample.file(new byte[0], bytes.toByteArray()));
  }

  @Test
  void whatParquetWritesIsRead() throws IOException {
    ParquetFile file = read(FooterSample.file());
    assertEquals(
        List.of(
            "0 id INT64 0 here 4 -1",
            "0 a.code FIXED_LEN_BYTE_ARRAY 5 here -1 -1",
            "1 id INT64 0 here " + (4 + FooterSample.FILTER_BYTES) + " -1",
            "1 a.code FIXED_LEN_BYTE_ARRAY 5 here -1 -1"),
        names(file));
    assertEquals(2, file.rowGroups());
    assertEquals(11, file.rows(1));
  }

  @Test
  void fieldsThatNobodyNeedsAreSkipped() throws IOException {
    FileMetaData footer = FooterSample.metaData();
    ColumnMetaData column = footer.getRow_groups().get(0).getColumns().get(0).getMeta_data();
    column.setStatistics(new Statistics().setMin_value(new byte[300]).setIs_max_value_exact(true));
    column.setKey_value_metadata(List.of(new KeyValue("key")));
    footer.setKey_value_metadata(List.of(new KeyValue("k".repeat(20_000)).setValue("v")));
    assertEquals(names(read(FooterSample.file())), names(read(footer)));
  }

  @Test
  void valuesOfEveryTypeOfThriftAreSkipped() throws IOException {
    for (int[] field :
        new int[][] {
          {0x11}, // true
          {0x12},
          {0x13, 7}, // a byte
          {0x14, 0xff, 1}, // i16
          {0x16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, // i64
          {0x17, 1, 2, 3, 4, 5, 6, 7, 8}, // a double
          {0x18, 3, 65, 66, 67}, // a binary
          {0x19, 0x25, 1, 2}, // a list of two i32
          {0x19, 0xf1, 2, 0, 0}, // of truth values, long form
          {0x19, 0x22, 0, 0}, // of the other type of truth values
          {0x1a, 0x1c, 0x15, 1, 0}, // a set of one struct
          {0x1b, 0}, // an empty map
          {0x1b, 2, 0x28, 0, 1, 65, 0, 0}, // truth value to binary
          {0x1c, 0x15, 1, 0x05, 20, 1, 0}, // a struct, long field id
          {0x05, 200, 1, 9}, // field 100
          {0x05, 1, 9}, // field −1
        }) {
      Bytes footer = new Bytes().put(0x15, 2, 0x19, 0x0c, 0x16, 0, 0x19, 0x0c).put(field).put(0);
      assertEquals(0, read(footer.file()).rowGroups(), Arrays.toString(field));
    }
  }

  @Test
  void rowGroupsMayPrecedeTheSchema() throws IOException {
    Bytes footer =
        new Bytes()
            .put(0x49, 0x1c) // field 4: one row group
            .put(ROW_GROUP_OF_ONE)
            .put(LEAST_COLUMN)
            .put(END_OF_ROW_GROUP)
            .put(0x05, 2, 2) // field 1
            .put(0x19, 0x2c) // field 2: two elements
            .put(root(1))
            .put(LEAST_LEAF)
            .put(0x16, 0, 0);
    assertEquals(List.of("0  INT64 0 here -1 -1"), names(read(footer.file())));
  }

  /** Bytes of a footer. */
  private static final class Bytes extends ByteArrayOutputStream {

    Bytes put(int... bytes) {
      for (int part : bytes) {
        write(part);
      }
      return this;
    }

    Bytes times(int count, int[]... parts) {
      for (int i = 0; i < count; i++) {
        Arrays.stream(parts).forEach(this::put);
      }
      return this;
    }

    /** A number of elements in a list's long form. */
    Bytes count(int count) {
      int left = count;
      for (; left > 127; left >>>= 7) {
        write((left & 127) | 128);
      }
      return put(left);
    }

    byte[] file() {
      return FooterSample.file(new byte[0], toByteArray());
    }
  }

  /** The root of a schema, or a group without a name. */
  private static int[] root(int children) {
    Bytes root = new Bytes().put(0x48, 0, 0x15).count(2 * children).put(0);
    byte[] bytes = root.toByteArray();
    return IntStream.range(0, bytes.length).map(i -> Byte.toUnsignedInt(bytes[i])).toArray();
  }

  private static Bytes withSchema(int leaves) {
    return new Bytes()
        .put(0x15, 2, 0x19, 0xfc)
        .count(leaves + 1)
        .put(root(leaves))
        .times(leaves, LEAST_LEAF)
        .put(0x16, 0);
  }

  /** A column in many groups within each other. */
  private static Bytes withDeepSchema() {
    return new Bytes()
        .put(0x15, 2, 0x19, 0xfc)
        .count(MANY + 1)
        .times(MANY, root(1))
        .put(LEAST_LEAF)
        .put(0x16, 0);
  }

  private static List<Bytes> largeFooters() {
    List<Bytes> footers = new ArrayList<>();
    footers.add(withSchema(MANY).put(0x19, 0x0c, 0));
    footers.add(
        withSchema(1)
            .put(0x19, 0xfc)
            .count(MANY)
            .times(MANY, ROW_GROUP_OF_NONE, END_OF_ROW_GROUP)
            .put(0));
    footers.add(
        withSchema(1)
            .put(0x19, 0xfc)
            .count(MANY)
            .times(MANY, ROW_GROUP_OF_ONE, LEAST_COLUMN, END_OF_ROW_GROUP)
            .put(0));
    footers.add(
        withSchema(MANY)
            .put(0x19, 0x1c, 0x19, 0xfc)
            .count(MANY)
            .times(MANY, LEAST_COLUMN)
            .put(END_OF_ROW_GROUP)
            .put(0));
    footers.add(
        withDeepSchema()
            .put(0x19, 0x1c)
            .put(ROW_GROUP_OF_ONE)
            .put(Arrays.copyOf(LEAST_COLUMN, NAMES_AT))
            .put(0xf8) // a path of many empty names
            .count(MANY)
            .times(MANY, new int[] {0})
            .put(Arrays.copyOfRange(LEAST_COLUMN, NAMES_AT + 2, LEAST_COLUMN.length))
            .put(END_OF_ROW_GROUP)
            .put(0));
    footers.add(withSchema(1).put(0x19, 0x0c).times(MANY, new int[] {0x11}).put(0));
    footers.add(
        withSchema(1).put(0x19, 0x0c, 0x19, 0xf9).count(MANY).times(MANY, new int[] {9}).put(0));
    footers.add(
        withSchema(1).put(0x19, 0x0c, 0x19, 0xfb).count(MANY).times(MANY, new int[] {0}).put(0));
    footers.add(
        withSchema(1).put(0x19, 0x0c, 0x19, 0xfc).count(MANY).times(MANY, new int[] {0}).put(0));
    return footers;
  }

  @Test
  void largeFootersAreReadWithLittleMemory() throws IOException {
    for (Bytes footer : largeFooters()) {
      byte[] file = footer.file();
      read(file); // loads classes
      Path path = Files.write(folder.resolve("file"), file);
      long before = AllocatedBytes.ofThisThread();
      open(path);
      assertTookLittle(before, file.length);
    }
  }

  private static void assertTookLittle(long before, int received) {
    long allocated = AllocatedBytes.ofThisThread() - before;
    long most = FileChecks.MEMORY_PER_BYTE * received + FileChecks.MEMORY_AT_ONCE;
    assertTrue(allocated <= most, received + " bytes took " + allocated);
  }

  /** What is announced, and does not come. */
  @Test
  void announcedElementsTakeNoMemory() throws IOException {
    int[] most = {255, 255, 255, 255, 15};
    for (Bytes footer :
        List.of(
            new Bytes().put(0x15, 2, 0x19, 0xfc).put(most),
            withSchema(1).put(0x19, 0xfc).put(most),
            withSchema(1).put(0x19, 0x1c, 0x19, 0xfc).put(most),
            withSchema(1).put(0x18).put(most),
            withSchema(1).put(0x19, 0xf1).put(most),
            withSchema(1).put(0x1b).put(most).put(0x11),
            new Bytes().put(0x15, 2, 0x19, 0x1c, 0x48).put(most),
            oneColumn(Arrays.copyOf(LEAST_COLUMN, NAMES_AT)).put(0xf8).put(most))) {
      byte[] file = footer.file();
      Path path = Files.write(folder.resolve("file"), file);
      for (int i = 0; i < 3; i++) { // the first ones load classes
        long before = AllocatedBytes.ofThisThread();
        assertThrows(FilterFormatException.class, () -> open(path));
        if (i == 2) {
          assertTookLittle(before, file.length);
        }
      }
    }
  }

  private void assertRefused(String message, Bytes footer) {
    byte[] file = footer.file();
    FilterFormatException refusal = assertThrows(FilterFormatException.class, () -> read(file));
    assertTrue(
        refusal.toString().contains("the footer of the Parquet file is damaged: " + message),
        refusal.toString());
  }

  private static Bytes oneColumn(int[] chunk) {
    return withSchema(1)
        .put(0x19, 0x1c)
        .put(ROW_GROUP_OF_ONE)
        .put(chunk)
        .put(END_OF_ROW_GROUP)
        .put(0);
  }

  private static int[] column(int at, int part) {
    int[] column = LEAST_COLUMN.clone();
    column[at] = part;
    return column;
  }

  @Test
  void structsWithoutARequiredFieldAreRefused() {
    assertRefused("FileMetaData has no field 1", new Bytes().put(0));
    assertRefused("FileMetaData has no field 4", withSchema(1).put(0));
    assertRefused("FileMetaData has no field 4", withSchema(1).put(0x15, 0, 0)); // of another type
    assertRefused("SchemaElement has no field 4", new Bytes().put(0x15, 2, 0x19, 0x1c, 0));
    assertRefused("RowGroup has no field 1", withSchema(1).put(0x19, 0x1c, 0, 0));
    assertRefused(
        "RowGroup has no field 3", withSchema(1).put(0x19, 0x1c, 0x19, 0x0c, 0x16, 0, 0, 0));
    assertRefused("ColumnChunk has no field 2", oneColumn(new int[] {0}));
    assertRefused("ColumnMetaData has no field 1", oneColumn(column(3, 0x16)));
    assertRefused("ColumnMetaData has no field 9", oneColumn(column(DATA_PAGE_OFFSET_AT, 0x36)));
  }

  @Test
  void whatIsNoFooterIsRefused() {
    assertRefused("the footer ends too early", new Bytes().put(0x15));
    assertRefused("the footer ends too early", new Bytes().put(0x18, 2, 0));
    assertRefused("the footer ends too early", new Bytes().put(0x17, 0, 0));
    assertRefused("Thrift has no type with the number 13", new Bytes().put(0x1d));
    assertRefused("Thrift has no type with the number 0", new Bytes().put(0x59, 0x10));
    assertRefused("structs are nested more than 64 deep", new Bytes().times(100, new int[] {0x5c}));
    assertRefused(
        "structs are nested more than 64 deep", new Bytes().put(0x59).times(100, new int[] {0x19}));
    assertRefused(
        "the elements of a list must have type 12, got 5", new Bytes().put(0x15, 2, 0x19, 0x15, 0));
    assertRefused(
        "row group 0 has 2 columns but the schema has 1",
        withSchema(1)
            .put(0x19, 0x1c, 0x19, 0x2c)
            .times(2, LEAST_COLUMN)
            .put(END_OF_ROW_GROUP)
            .put(0));
    assertRefused("column  has a type unknown to Parquet", ofOneElement(0x15, 16, 0x38, 0, 0));
    assertRefused(
        "the values of column  must have a length of at least 1, got 0",
        ofOneElement(0x15, 14, 0x38, 0, 0));
  }

  private static Bytes ofOneElement(int... element) {
    return new Bytes().put(0x15, 2, 0x19, 0x2c).put(root(1)).put(element).put(0x16, 0);
  }

  @Test
  void schemasThatAreNoTreeAreRefused() {
    assertRefused("the schema ends within a group", ofOneElement(root(1)));
    assertRefused(
        "the schema has 1 elements that no group contains",
        new Bytes().put(0x15, 2, 0x19, 0x2c).put(root(0)).put(LEAST_LEAF));
    assertRefused("num_children must be at least 0, got -1", ofOneElement(0x48, 0, 0x15, 1, 0));
    assertRefused(
        "column  has both a type and members", ofOneElement(0x15, 4, 0x38, 0, 0x15, 2, 0));
    assertRefused("LogicalType has no value", ofOneElement(0x15, 4, 0x38, 0, 0x6c, 0, 0));
    assertRefused(
        "LogicalType has more than one value",
        ofOneElement(0x15, 4, 0x38, 0, 0x6c, 0x6c, 0, 0x1c, 0, 0, 0));
  }

  /** As a later version of the format may have. */
  @Test
  void unknownLogicalTypesDoNotPreventReading() throws IOException {
    for (int[] field :
        new int[][] {
          {0x25, 0xc6, 1}, // ConvertedType 99
          {0x25, 1}, // ConvertedType -1
          {0x6c, 0xfc, 0, 0}, // FLOAT16
          {0x6c, 0x0c, 60, 0, 0}, // LogicalType 30
          {0x6c, 0x15, 0, 0}, // a choice that is no struct
          {0x6c, 0x7c, 0, 0}, // TIME without parameters
          {0x6c, 0xac, 0x13, 32, 0, 0}, // INTEGER without a sign
        }) {
      Bytes element = new Bytes().put(0x15, 4, 0x38, 0).put(field).put(0);
      byte[] bytes = element.toByteArray();
      Bytes footer = new Bytes().put(0x15, 2, 0x19, 0x2c).put(root(1));
      footer.writeBytes(bytes);
      ParquetFile file = read(footer.put(0x16, 0, 0x19, 0x0c, 0).file());
      ColumnSchema column = file.schema().get(0);
      String refusal =
          assertThrows(IllegalArgumentException.class, column::requireKnownType).toString();
      assertTrue(refusal.endsWith("does not know how its values are stored"), refusal);
    }
    assertRefused(
        "TimeUnit has no value 4", ofOneElement(0x15, 4, 0x38, 0, 0x6c, 0x7c, 0x2c, 0x4c, 0));
    assertRefused(
        "TimeUnit has more than one value",
        ofOneElement(0x15, 4, 0x38, 0, 0x6c, 0x7c, 0x2c, 0x1c, 0, 0x1c, 0, 0));
  }

  /** Else a reader might take the filter of another column, or miss a row group. */
  @Test
  void footersThatContradictThemselvesAreRefused() throws IOException {
    assertRefused(
        "column  of row group 0 has type INT32 but the schema has INT64",
        oneColumn(column(TYPE_AT, 2)));
    assertRefused(
        "column 0 of row group 0 is not , as in the schema", oneColumn(column(NAMES_AT, 8)));
    assertRefused("column  of row group 0 has no metadata", oneColumn(new int[] {0x26, 0, 0}));
    assertRefused(
        "row group 0 has two lists of columns",
        withSchema(1)
            .put(0x19, 0x1c)
            .put(ROW_GROUP_OF_ONE)
            .put(LEAST_COLUMN)
            .put(0x09, 2, 0x1c)
            .put(LEAST_COLUMN)
            .put(END_OF_ROW_GROUP)
            .put(0));
    FileMetaData footer = FooterSample.metaData();
    footer.getSchema().get(1).setName("ie");
    assertDamaged("column 0 of row group 0 is not ie, as in the schema", footer);
    footer.getSchema().get(1).setName("id");
    footer.getRow_groups().remove(1);
    assertDamaged("the row groups have 10 rows but the file has 21", footer);
  }

  private void assertDamaged(String message, FileMetaData footer) {
    FilterFormatException refusal = assertThrows(FilterFormatException.class, () -> read(footer));
    assertTrue(refusal.toString().endsWith(message), refusal.toString());
  }

  @Test
  void encryptedFootersAreRefused() throws IOException {
    byte[] file = FooterSample.file();
    for (int at : new int[] {3, file.length - 1}) {
      file[at] = 'E';
    }
    Path encrypted = Files.write(folder.resolve("encrypted"), file);
    assertTrue(
        assertThrows(FilterFormatException.class, () -> open(encrypted))
            .toString()
            .endsWith("the footer of the Parquet file is encrypted"));
  }
}
