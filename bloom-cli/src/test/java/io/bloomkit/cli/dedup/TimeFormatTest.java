package io.bloomkit.cli.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeFormatTest {

  @ParameterizedTest
  @CsvSource({
    "S, 0, 0",
    "S, 1714564800, 1714564800000",
    "S, 1714564800.25, 1714564800250",
    "S, 1714564800.1239999999999999999999, 1714564800123",
    "S, 5., 5000",
    "S, -1.5, -1500",
    "S, 253402300799.999, 253402300799999",
    "S, 253402300800,",
    "S, 1714564800000,",
    "S, 999999999999999999,",
    "S, 1e9,",
    "S, .5,",
    "S, -,",
    "S, '',",
    "S, ' 1',",
    "S, 0x10,",
    "MS, 1714564800250, 1714564800250",
    "MS, -7, -7",
    "MS, 1.5,",
    "MS, 99999999999999999999999999,",
    "US, 1714564800250999, 1714564800250",
    "NS, 1714564800250999999, 1714564800250",
    "NS, 9223372036854775807, 9223372036854",
    "NS, 9999999999999999999,",
    "NS, 99999999999999999999,",
    "ISO, 2024-05-01T12:00:00Z, 1714564800000",
    "ISO, 2024-05-01T14:00:00.25+02:00, 1714564800250",
    "ISO, 2024-05-01T12:00:00, 1714564800000",
    "ISO, 2024-05-01T12:00:00.5, 1714564800500",
    "ISO, 2024-05-01 12:00:00Z, 1714564800000",
    "ISO, 2024-05-01T14:00:00+0200, 1714564800000",
    "ISO, 2024-05-01T14:00:00.250+02, 1714564800250",
    "ISO, 2016-12-31T23:59:60Z, 1483228800000",
    "ISO, 2017-01-01T01:59:60.5+0200, 1483228800500",
    "ISO, 2024-05-01T12:00:60Z,",
    "ISO, 2024-05-01T12:00:61Z,",
    "ISO, 2024-05-01T12:00:00+25:00,",
    "ISO, 2024-05-01,",
    "ISO, 2024-05-32T12:00:00Z,",
    "ISO, '',",
    "CLF, [05/May/2024:06:25:24 +0000], 1714890324000",
    "CLF, [05/May/2024:06:25:24, 1714890324000",
    "CLF, 05/May/2024:08:25:24 +0200, 1714890324000",
    "CLF, 05/May/2024:00:55:24 -0530, 1714890324000",
    "CLF, [29/Feb/2024:00:00:00, 1709164800000",
    "CLF, [31/Dec/2016:23:59:60 +0000], 1483228800000",
    "CLF, [31/Dec/2016:23:58:60 +0000],",
    "CLF, 05/Sep/2024:06:25:24], 1725517524000",
    "CLF, [29/Feb/2023:00:00:00,",
    "CLF, [05/Mai/2024:06:25:24,",
    "CLF, [05/May/2024:06:25:24 +02:00],",
    "CLF, [05/May/12024:06:25:24,",
    "CLF, 1714890324,",
    "CLF, '',",
  })
  void readsATimeOrSaysThatThereIsNone(TimeFormat format, String text, Long millis) {
    byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(
        millis == null ? OptionalLong.empty() : OptionalLong.of(millis),
        format.millis(bytes, 1, bytes.length - 1));
  }
}
