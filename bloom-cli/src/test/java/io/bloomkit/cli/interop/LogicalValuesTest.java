package io.bloomkit.cli.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.Type;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values of logical types are looked up as Parquet's own library stores them, or refused. A row
 * group of the file has one row.
 */
class LogicalValuesTest {

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message values {
            required int32 dec32 (DECIMAL(9, 2));
            required int64 dec64 (DECIMAL(18, 4));
            required fixed_len_byte_array(8) decFixed (DECIMAL(18, 2));
            required binary decBytes (DECIMAL(30, 3));
            required int32 u8 (INTEGER(8, false));
            required int32 u32 (INTEGER(32, false));
            required int64 u64 (INTEGER(64, false));
            required int32 i16 (INTEGER(16, true));
            required int32 day (DATE);
            required int32 timeMillis (TIME(MILLIS, true));
            required int64 timeMicros (TIME(MICROS, false));
            required int64 timeNanos (TIME(NANOS, true));
            required int64 millis (TIMESTAMP(MILLIS, true));
            required int64 micros (TIMESTAMP(MICROS, false));
            required int64 nanos (TIMESTAMP(NANOS, true));
            required fixed_len_byte_array(16) uuid (UUID);
            required fixed_len_byte_array(2) half (FLOAT16);
            required binary json (JSON);
            required binary color (ENUM);
            required binary bson (BSON);
            required fixed_len_byte_array(12) span (INTERVAL);
            required int96 old;
            required binary raw;
            required float real;
          }
          """);

  private static final String UUID = "123e4567-e89b-12d3-a456-426614174000";
  private static final long AT_MILLIS = 1_735_689_599_999L; // 2024-12-31T23:59:59.999Z

  private static final Object[][] ROWS = {
    {
      1234,
      -5L,
      hex("ffffffffffffff85"),
      hex("0080"),
      200,
      -1,
      -1L,
      -300,
      20_000,
      3_723_004,
      3_723_000_004L,
      3_723_000_000_005L,
      AT_MILLIS,
      AT_MILLIS * 1000 + 7,
      AT_MILLIS * 1_000_000 + 8,
      hex(UUID.replace("-", "")),
      hex("003e"), // 1.5
      text("{\"a\": 1}"),
      text("RED"),
      hex("0500000000"),
      hex("010000000200000003000000"),
      hex("0102030405060708090a0b0c"),
      text("raw"),
      0f
    },
    {
      0,
      0L,
      hex("0000000000000000"),
      hex("00000000000000000000000000000001"), // longer than needed
      0,
      0,
      0L,
      0,
      -200_000, // 1422
      0,
      0L,
      0L,
      -3_000_000_000_000L, // 1874
      0L,
      0L,
      new byte[16],
      hex("0080"), // -0
      text("{}"),
      text("BLUE"),
      hex("0500000000"),
      new byte[12],
      new byte[12],
      text(""),
      1.1f
    }
  };

  @TempDir private static Path folder;
  private static Path file = Path.of("");

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @BeforeAll
  static void write() throws IOException {
    file = folder.resolve("values.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(SCHEMA)
            .withRowGroupRowCountLimit(1)
            .withDictionaryEncoding(false)
            .withBloomFilterEnabled(true)
            .withMaxBloomFilterBytes(1024)
            .build()) {
      for (Object[] values : ROWS) {
        Group row = new SimpleGroup(SCHEMA);
        for (int i = 0; i < values.length; i++) {
          if (values[i] instanceof Integer number) {
            row.add(i, number);
          } else if (values[i] instanceof Long number) {
            row.add(i, number);
          } else if (values[i] instanceof Float number) {
            row.add(i, number);
          } else {
            row.add(i, Binary.fromConstantByteArray((byte[]) values[i]));
          }
        }
        writer.write(row);
      }
    }
  }

  private static void assertAnswers(String column, String value, String first, String second) {
    CommandRun run = CommandRun.of(value + "\n", "check", file, "--column", column);
    List<String> answers =
        run.out().lines().skip(1).map(line -> line.substring(line.lastIndexOf(' ') + 1)).toList();
    assertEquals(List.of(first, second), answers, column + " " + value + " " + run.err());
  }

  private static void assertRefused(String column, String message, String... values) {
    for (String value : values) {
      String refusal = CommandRun.fail(value + "\n", "check", file, "--column", column);
      assertTrue(
          refusal.contains("'" + value + "' is not a value of column " + column + "; " + message),
          refusal);
    }
  }

  private static void assertOnlyFirst(String column, String... values) {
    for (String value : values) {
      assertAnswers(column, value, "read", "skip");
    }
  }

  @Test
  void aDecimalIsLookedUpInEveryPhysicalType() {
    assertOnlyFirst("dec32", "12.34", "+12.340", "1234e-2", " 12.34 ");
    assertOnlyFirst("dec64", "-0.0005", "-5e-4");
    assertOnlyFirst("decFixed", "-1.23");
    assertOnlyFirst("decBytes", "0.128");
    assertAnswers("decBytes", "0.001", "skip", "read");
    for (String column : List.of("dec32", "dec64", "decFixed")) {
      for (String zero : List.of("0", "-0.00", "0e99999999", "0e-99999999")) {
        assertAnswers(column, zero, "skip", "read");
      }
    }
    assertAnswers("dec32", "1234", "skip", "skip");
    assertAnswers("dec32", "9999999.99", "skip", "skip");
  }

  @Test
  void aDecimalThatTheColumnCannotHoldIsRefused() {
    assertRefused(
        "dec32",
        "write a number with at most 7 digits before and 2 after the point",
        "12.345",
        "10000000",
        "1e999999999",
        "1e-999999999",
        "1e99999999999",
        "NaN",
        "12,34",
        "0x10",
        "");
    assertRefused("decBytes", "write a number with at most 27 digits before", "1e27");
  }

  @Test
  void aWholeNumberIsLookedUpWithItsSign() {
    assertOnlyFirst("u8", "200");
    assertOnlyFirst("u32", "4294967295");
    assertOnlyFirst("u64", "18446744073709551615");
    assertOnlyFirst("i16", "-300");
    assertRefused("u8", "write a whole number from 0 to 255", "-1", "256", "1.0");
    assertRefused("u32", "write a whole number from 0 to 4294967295", "-1", "4294967296");
    assertRefused("u64", "write a whole number from 0 to", "-1", "18446744073709551616");
    assertRefused("i16", "write a whole number from -32768 to 32767", "32768", "a");
  }

  @Test
  void aDateIsLookedUpAsItsDay() {
    assertOnlyFirst("day", "2024-10-04");
    assertRefused(
        "day",
        "write a date such as 2024-12-31",
        "20000",
        "2024-02-30",
        "04.10.2024",
        "+999999999-01-01");
  }

  @Test
  void aTimeIsLookedUpInTheUnitOfTheColumn() {
    assertOnlyFirst("timeMillis", "01:02:03.004Z");
    assertOnlyFirst("timeMicros", "01:02:03.000004");
    assertOnlyFirst("timeNanos", "01:02:03.000000005Z");
    assertAnswers("timeMillis", "00:00Z", "skip", "read");
    assertRefused(
        "timeMillis",
        "write a time such as 23:59:59.999Z, which ends with Z for UTC",
        "01:02:03.004",
        "01:02:03.0004Z",
        "01:02:03.004+01:00",
        "24:00Z",
        "3723004");
    assertRefused(
        "timeMicros",
        "write a time such as 23:59:59.999999, without a time zone",
        "01:02:03.000004Z",
        "01:02:03.0000041");
  }

  @Test
  void aTimestampIsLookedUpInTheUnitOfTheColumn() {
    assertOnlyFirst(
        "millis",
        "2024-12-31T23:59:59.999Z",
        "2025-01-01 00:59:59.999+01:00",
        "2024-12-31 23:59:59.999000Z");
    assertOnlyFirst("micros", "2024-12-31T23:59:59.999007", "2024-12-31 23:59:59.999007");
    assertOnlyFirst("nanos", "2024-12-31T23:59:59.999000008Z");
    assertRefused(
        "millis",
        "write a timestamp such as 2024-12-31T23:59:59.999Z, which ends with Z for UTC or with an"
            + " offset such as +01:00",
        "2024-12-31T23:59:59.999",
        "2024-12-31T23:59:59.9999Z",
        "2024-12-31",
        "1735689599999");
    assertRefused(
        "micros",
        "write a timestamp such as 2024-12-31T23:59:59.999999, without a time zone",
        "2024-12-31T23:59:59.999007Z");
    assertRefused("nanos", "write a timestamp", "2300-01-01T00:00:00Z");
  }

  /** Programs stored them in two calendars or with several offsets of time zones. */
  @Test
  void anOldDateOrTimestampIsNeverSkipped() {
    assertAnswers("day", "1582-10-14", "read", "read");
    assertAnswers("day", "1582-10-15", "skip", "skip");
    assertAnswers("millis", "1899-12-31T23:59:59Z", "read", "read");
    assertAnswers("millis", "1900-01-01T00:00:00Z", "skip", "skip");
  }

  @Test
  void aUuidIsLookedUp() {
    assertOnlyFirst("uuid", UUID, UUID.toUpperCase(Locale.ROOT), UUID.replace("-", ""));
    assertRefused("uuid", "write a UUID such as", "1-2-3-4-5", UUID + "0", "00", UUID.substring(1));
  }

  @Test
  void aFloat16IsLookedUpWithBothZerosAndNeverSkippedForNan() {
    assertOnlyFirst("half", "1.5", "1.5004", "15e-1");
    for (String zero : List.of("0", "-0", "1e-30", "-1e-400")) {
      assertAnswers("half", zero, "skip", "read");
    }
    assertAnswers("half", "NaN", "read", "read");
    assertAnswers("half", "1.501", "skip", "skip");
    assertAnswers("half", "Infinity", "skip", "skip");
    assertRefused("half", "write a number such as 1.5", "003e", "");
  }

  /** The bits are those of the standard, as tables list them. */
  @Test
  void aFloat16IsRoundedToTheNearest() {
    String[][] cases = {
      {"1", "003c"},
      {"-2", "00c0"},
      {"65504", "ff7b"},
      {"65519.99", "ff7b"},
      {"65520", "007c"},
      {"-1e300", "00fc"},
      {"Infinity", "007c"},
      {"6.103515625e-5", "0004"},
      {"6.097555160522461e-5", "ff03"},
      {"5.960464477539063e-8", "0100"},
      {"2.980232238769531e-8", "0000"},
      {"0.333251953125", "5535"},
      {"0.1", "662e"},
      {"2049", "0068"},
      {"2051", "0268"},
      {"2047.9", "0068"},
    };
    for (String[] one : cases) {
      List<?> forms = new LogicalType.Float16().forms(text(one[0]), Type.FIXED_LEN_BYTE_ARRAY, 2);
      assertEquals(one[1], HexFormat.of().formatHex((byte[]) forms.get(0)), one[0]);
    }
  }

  @Test
  void aTextIsLookedUpByItsBytes() {
    assertOnlyFirst("json", "{\"a\": 1}");
    assertOnlyFirst("color", "RED");
    assertOnlyFirst("raw", "raw");
    assertAnswers("color", "red", "skip", "skip");
  }

  @Test
  void bytesWithoutANotationAreWrittenInHexadecimal() {
    assertOnlyFirst("old", "0102030405060708090a0b0c");
    String refusal = CommandRun.fail("2024-12-31T00:00:00\n", "check", file, "--column", "old");
    assertTrue(refusal.contains("is not a value of type hex"), refusal);
  }

  @Test
  void aZeroOfEitherSignIsFoundAndAFloatIsRounded() {
    assertOnlyFirst("real", "0", "-0.0", "1e-60");
    assertAnswers("real", "1.1", "skip", "read");
    assertAnswers("real", "NaN", "read", "read");
  }

  @Test
  void aTypeWithoutANotationIsRefused() {
    assertTrue(
        CommandRun.fail("{}\n", "check", file, "--column", "bson")
            .contains("column bson has the type BSON, stored as BYTE_ARRAY; bloom check does not"));
    assertTrue(
        CommandRun.fail("1 day\n", "check", file, "--column", "span")
            .contains("column span has the type UNKNOWN and INTERVAL, stored as"));
  }
}
