package io.bloomkit.cli.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.text.JsonReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on Parquet files, which the library of Parquet has written. */
class ParquetCommandsTest {

  @TempDir private static Path shared;
  private static Path file = Path.of("");

  @TempDir private Path folder;

  @BeforeAll
  static void write() throws IOException {
    file = ParquetSample.write(shared.resolve("accounts.parquet"));
  }

  @Test
  void filtersAreListedByRowGroupAndColumn() {
    List<String> lines = CommandRun.succeed("", "inspect", file).out().lines().toList();
    assertEquals(1 + 8 * ParquetSample.ROW_GROUPS, lines.size());
    assertEquals(
        List.of("row", "group", "column", "type", "rows", "filter", "bytes", "approximate"),
        List.of(lines.get(0).strip().split(" +")).subList(0, 8));
    List<String> id = List.of(lines.get(1).strip().split(" +"));
    assertEquals(List.of("0", "id", "INT64", "1,000", "2,048"), id.subList(0, 5));
    long values = Long.parseLong(id.get(5).replace(",", ""));
    assertEquals(1000, (double) values, 60);
    String open = lines.stream().filter(line -> line.contains("BOOLEAN")).findFirst().orElse("");
    assertEquals(List.of("0", "open", "BOOLEAN", "1,000", "-", "-", "-"), row(open));
    assertTrue(lines.stream().anyMatch(line -> line.contains("address.city")));
  }

  private static List<ParquetColumn> columns() throws IOException {
    try (ParquetFile opened = ParquetFile.open(file)) {
      return Objects.requireNonNull(opened).columns();
    }
  }

  private static List<String> row(String line) {
    return List.of(line.strip().split(" +"));
  }

  private static List<?> filtersOf(Map<String, @Nullable Object> object) {
    return (List<?>) Objects.requireNonNull(object.get("filters"));
  }

  @Test
  void filtersAreListedAsJson() throws IOException {
    String json = CommandRun.succeed("", "inspect", file, "--json").out();
    assertTrue(
        json.contains(
            "{\"rowGroup\": 0, \"column\": \"id\", \"type\": \"INT64\", \"rows\": 1000,"
                + " \"place\": \"here\", \"filterBytes\": 2048, \"approximateValues\": "),
        json);
    assertTrue(json.contains("\"column\": \"open\", \"type\": \"BOOLEAN\", \"rows\": 1000,"), json);
    Map<String, @Nullable Object> object = JsonReader.object(json);
    assertEquals(file.toString(), object.get("file"));
    assertEquals(columns().size(), filtersOf(object).size());
    assertNull(object.get("damage"));
  }

