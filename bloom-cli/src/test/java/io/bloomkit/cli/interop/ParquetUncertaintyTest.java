package io.bloomkit.cli.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnCryptoMetaData;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.EncryptionWithFooterKey;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Float16Type;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.MilliSeconds;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.UUIDType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row group is read if its filter may be wrong; a column is refused if it may be another. */
class ParquetUncertaintyTest {

  @TempDir private Path folder;

  private final FileMetaData footer = FooterSample.metaData();

  private List<ColumnChunk> chunks(int rowGroup) {
    return footer.getRow_groups().get(rowGroup).getColumns();
  }

  private ColumnMetaData ids(int rowGroup) {
    return chunks(rowGroup).get(0).getMeta_data();
  }

  private Path file() throws IOException {
    return Files.write(folder.resolve("file.parquet"), FooterSample.file(footer));
  }

  private static CommandRun check(Path file, String column, String values) {
    return CommandRun.of(values, "check", file, "--column", column);
  }

  private static void assertAnswers(CommandRun run, String... answers) {
    List<String> lines = run.out().lines().skip(1).toList();
    assertEquals(answers.length, lines.size(), run.toString());
    for (int group = 0; group < answers.length; group++) {
      assertTrue(lines.get(group).endsWith("  " + answers[group]), run.toString());
    }
    boolean isAnyRead = List.of(answers).stream().anyMatch(answer -> !answer.equals("skip"));
    assertEquals(isAnyRead ? 0 : 1, run.exitCode(), run.err());
  }

  private void assertDamaged(String fault) throws IOException {
    Path file = file();
    CommandRun run = check(file, "id", "1\n");
    assertAnswers(run, "read: damaged filter", "read");
    String damage = "the Bloom filter of row group 0, column id is damaged: ";
    assertTrue(run.err().startsWith("bloom: warning: " + file + ": at byte "), run.err());
    assertTrue(run.err().contains(damage) && run.err().contains(fault), run.err());
    String inspected = CommandRun.fail("", "inspect", file);
    assertTrue(inspected.contains(damage) && inspected.contains(fault), inspected);
  }

  @Test
  void aFilterOfTheRecordedLengthIsUsed() throws IOException {
    ids(0).setBloom_filter_length(FooterSample.FILTER_BYTES);
    ids(1).setBloom_filter_length(FooterSample.FILTER_BYTES);
    assertAnswers(check(file(), "id", "1\n"), "skip", "read");
    assertAnswers(check(file(), "id", "7\n"), "skip", "skip");
  }

  @Test
  void aFilterThatDisagreesWithTheRecordedLengthIsDamaged() throws IOException {
    for (int length : new int[] {0, -2, 1, FooterSample.FILTER_BYTES - 1}) {
      ids(0).setBloom_filter_length(length);
      assertDamaged(
          "the header announces a filter of "
              + FooterSample.FILTER_BYTES
              + " bytes, but it must have "
              + length);
    }
    ids(0).setBloom_filter_length(FooterSample.FILTER_BYTES + 1);
    assertDamaged(
        "bloom_filter_length is "
            + (FooterSample.FILTER_BYTES + 1)
            + ", but another part of the file begins after "
            + FooterSample.FILTER_BYTES
            + " bytes");
  }

  /** As parquet-mr wrote it before 1.14. */
  @Test
  void aFilterWithoutARecordedLengthMustEndWhereTheNextPartBegins() throws IOException {
    chunks(1).get(1).setOffset_index_offset(FooterSample.FILTER_AT + 32);
    assertDamaged(
        "the header announces a filter of "
            + FooterSample.FILTER_BYTES
            + " bytes, but it must have 32");
  }

  @Test
  void aFilterOutsideOfTheDataIsDamaged() throws IOException {
    for (long offset : new long[] {1, 3, 100_000, Long.MAX_VALUE}) {
      ids(0).setBloom_filter_offset(offset);
      assertDamaged("bloom_filter_offset must be in [4, ");
    }
    ids(0).setBloom_filter_offset(FooterSample.FILTER_AT + 1);
    assertDamaged("not the bytes of a Parquet Bloom filter");
  }

  @Test
  void theFilterOfAnotherColumnIsDamaged() throws IOException {
    ids(0).setBloom_filter_offset(ids(1).getBloom_filter_offset());
    CommandRun run = check(file(), "id", "0\n");
    assertAnswers(run, "read: damaged filter", "read: damaged filter");
    assertTrue(run.err().contains("another part of the file begins at the same byte"), run.err());
  }

  @Test
  void anOffsetOfZeroOrLessMeansNoFilter() throws IOException {
    for (long offset : new long[] {0, -1, Long.MIN_VALUE}) {
      ids(0).setBloom_filter_offset(offset);
      assertAnswers(check(file(), "id", "7\n"), "read: no filter", "skip");
      assertTrue(CommandRun.succeed("", "inspect", file()).out().contains("-"));
    }
    ids(1).setBloom_filter_offset(0);
    assertTrue(
        CommandRun.fail("7\n", "check", file(), "--column", "id")
            .contains("column id has no Bloom filter in any row group"));
  }

