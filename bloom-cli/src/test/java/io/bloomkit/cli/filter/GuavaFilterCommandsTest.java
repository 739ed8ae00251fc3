package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on filters of Guava, in Guava's bytes and in this library's format. */
class GuavaFilterCommandsTest {

  @TempDir private Path folder;

  @Test
  void guavaReadsWhatWasBuiltForItAndIsRead() throws IOException {
    Path file = CommandRun.build(folder, "guava", "alice\nbob\n");
    try (InputStream in = Files.newInputStream(file)) {
      BloomFilter<CharSequence> guavas =
          BloomFilter.readFrom(in, Funnels.stringFunnel(StandardCharsets.UTF_8));
      assertTrue(guavas.mightContain("alice"));
      assertFalse(guavas.mightContain("carol"));
      guavas.put("carol");
      try (OutputStream out = Files.newOutputStream(file)) {
        guavas.writeTo(out);
      }
    }
    assertEquals("alice\ncarol\n", FilterCommandsTest.check(file, "alice\ndave\ncarol\n"));
    String table = CommandRun.succeed("", "inspect", file).out();
    assertTrue(table.contains("guava"), table);
    Files.write(file, new byte[1], java.nio.file.StandardOpenOption.APPEND);
    assertTrue(CommandRun.fail("a\n", "check", file).contains("but 1 more byte follows"));
  }

