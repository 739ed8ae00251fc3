package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of DCSO's bloom on the command line. */
class DcsoCommandsTest {

  /** The golden bytes of DcsoBloomFilterTest: foo, bar and an empty line. */
  private static final String GOLDEN =
      "01000000000000000a000000000000009a9999999999b93f04000000000000002f00000000000000"
          + "03000000000000003002601b00440000";

  @TempDir private Path folder;

  @Test
  void filesAreBuiltInspectedCheckedAddedToAndMerged() throws Exception {
    Path file = folder.resolve("known.bloom");
    String[] options = {"--kind=dcso", "--items=10", "--fpp=10%", "-o"};
    CommandRun.succeed(
        "foo\nbar\n\nfoo\n", "build", options[0], options[1], options[2], "-o", file);
    assertEquals(GOLDEN, HexFormat.of().formatHex(Files.readAllBytes(file)));
    assertEquals("bar\nfoo\n", CommandRun.succeed("bar\nnone\nfoo\n", "check", file).text());
    CommandRun inspected = CommandRun.succeed("", "inspect", file);
    assertTrue(
        inspected.out().matches("(?s).*kind +dcso\n.*checksum +none\n.*planned elements +10\n.*"),
        inspected.out());

    Path one = folder.resolve("one.bloom");
    CommandRun.succeed("foo\n", "build", options[0], options[1], options[2], "-o", one);
    Path other = folder.resolve("other.bloom");
    CommandRun.succeed("bar\n", "build", options[0], options[1], options[2], "-o", other);
    CommandRun.succeed("\n", "add", other);
    Path merged = folder.resolve("merged.bloom");
    CommandRun.succeed("", "merge", one, other, "-o", merged);
    assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(merged));
    assertTrue(
        CommandRun.fail("", "remove", file).startsWith("bloom: cannot remove lines from a dcso"));
    assertTrue(
        CommandRun.fail("", "convert", "--to=classic", file, "-o", folder.resolve("x"))
            .contains("dcso filters cannot become classic"));
  }

  @Test
  void aPublishedFileIsReadAsItIs() throws Exception {
    Path file = folder.resolve("known.bloom.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(HexFormat.of().parseHex(GOLDEN));
    }
    assertEquals("bar\n", CommandRun.succeed("bar\nnone\n", "check", file).text());
    assertEquals("\"dcso\"", CommandRun.inspect(file).get("kind"));
    Path merged = folder.resolve("merged.bloom");
    CommandRun.succeed("", "merge", file, file, "-o", merged);
    assertEquals("bar\n", CommandRun.succeed("bar\nnone\n", "check", merged).text());
    CommandRun.succeed("none\n", "add", file, "-o", folder.resolve("plain"));
    byte[] before = Files.readAllBytes(file);
    assertEquals(
        "bloom: " + file + " is compressed by gzip; give --output, or decompress it first",
        CommandRun.fail("none\n", "add", file));
    assertArrayEquals(before, Files.readAllBytes(file));
    Files.write(file, Arrays.copyOf(before, before.length - 9));
    assertTrue(
        CommandRun.fail("a\n", "check", file).startsWith("bloom: cannot read " + file + ": "));
  }

  @Test
  void packedFiltersOfOtherKindsAreToBeUnpackedFirst() throws Exception {
    Path file = folder.resolve("classic.bloom.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      Files.copy(CommandRun.build(folder, "classic", "a\n"), out);
    }
    assertEquals(
        "bloom: cannot read " + file + ": it is compressed by gzip; decompress it first",
        CommandRun.fail("a\n", "check", file));
  }
}