  /** The last of them is damaged: JSON is an object all the same, and the table has the others. */
  @Test
  void filtersBeforeADamagedOneArePrinted() throws IOException {
    List<ParquetColumn> columns = columns();
    ParquetColumn last = columns.get(columns.size() - 1);
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) last.filterOffset()] = 0x1d;
    Path bad = Files.write(folder.resolve("bad.parquet"), bytes);
    CommandRun run = CommandRun.of("", "inspect", bad, "--json");
    assertEquals(2, run.exitCode());
    String damage = "the Bloom filter of row group 2, column address.city is damaged";
    assertTrue(run.err().contains(damage), run.err());
    Map<String, @Nullable Object> object = JsonReader.object(run.out());
    assertEquals(columns.size() - 1, filtersOf(object).size());
    assertTrue(String.valueOf(object.get("damage")).contains(damage), run.out());

    CommandRun table = CommandRun.of("", "inspect", bad);
    assertEquals(2, table.exitCode());
    assertEquals(columns.size(), table.out().lines().count()); // titles, and all but the last
    assertTrue(table.err().contains(damage), table.err());
  }

  /** The first filter is damaged: the object has none, and is whole. */
  @Test
  void noFilterBeforeADamagedOneIsAnEmptyArray() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) columns().get(0).filterOffset()] = 0x1d;
    Path bad = Files.write(folder.resolve("first.parquet"), bytes);
    CommandRun run = CommandRun.of("", "inspect", bad, "--json");
    assertEquals(2, run.exitCode());
    assertEquals(List.of(), filtersOf(JsonReader.object(run.out())));
  }

  /** A name in the file that would clear the screen. */
  @Test
  void controlCharactersOfColumnNamesDoNotReachTheTerminal() throws IOException {
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    Path forged = folder.resolve("forged.parquet");
    Files.writeString(
        forged,
        bytes.substring(0, 4) + bytes.substring(4).replace("\004city", "\004\033[2J"),
        StandardCharsets.ISO_8859_1);
    String table = CommandRun.succeed("", "inspect", forged).out();
    assertTrue(table.contains("address.\\u001b[2J"), table);
    String json = CommandRun.succeed("", "inspect", forged, "--json").out();
    assertTrue(json.contains("address.\\u001b[2J"), json);
    String message = CommandRun.fail("", "check", forged, "--column", "none");
    for (String text : List.of(table, json, message)) {
      assertFalse(text.contains("\033"), text);
    }
  }

  private static void assertAnswers(String column, String values, String... answers) {
    CommandRun run = CommandRun.of(values, "check", file, "--column", column);
    List<String> lines = run.out().lines().skip(1).toList();
    assertEquals(ParquetSample.ROW_GROUPS, lines.size(), run.err());
    for (int group = 0; group < answers.length; group++) {
      assertEquals(
          List.of(String.valueOf(group), "1,000", answers[group].split(" ", -1)[0]),
          row(lines.get(group)).subList(0, 3));
      assertTrue(lines.get(group).endsWith(answers[group].split(" ", -1)[1]), lines.get(group));
    }
    boolean isAnyRead = Arrays.stream(answers).anyMatch(answer -> answer.endsWith("read"));
    assertEquals(isAnyRead ? 0 : 1, run.exitCode());
  }

  @Test
  void valuesOfEveryTypeTellWhichRowGroupsCanBeSkipped() {
    assertAnswers("id", "10\n20\n15000\n", "2 read", "1 read", "0 skip");
    assertAnswers("day", "2500\n", "0 skip", "0 skip", "1 read");
    assertAnswers("share", "2.25\n", "1 read", "0 skip", "0 skip");
    assertAnswers("amount", "125.5\n", "0 skip", "1 read", "0 skip");
    assertAnswers("name", "name 7\n", "1 read", "0 skip", "0 skip");
    assertAnswers("code", "000003ff\n", "0 skip", "1 read", "0 skip");
    assertAnswers("address.city", "city 299\n", "0 skip", "0 skip", "1 read");
    assertAnswers("name", "nobody\n", "0 skip", "0 skip", "0 skip");
  }

  /** Row 0 has zero. A reader may take negative zero for the same, and NaN has many encodings. */
  @Test
  void zeroIsLookedForWithEitherSignAndNanIsNeverSkipped() {
    for (String column : new String[] {"share", "amount"}) {
      for (String zero : new String[] {"0", "-0", "-0.0", "0e5"}) {
        assertAnswers(column, zero + "\n", "1 read", "0 skip", "0 skip");
      }
      assertAnswers(column, "NaN\n", "1 read", "1 read", "1 read");
      assertAnswers(column, "-1\nInfinity\n", "0 skip", "0 skip", "0 skip");
    }
  }

  @Test
  void impossibleQueriesAreRefused() throws IOException {
    assertTrue(
        CommandRun.fail("1\n", "check", file, "--column", "none")
            .contains("there is no column none; the columns are [id, day, "));
    assertTrue(
        CommandRun.fail("1\n", "check", file, "--column", "open")
            .contains("column open has no Bloom filter in any row group"));
    assertTrue(
        CommandRun.fail("ten\n", "check", file, "--column", "id")
            .contains("'ten' is not a value of type int64"));
    assertTrue(CommandRun.fail("", "check", file).contains("this is a Parquet file"));
    for (String option : new String[] {"-v", "-c", "-n", "-q"}) {
      assertTrue(
          CommandRun.fail("", "check", file, "--column", "id", option)
              .contains("leave out -v, -c, -n and -q"));
    }
    assertTrue(
        CommandRun.fail("", "check", file, "--column", "id", "--type", "int64")
            .contains("the file records the type of the column; leave out --type"));
    assertTrue(
        CommandRun.fail("", "inspect", file, "--plot", folder.resolve("a.png"))
            .contains("--plot does not support Parquet files"));
    Path other = CommandRun.build(folder, "classic", "a\n");
    assertTrue(
        CommandRun.fail("", "check", other, "--column", "id")
            .contains("not a Parquet file; leave out --column"));
    assertTrue(
        CommandRun.fail("", "merge", file, file, "-o", folder.resolve("both"))
            .contains("this is a Parquet file"));
  }

  private void assertRefused(byte[] bytes, String message) throws IOException {
    Path bad = Files.write(folder.resolve("bad"), bytes);
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> ParquetFile.open(bad));
    assertTrue(refusal.toString().contains(message), refusal.toString());
  }

  @Test
  void whatIsNoParquetFileIsRefused() throws IOException {
    byte[] good = Files.readAllBytes(file);
    assertRefused(Arrays.copyOf(good, 11), "the Parquet file ends within its signature");
    assertRefused(Arrays.copyOf(good, good.length - 1), "a Parquet file must end with PAR1");
    for (int length : new int[] {0, -1, good.length - 11, Integer.MAX_VALUE}) {
      byte[] bad = good.clone();
      ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(good.length - 8, length);
      assertRefused(bad, "the footer must have 1 to " + (good.length - 12) + " bytes, got");
    }
  }
}