  @Test
  void aRowGroupThatLacksTheColumnIsRead() throws IOException {
    footer.getRow_groups().set(0, new RowGroup(List.of(), 0, 10));
    assertAnswers(check(file(), "id", "7\n"), "read: no filter", "skip");
  }

  @Test
  void aFileWithoutRowGroupsNeedsNothingRead() throws IOException {
    footer.setRow_groups(List.of()).setNum_rows(0);
    CommandRun run = check(file(), "id", "7\n");
    assertAnswers(run);
    assertEquals(1, run.exitCode());
    assertTrue(
        CommandRun.fail("", "check", file(), "--column", "none")
            .contains("there is no column none; the columns are [id, a.code]"));
    assertTrue(
        CommandRun.fail("ten\n", "check", file(), "--column", "id")
            .contains("'ten' is not a value of type int64"));
  }

  private static void encrypt(ColumnChunk chunk) {
    chunk.setCrypto_metadata(
        ColumnCryptoMetaData.ENCRYPTION_WITH_FOOTER_KEY(new EncryptionWithFooterKey()));
  }

  @Test
  void anEncryptedColumnIsNamedAsEncrypted() throws IOException {
    encrypt(chunks(0).get(0));
    assertAnswers(check(file(), "id", "7\n"), "read: encrypted", "skip");
    encrypt(chunks(1).get(0));
    chunks(1).get(0).unsetMeta_data();
    assertTrue(
        CommandRun.fail("7\n", "check", file(), "--column", "id")
            .contains("column id is encrypted, and so are its Bloom filters"));
    String table = CommandRun.succeed("", "inspect", file()).out();
    assertEquals(2, table.lines().filter(line -> line.contains(" encrypted ")).count(), table);
    String json = CommandRun.succeed("", "inspect", "--json", file()).out();
    assertTrue(json.contains("\"place\": \"encrypted\", \"filterBytes\": null"), json);
    chunks(0).get(0).setCrypto_metadata(null).setEncrypted_column_metadata(new byte[] {1});
    assertTrue(
        CommandRun.fail("7\n", "check", file(), "--column", "id").contains("id is encrypted"));
  }

  /** In a file whose footer is not encrypted, but signed. */
  @Test
  void onlyTheEncryptedColumnOfParquetsOwnWriterCannotBeLookedUp() throws IOException {
    Path file = ParquetSample.writeEncrypted(folder.resolve("secret.parquet"), "name");
    assertAnswers(check(file, "id", "7\n"), "skip", "skip");
    assertAnswers(check(file, "id", "10\n"), "read", "skip");
    assertTrue(
        CommandRun.fail("name 1\n", "check", file, "--column", "name")
            .contains("column name is encrypted, and so are its Bloom filters"));
    String table = CommandRun.succeed("", "inspect", file).out();
    assertEquals(2, table.lines().filter(line -> line.contains(" encrypted ")).count(), table);
  }

  /** As in a file _metadata, whose offsets are those of other files. */
  @Test
  void aColumnInAnotherFileIsNotLookedUpInThisOne() throws IOException {
    chunks(0).get(0).setFile_path("part-0.parquet");
    assertAnswers(check(file(), "id", "7\n"), "read: in another file", "skip");
    chunks(1).get(0).setFile_path("part-1.parquet");
    assertTrue(
        CommandRun.fail("7\n", "check", file(), "--column", "id")
            .contains("column id is in another file, and so are its Bloom filters"));
  }

  @Test
  void aBooleanColumnHasNoFilter() throws IOException {
    footer.getSchema().get(1).setType(Type.BOOLEAN);
    ids(0).setType(Type.BOOLEAN);
    ids(1).setType(Type.BOOLEAN);
    assertTrue(
        CommandRun.fail("true\n", "check", file(), "--column", "id")
            .contains("column id has no Bloom filter in any row group"));
  }

  @Test
  void columnsWhosePathsJoinToTheSameNameAreToldApart() throws IOException {
    footer.setSchema(
        List.of(
            new SchemaElement("root").setNum_children(2),
            new SchemaElement("a.b").setType(Type.INT64),
            new SchemaElement("a").setNum_children(1),
            new SchemaElement("b").setType(Type.INT64)));
    for (int group = 0; group < 2; group++) {
      ids(group).setPath_in_schema(List.of("a.b"));
      chunks(group).set(1, FooterSample.chunk(Type.INT64, "a", "b"));
      long offset = ids(group).getBloom_filter_offset();
      if (group == 1) {
        ids(group).unsetBloom_filter_offset();
        chunks(group).get(1).getMeta_data().setBloom_filter_offset(offset);
      }
    }
    assertTrue(
        CommandRun.fail("7\n", "check", file(), "--column", "a.b")
            .contains("column a.b is ambiguous; write `a.b` or `a`.`b`"));
    assertAnswers(check(file(), "`a.b`", "7\n"), "skip", "read: no filter");
    for (String name : List.of("`a`.`b`", "a.`b`", "`a`.b")) {
      assertAnswers(check(file(), name, "7\n"), "read: no filter", "skip");
    }
    String table = CommandRun.succeed("", "inspect", file()).out();
    assertTrue(table.contains("  `a.b`  ") && table.contains("    a.b  "), table);
  }

