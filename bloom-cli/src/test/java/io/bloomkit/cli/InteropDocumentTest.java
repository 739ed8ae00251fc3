package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.Funnels;
import io.bloomkit.Shape;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.interop.dcso.DcsoBloomFilter;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs what docs/interop.md shows, as it stands there, on files of the real libraries. */
class InteropDocumentTest {

  @TempDir private Path folder;

  private static Markdown page() throws IOException {
    return new Markdown("docs/interop.md");
  }

  /** Runs the code with a marker and returns the values of some of its variables. */
  private Map<?, ?> run(String marker, List<String> variables, Map<String, Object> given)
      throws Exception {
    String code =
        page().blocks("java").stream()
            .filter(block -> block.contains(marker))
            .findFirst()
            .orElseThrow();
    return new Sources(folder).run(page().imports() + code, variables, given);
  }

  @Test
  void theExampleOfParquetDoesWhatItSays() throws Exception {
    ParquetBloomFilter<Long> ids = ParquetBloomFilter.create(ParquetStrategies.int64(), 100, 0.001);
    ids.add(41L);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(
        Map.of("mustRead", false, "bytes", 1_316_160, "rounded", 2_097_152),
        run(
            "ParquetStrategies.int64()",
            List.of("mustRead", "bytes", "rounded"),
            Map.of("in", new ByteArrayInputStream(ids.toBytes()), "out", out)));
    assertTrue(page().text().contains(" // 1,316,160: not a power of two\n"));
    assertTrue(page().text().contains(" // 2,097,152, as Parquet's own writer\n"));
    int mebibytes = BlockSplitBloomFilter.UPPER_BOUND_BYTES >> 20;
    assertTrue(page().text().contains("any number of blocks up to " + mebibytes + " MiB"));
    Matcher version1 = Pattern.compile("more than about (\\d+)\\s+million").matcher(page().text());
    assertTrue(version1.find());
    double bits = Shape.of(1_000_000, 0.01).positions() / 1e6;
    assertEquals(0x1p31 / bits / 1e6, Integer.parseInt(version1.group(1)), 5);
    assertTrue(
        ParquetBloomFilter.<CharSequence>fromBytes(out.toByteArray(), ParquetStrategies.utf8())
            .mightContain("alice"));
  }

  @Test
  void theExampleOfSparkDoesWhatItSays() throws Exception {
    BloomFilter seen = BloomFilter.create(1000);
    seen.putLong(7);
    ByteArrayOutputStream in = new ByteArrayOutputStream();
    seen.writeTo(in);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(
        Map.of("old", true),
        run(
            "SparkType.longs()",
            List.of("old"),
            Map.of("in", new ByteArrayInputStream(in.toByteArray()), "out", out)));
    BloomFilter again = BloomFilter.readFrom(out.toByteArray());
    assertTrue(again.mightContainLong(7) && again.mightContainLong(8));
  }

  @Test
  void theExampleOfGuavaDoesWhatItSays() throws Exception {
    com.google.common.hash.BloomFilter<Long> guavas =
        com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), 1000, 0.0001);
    guavas.put(7L);
    Path file = folder.resolve("seen.guava");
    try (OutputStream out = Files.newOutputStream(file)) {
      guavas.writeTo(out);
    }
    assertEquals(
        Map.of("there", true, "other", false),
        run("openMapped", List.of("there", "other"), Map.of("file", file)));
  }

  @Test
  void theExampleOfDcsoDoesWhatItSays() throws Exception {
    DcsoBloomFilter hashes = DcsoBloomFilter.create(100, 1e-6);
    hashes.add(sha1(new byte[0]).getBytes(StandardCharsets.US_ASCII));
    ByteArrayOutputStream in = new ByteArrayOutputStream();
    hashes.writeTo(in);
    assertEquals(
        Map.of("known", true),
        run(
            "DcsoBloomFilter",
            List.of("known"),
            Map.of("in", new ByteArrayInputStream(in.toByteArray()))));
  }

  private static String sha1(byte[] content) throws Exception {
    return HexFormat.of()
        .withUpperCase()
        .formatHex(MessageDigest.getInstance("SHA-1").digest(content));
  }

  /** The names of files stay as they are. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theRecipeOfDcsoFindsKnownFiles() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    byte[] content = {'x'};
    Files.write(files.resolve("a file of abc"), content);
    Files.write(files.resolve("beef"), new byte[] {'y'});
    Path known = CommandRun.build(folder, "dcso", sha1(content) + "\n");
    Matcher recipe =
        Pattern.compile("(?m)^(sha1sum .*) \\| (bloom .*) hashes\\.bloom$").matcher(page().text());
    assertTrue(recipe.find());
    Process process =
        new ProcessBuilder("sh", "-c", recipe.group(1)).directory(files.toFile()).start();
    String spelled = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("bloom check -f 1", recipe.group(2));
    assertEquals(
        sha1(content) + "  a file of abc\n",
        CommandRun.succeed(spelled, "check", "-f", "1", known).text());
  }

  @Test
  void theCommandsDoWhatIsSaid() throws IOException {
    String commands = page().text();
    for (String command :
        new String[] {
          "bloom inspect seen.spark",
          "bloom check --type int64 seen.spark",
          "bloom merge seen.spark more.spark -o all.spark"
        }) {
      assertTrue(commands.contains(command), command);
    }
    Path seen = spark("seen.spark", 7);
    Path more = spark("more.spark", 8);
    assertTrue(CommandRun.succeed("", "inspect", seen).out().contains("spark-v"));
    String lines = "7\n8\n";
    assertEquals("7\n", CommandRun.succeed(lines, "check", "--type", "int64", seen).text());
    Path all = folder.resolve("all.spark");
    CommandRun.succeed("", "merge", seen, more, "-o", all);
    assertEquals(lines, CommandRun.succeed(lines, "check", "--type", "int64", all).text());
  }

  private Path spark(String name, long element) throws IOException {
    BloomFilter filter = BloomFilter.create(1000);
    filter.putLong(element);
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      filter.writeTo(out);
    }
    return file;
  }

  @Test
  void theExampleOfPythonDoesWhatItSays() throws Exception {
    PythonReaderTest.requirePython();
    CountingBloomFilter<CharSequence> sessions =
        CountingBloomFilter.create(HashStrategies.utf8(), 1000, 0.0001);
    sessions.add("alice");
    sessions.add("alice");
    sessions.writeTo(folder.resolve("sessions.bloom"));
    Path example = folder.resolve("example.py");
    Files.writeString(example, page().blocks("python").get(0));
    ProcessBuilder python =
        new ProcessBuilder("python3", example.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true);
    python.environment().put("PYTHONPATH", Path.of("..", "contrib").toAbsolutePath().toString());
    python.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = python.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("True\n2\nFalse\n", printed.replace("\r", ""));
  }
}