  @Test
  void guavasFilterComesBackFromThisFormatAsItWas() throws IOException {
    BloomFilter<byte[]> guavas = BloomFilter.create(Funnels.byteArrayFunnel(), 2000, 0.05);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 4000; i++) {
      lines.append(i).append('\n');
      if (i < 2000) {
        guavas.put(Integer.toString(i).getBytes(StandardCharsets.UTF_8));
      }
    }
    Path file = folder.resolve("guavas");
    try (OutputStream out = Files.newOutputStream(file)) {
      guavas.writeTo(out);
    }
    Path stored = folder.resolve("stored.bloom");
    CommandRun there =
        CommandRun.succeed("", "convert", file, "--to", "bloomkit-guava", "-o", stored);
    assertEquals(stored + ": bloomkit-guava, converted from guava\n", there.err());
    String answers = FilterCommandsTest.check(file, lines.toString());
    assertTrue(answers.lines().count() > 2000, "some of those that are not there are positive");
    assertEquals(answers, FilterCommandsTest.check(stored, lines.toString()));
    Path back = folder.resolve("back");
    CommandRun.succeed("", "convert", stored, "--to", "guava", "-o", back);
    assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(back));

    CommandRun.succeed("new\n", "add", stored);
    CommandRun.succeed("", "convert", stored, "--to", "guava", "--force", "-o", back);
    guavas.put("new".getBytes(StandardCharsets.UTF_8));
    try (InputStream in = Files.newInputStream(back)) {
      assertEquals(guavas, BloomFilter.readFrom(in, Funnels.byteArrayFunnel()));
    }
  }

  @Test
  void aFilterOfTextsNamesTheFunnelOfTexts() throws IOException {
    Path guava = CommandRun.build(folder, "guava", "\u00c3\u00a6\nb\n"); // a byte each
    Path texts = folder.resolve("texts.bloom");
    CommandRun.succeed(
        "", "convert", guava, "--to", "bloomkit-guava", "--strategy", "utf8", "-o", texts);
    try (InputStream in = Files.newInputStream(texts)) {
      GuavaBloomFilter<CharSequence> read =
          GuavaBloomFilter.readFrom(in, GuavaFunnel.strings(StandardCharsets.UTF_8));
      assertTrue(read.mightContain("\u00e6"));
      assertFalse(read.mightContain("c"));
    }
    assertEquals("\"guava-strings(UTF-8)\"", CommandRun.inspect(texts).get("strategy"));
    assertEquals("\"right\"", CommandRun.inspect(texts).get("checksum"));
    assertEquals("\u00c3\u00a6\nb\n", FilterCommandsTest.check(texts, "\u00c3\u00a6\nb\nc\n"));
    Path built =
        CommandRun.build(folder, "bloomkit-guava", "\u00c3\u00a6\nb\n", "--strategy", "utf8");
    assertArrayEquals(Files.readAllBytes(built), Files.readAllBytes(texts));
    Path bytes = folder.resolve("bytes.bloom");
    CommandRun.succeed("", "convert", guava, "--to", "bloomkit-guava", "-o", bytes);
    assertEquals("\"guava-byteArrays\"", CommandRun.inspect(bytes).get("strategy"));

    Path out = folder.resolve("out");
    for (Path named : List.of(texts, CommandRun.build(folder, "counting", "a\n"))) {
      String message =
          CommandRun.fail("", "convert", named, "--to", "guava", "--strategy", "bytes", "-o", out);
      assertEquals(
          "bloom: "
              + named
              + " records its strategy; leave out --strategy, which is for guava files",
          message);
    }
    assertFalse(Files.exists(out));
  }

  @Test
  void guavasFiltersOfEitherFormatMerge() throws IOException {
    Path guava = CommandRun.build(folder, "guava", "a\n");
    Path stored = CommandRun.build(folder, "bloomkit-guava", "b\n");
    Path out = folder.resolve("out");
    CommandRun.succeed("", "merge", guava, stored, "-o", out);
    Path both = CommandRun.build(folder, "guava", "a\nb\n");
    assertArrayEquals(Files.readAllBytes(both), Files.readAllBytes(out));
    guava = CommandRun.build(folder, "guava", "a\n");
    CommandRun.succeed("", "merge", stored, guava, "--force", "-o", out);
    both = CommandRun.build(folder, "bloomkit-guava", "a\nb\n");
    assertArrayEquals(Files.readAllBytes(both), Files.readAllBytes(out));

    Path texts = CommandRun.build(folder, "bloomkit-guava", "b\n", "--strategy", "utf8");
    CommandRun.succeed("", "merge", texts, guava, "--force", "-o", out);
    assertEquals("\"guava-strings(UTF-8)\"", CommandRun.inspect(out).get("strategy"));
    String message = CommandRun.fail("", "merge", guava, texts, "--force", "-o", out);
    assertTrue(message.contains("filled by strategy guava-strings(UTF-8)"), message);
  }

  @Test
  void aFilterOfGuavasNumbersTakesDecimalLines() throws IOException {
    GuavaBloomFilter<Long> longs = GuavaBloomFilter.create(GuavaFunnel.longs(), 10, 1e-6);
    longs.add(-7L);
    Path file = folder.resolve("longs.bloom");
    longs.writeBloomkitTo(file);
    assertEquals("\"guava-longs\"", CommandRun.inspect(file).get("strategy"));
    CommandRun.succeed("8\n", "add", file);
    assertEquals("-7\n8\n", FilterCommandsTest.check(file, "-7\n8\n9\n"));
    assertTrue(CommandRun.fail("a\n", "check", file).contains("'a' is not a value of type int64"));
    Path guava = folder.resolve("guava");
    longs.writeTo(guava);
    CommandRun.succeed(
        "", "convert", guava, "--to=bloomkit-guava", "--strategy=longs", "--force", "-o", file);
    assertEquals("-7\n", FilterCommandsTest.check(file, "-7\n8\n"));
  }

  @Test
  void filtersOfOtherFunnelsAreInspectedAndMerged() throws IOException {
    Path file = folder.resolve("others.bloom");
    for (GuavaFunnel<?> funnel :
        List.of(
            GuavaFunnel.ints(),
            GuavaFunnel.unencodedChars(),
            GuavaFunnel.strings(StandardCharsets.UTF_16))) {
      GuavaBloomFilter.create(funnel, 10, 0.01).writeBloomkitTo(file);
      Map<String, String> members = CommandRun.inspect(file);
      assertEquals("\"bloomkit-guava\"", members.get("kind"));
      assertEquals("\"guava-" + funnel + "\"", members.get("strategy"));
      assertEquals("\"right\"", members.get("checksum"));
      CommandRun.succeed("", "merge", file, file, "--force", "-o", folder.resolve("both"));
      assertEquals(
          "bloom: "
              + file
              + " was filled by the strategy guava-"
              + funnel
              + ", which bloom does not have: query "
              + (funnel.equals(GuavaFunnel.strings(StandardCharsets.UTF_16))
                  ? "and update it in Java"
                  : "it by contrib/bloomkit.py or in Java, and update it in Java"),
          CommandRun.fail("a\n", "check", file));
    }
  }
}