  @Test
  void namesWithDotsAndBackquotesCanBeWritten() throws IOException {
    footer.getSchema().get(1).setName("i.d`");
    ids(0).setPath_in_schema(List.of("i.d`"));
    ids(1).setPath_in_schema(List.of("i.d`"));
    for (String name : List.of("i.d`", "`i.d```")) {
      assertAnswers(check(file(), name, "7\n"), "skip", "skip");
    }
    for (String name : List.of("`i.d`", "i.`d`", "i")) {
      assertTrue(
          CommandRun.fail("", "check", file(), "--column", name)
              .contains("there is no column " + name + "; the columns are [`i.d```, a.code]"));
    }
    for (String name : List.of("`i", "`", "a.`b", "`a`b", "``")) {
      String message = CommandRun.fail("", "check", file(), "--column", name);
      assertFalse(message.contains("Exception"), message);
      assertTrue(
          message.contains(name.equals("``") ? "there is no column" : "must enclose a whole name"),
          message);
    }
  }

  @Test
  void columnsWithTheSamePathAreRefused() throws IOException {
    footer.setSchema(
        List.of(
            new SchemaElement("root").setNum_children(2),
            new SchemaElement("id").setType(Type.INT64),
            new SchemaElement("id").setType(Type.INT64)));
    for (int group = 0; group < 2; group++) {
      chunks(group).set(1, FooterSample.chunk(Type.INT64, "id"));
    }
    assertTrue(
        CommandRun.fail("7\n", "check", file(), "--column", "id")
            .contains("the file has 2 columns id, which cannot be told apart"));
  }

  private SchemaElement idOfType(LogicalType logical) {
    SchemaElement id = new SchemaElement("id").setType(Type.INT64).setLogicalType(logical);
    footer.getSchema().set(1, id);
    return id;
  }

  private void assertUnknownType(String type) throws IOException {
    String refusal = CommandRun.fail("7\n", "check", file(), "--column", "id");
    assertTrue(
        refusal.contains(
            "column id has the type "
                + type
                + ", stored as INT64; bloom check does not know how its values are stored"),
        refusal);
    CommandRun.succeed("", "inspect", file());
  }

  @Test
  void aColumnOfTwoLogicalTypesIsRefused() throws IOException {
    TimeUnit micros = TimeUnit.MICROS(new MicroSeconds());
    idOfType(LogicalType.TIMESTAMP(new TimestampType(false, micros)))
        .setConverted_type(ConvertedType.TIMESTAMP_MILLIS);
    assertUnknownType("TIMESTAMP(MICROS, local) and TIMESTAMP(MILLIS, UTC)");
    idOfType(LogicalType.DECIMAL(new DecimalType(2, 9)))
        .setConverted_type(ConvertedType.DECIMAL)
        .setPrecision(9)
        .setScale(3);
    assertUnknownType("DECIMAL(9, 2) and DECIMAL(9, 3)");
    idOfType(LogicalType.INTEGER(new IntType((byte) 64, false)))
        .setConverted_type(ConvertedType.INT_64);
    assertUnknownType("INTEGER(64, unsigned) and INTEGER(64, signed)");
  }

  @Test
  void aLocalTimestampMayHaveTheOlderTypeThatIsInUtc() throws IOException {
    TimeUnit micros = TimeUnit.MICROS(new MicroSeconds());
    idOfType(LogicalType.TIMESTAMP(new TimestampType(false, micros)))
        .setConverted_type(ConvertedType.TIMESTAMP_MICROS);
    assertAnswers(check(file(), "id", "2024-12-31T23:59:59\n"), "skip", "skip");
  }

  @Test
  void aTypeThatTheColumnCannotHoldIsRefused() throws IOException {
    idOfType(LogicalType.DATE(new DateType()));
    assertUnknownType("DATE");
    idOfType(LogicalType.UUID(new UUIDType()));
    assertUnknownType("UUID");
    idOfType(LogicalType.FLOAT16(new Float16Type()));
    assertUnknownType("FLOAT16");
    idOfType(LogicalType.STRING(new StringType()));
    assertUnknownType("STRING");
    idOfType(LogicalType.DECIMAL(new DecimalType(0, 19)));
    assertUnknownType("DECIMAL(19, 0)");
    idOfType(LogicalType.INTEGER(new IntType((byte) 24, true)));
    assertUnknownType("INTEGER(24, signed)");
    idOfType(LogicalType.TIME(new TimeType(true, TimeUnit.MILLIS(new MilliSeconds()))));
    assertUnknownType("TIME(MILLIS, UTC)");
  }
}
