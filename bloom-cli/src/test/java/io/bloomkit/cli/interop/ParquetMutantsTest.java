package io.bloomkit.cli.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cli.io.InputSource;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No mutant of a Parquet file lets a reader skip a row group that stores the value. The files are
 * those of parquet-mr 1.13.1, which records no length of a filter, of parquet-mr 1.17 and of
 * pyarrow 25.
 *
 * <p>Mutated are the header of a filter, the fields {@code bloom_filter_offset} and {@code
 * bloom_filter_length}, and all bytes of the footer. Not mutated are the bits of a filter, which
 * have no checksum. In these files, each logical type is recorded twice, as {@code LogicalType} and
 * {@code ConvertedType}. A change of the only record of a logical type, or of the length of a
 * {@code FIXED_LEN_BYTE_ARRAY}, would not be noticed.
 */
class ParquetMutantsTest {

  private static final int ROWS = 20;
  private static final int ROW_GROUPS = 3;
  private static final List<String> STORED = List.of("parquet-mr-1.13.1", "pyarrow-25.0.1");

  /** What a query of a mutant may end with. */
  private enum Outcome {
    REFUSED,
    READ,
    SKIPPED
  }

  /** A file and where its footer and the headers of its filters are. */
  private static final class Original {

    private final String name;
    private final byte[] bytes;
    private final int footerAt;
    private final FileMetaData footer;
    private final List<int[]> headers = new ArrayList<>();

    Original(String name, byte[] bytes) throws IOException {
      this.name = name;
      this.bytes = bytes;
      int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
      this.footerAt = bytes.length - 8 - length;
      this.footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, footerAt, length));
      for (ColumnMetaData column : columns(footer)) {
        int at = (int) column.getBloom_filter_offset();
        ByteArrayInputStream in = new ByteArrayInputStream(bytes, at, bytes.length - at);
        Util.readBloomFilterHeader(in, null, null);
        headers.add(new int[] {at, bytes.length - in.available()});
      }
    }
  }

  @TempDir private static Path folder;
  private static final List<Original> ORIGINALS = new ArrayList<>();
  private static Path mutated = Path.of("");

  @BeforeAll
  static void read() throws IOException {
    mutated = folder.resolve("mutant.parquet");
    for (String name : STORED) {
      try (InputStream in = ParquetMutantsTest.class.getResourceAsStream(name + ".parquet")) {
        ORIGINALS.add(new Original(name, Objects.requireNonNull(in, name).readAllBytes()));
      }
    }
    Path written = ParquetSample.writeSmall(folder.resolve("written.parquet"), ROWS, ROW_GROUPS);
    ORIGINALS.add(new Original("parquet-mr-1.17", Files.readAllBytes(written)));
  }

  private static List<ColumnMetaData> columns(FileMetaData footer) {
    Stream<RowGroup> groups = footer.getRow_groups().stream();
    return groups
        .flatMap(group -> group.getColumns().stream())
        .map(chunk -> chunk.getMeta_data())
        .toList();
  }

  /** Row i of a file. */
  private static String value(String column, int i) {
    return switch (column) {
      case "id" -> String.valueOf(10 * i);
      case "day" -> LocalDate.ofEpochDay(20_000 + i).toString();
      case "at" -> Instant.ofEpochSecond(1_700_000_000 + i).toString();
      case "share" -> String.valueOf(i / 8d);
      case "name" -> "name " + i;
      case "address.city" -> "city " + i;
      default -> throw new AssertionError(column);
    };
  }

  private static Outcome query(byte[] bytes, String column, int row) throws IOException {
    Files.write(mutated, bytes);
    byte[] line = value(column, row).getBytes(StandardCharsets.UTF_8);
    try (ParquetFile file = ParquetFile.open(mutated)) {
      if (file == null) {
        return Outcome.REFUSED;
      }
      ParquetQuery query = new ParquetQuery(file, column, new PrintWriter(Writer.nullWriter()));
      LineOptions options = new LineOptions();
      options.check();
      ParquetQuery.Skips skips =
          query.skips(
              options.elements(
                  () ->
                      new InputSource(
                          new ByteArrayInputStream(line), "a line", InputSource.UNKNOWN)));
      List<String> answers = skips.table().lines().skip(1).toList();
      int group = row / ROWS;
      return group < answers.size() && answers.get(group).contains("  read")
          ? Outcome.READ
          : Outcome.SKIPPED;
    } catch (IOException | IllegalArgumentException e) {
      return Outcome.REFUSED;
    }
  }

  @Test
  void storedValuesAreFoundInTheOriginalsAndOthersSkipped() throws IOException {
    for (Original original : ORIGINALS) {
      int others = 0;
      for (ColumnMetaData column : columns(original.footer).subList(0, 6)) {
        String name = String.join(".", column.getPath_in_schema());
        for (int row = 0; row < ROWS * ROW_GROUPS; row += 7) {
          assertEquals(Outcome.READ, query(original.bytes, name, row), original.name + name + row);
        }
        others += query(original.bytes, name, 1000) == Outcome.SKIPPED ? 1 : 0;
      }
      assertTrue(others > 0, original.name);
    }
  }

  /** Mutates bytes of the header of a filter. */
  private static byte[] withMutatedHeader(Original original, int filter, SplittableRandom random) {
    int[] header = original.headers.get(filter);
    return withMutatedBytes(original.bytes.clone(), header[0], header[1], random);
  }

  /** Mutates bytes of the footer. */
  private static byte[] withMutatedFooter(Original original, SplittableRandom random) {
    byte[] bytes = original.bytes.clone();
    return withMutatedBytes(bytes, original.footerAt, bytes.length - 8, random);
  }

  private static byte[] withMutatedBytes(byte[] bytes, int from, int to, SplittableRandom random) {
    for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
      int at = random.nextInt(from, to);
      bytes[at] =
          (byte)
              switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^ 1 << random.nextInt(Byte.SIZE);
                case 1 -> bytes[at] + random.nextInt(-2, 3);
                case 2 -> 0;
                default -> random.nextInt(256);
              };
    }
    return bytes;
  }

  /** Writes the footer again, with another offset or length of a filter. */
  private static byte[] withMutatedFields(Original original, int filter, SplittableRandom random)
      throws IOException {
    FileMetaData footer = new FileMetaData(original.footer);
    List<ColumnMetaData> columns = columns(footer);
    ColumnMetaData column = columns.get(filter);
    long offset = column.getBloom_filter_offset();
    int length = original.headers.get(1)[0] - original.headers.get(0)[0];
    ColumnMetaData other = columns.get(random.nextInt(columns.size()));
    int kinds = random.nextInt(1, 4);
    if ((kinds & 1) != 0) {
      column.setBloom_filter_offset(
          switch (random.nextInt(5)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextLong(-2, original.bytes.length + 2L);
            case 2 -> offset + random.nextInt(-40, 40);
            case 3 -> other.getBloom_filter_offset();
            default -> other.getData_page_offset();
          });
    }
    if ((kinds & 2) != 0) {
      switch (random.nextInt(5)) {
        case 0 -> column.setBloom_filter_length(random.nextInt());
        case 1 -> column.setBloom_filter_length(random.nextInt(-2, original.bytes.length));
        case 2 -> column.setBloom_filter_length(length + 32 * random.nextInt(-8, 9));
        case 3 -> column.setBloom_filter_length(length + random.nextInt(-20, 20));
        default -> column.unsetBloom_filter_length();
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, out);
    return FooterSample.file(
        Arrays.copyOfRange(original.bytes, 4, original.footerAt), out.toByteArray());
  }

  /** The mutants are able to do harm. */
  @Test
  void aReaderThatTrustsTheHeaderSkipsStoredValues() throws IOException {
    SplittableRandom random = new SplittableRandom(20261129);
    int skipped = 0;
    for (int i = 0; i < 1_000; i++) {
      Original original = ORIGINALS.get(i % ORIGINALS.size());
      int at = original.headers.get(0)[0];
      byte[] mutant = withMutatedHeader(original, 0, random);
      ByteArrayInputStream in = new ByteArrayInputStream(mutant, at, mutant.length - at);
      try {
        HashStrategy<Long> strategy = ParquetStrategies.int64();
        skipped += ParquetBloomFilter.readFrom(in, strategy).mightContain(190L) ? 0 : 1;
      } catch (FilterFormatException e) {
        // it notices
      }
    }
    assertTrue(skipped > 5, "skipped: " + skipped);
  }

  private static void noMutantSkipsAStoredValue(int mutants, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    for (int i = 0; i < mutants; i++) {
      Original original = ORIGINALS.get(i % ORIGINALS.size());
      int filter = random.nextInt(original.headers.size());
      List<ColumnMetaData> columns = columns(original.footer);
      String column = String.join(".", columns.get(filter).getPath_in_schema());
      int group = filter / (columns.size() / ROW_GROUPS);
      int row = group * ROWS + random.nextInt(ROWS);
      int kind = i / ORIGINALS.size() % 3;
      byte[] mutant =
          switch (kind) {
            case 0 -> withMutatedHeader(original, filter, random);
            case 1 -> withMutatedFooter(original, random);
            default -> withMutatedFields(original, filter, random);
          };
      Outcome outcome = query(mutant, column, row);
      outcomes.merge(outcome, 1, Integer::sum);
      if (outcome == Outcome.SKIPPED) {
        Path kept = Files.write(Path.of("target", "skipped-" + i + ".parquet"), mutant);
        throw new AssertionError(
            original.name
                + ", mutant "
                + i
                + " of kind "
                + kind
                + " skips row "
                + row
                + " of column "
                + column
                + ": "
                + kept);
      }
    }
    assertTrue(outcomes.getOrDefault(Outcome.READ, 0) > mutants / 4, outcomes.toString());
    assertTrue(outcomes.getOrDefault(Outcome.REFUSED, 0) > mutants / 20, outcomes.toString());
  }

  @Test
  void noMutantSkipsAStoredValue() throws IOException {
    noMutantSkipsAStoredValue(300, 20261127);
  }

  @Test
  @Tag("deep")
  void noneOfManyMutantsSkipsAStoredValue() throws IOException {
    noMutantSkipsAStoredValue(Integer.getInteger("bloomkit.mutants", 10_000), 20261128);
  }
}
