package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.text.FlatJson;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files that the commands refuse to read or to replace. */
class FilterFileTest {

  @TempDir private Path folder;

  @Test
  void nothingIsOverwrittenUnlessForced() throws IOException {
    Path file = CommandRun.build(folder, "classic", "a\n");
    byte[] before = Files.readAllBytes(file);
    String message = CommandRun.fail("b\n", "build", "--items", 10, "-o", file);
    assertEquals("bloom: " + file + " already exists; --force replaces it", message);
    CommandRun.fail("", "merge", file, file, "-o", file);
    CommandRun.fail("", "convert", file, "--to", "classic", "-o", file);
    CommandRun.fail("b\n", "add", file, "-o", file);
    assertArrayEquals(before, Files.readAllBytes(file));
    Path other = folder.resolve("other.bloom");
    CommandRun.succeed("b\n", "add", file, "-o", other);
    assertArrayEquals(before, Files.readAllBytes(file));
    assertEquals("a\nb\n", FilterCommandsTest.check(other, "a\nb\n"));
    CommandRun.succeed("b\n", "build", "--items", 10, "--force", "-o", file);
    assertEquals("b\n", FilterCommandsTest.check(file, "a\nb\n"));
    Path lines = Files.writeString(folder.resolve("lines"), "a\n");
    CommandRun.fail("", "build", lines, "-o", lines, "--force");
    assertEquals("a\n", Files.readString(lines));
  }

  /** A pipe stands for devices, which are not to be put at risk by a test. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aDirectoryOrADeviceIsNotReplaced() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (Path file : List.of(pipe, folder)) {
      String message = CommandRun.fail("b\n", "build", "--items", 9, "--force", "-o", file);
      assertEquals(
          "bloom: cannot write " + file + ": it is not a regular file; choose another file",
          message);
    }
    assertFalse(Files.isRegularFile(pipe));
  }

  @Test
  void aPlaceThatIsNoneIsNamed() {
    Path none = folder.resolve("none").resolve("x.bloom");
    assertEquals(
        "bloom: cannot write " + none + ": no such directory: " + none.getParent(),
        CommandRun.fail("b\n", "build", "--items", 9, "-o", none));
    String message = CommandRun.fail("b\n", "build", "--items", 9, "-o", "-");
    assertTrue(message.contains("cannot be written to standard output; name a file"), message);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aPipeIsNoFileOfAFilter() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertEquals(
        "bloom: cannot read " + pipe + ": not a regular file; copy its contents to a regular file",
        CommandRun.fail("a\n", "check", pipe));
  }

  @Test
  void aDamagedFilterNamesByteAndReason() throws IOException {
    Path file = CommandRun.build(folder, "classic", "a\n");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1; // of the checksum of the payload
    Files.write(file, bytes);
    for (String command : List.of("check", "add", "inspect")) {
      CommandRun run = CommandRun.of("a\n", command, file);
      assertEquals(2, run.exitCode());
      assertTrue(run.err().startsWith("bloom: cannot read " + file + ": at byte "), run.err());
      assertEquals(1, run.err().lines().count());
    }
    CommandRun run = CommandRun.of("", "inspect", "--json", file);
    Map<String, String> members = FlatJson.object(run.out());
    assertEquals("\"damaged\"", members.get("checksum"));
    String reason = run.err().strip().replace("bloom: cannot read " + file + ": ", "");
    assertEquals("\"" + reason + "\"", members.get("damage"));
    assertTrue(reason.contains("checksum"), reason);
    assertEquals("\"classic\"", members.get("kind"));
    assertEquals("1", members.get("elements"));
    Files.write(file, new byte[0]);
    assertTrue(CommandRun.fail("a\n", "check", file).contains("cannot read " + file + ": at byte"));
    Files.writeString(file, "no filter at all");
    assertTrue(CommandRun.fail("a\n", "check", file).contains("at byte 0: this is no filter"));
    assertEquals(
        "bloom: cannot read nowhere: no such file", CommandRun.fail("a\n", "check", "nowhere"));
  }

  @Test
  void filtersOfTextsAreTakenAndThoseOfOtherStrategiesRefused() throws IOException {
    CountingBloomFilter<String> texts =
        CountingBloomFilter.create(HashStrategies.utf8(), 1000, 0.001);
    texts.add("\u00e4");
    Path file = folder.resolve("texts.bloom");
    texts.writeTo(file);
    CommandRun.succeed("b\n", "add", file);
    assertEquals("\u00c3\u00a4\nb\n", FilterCommandsTest.check(file, "\u00c3\u00a4\n\u00e4\nb\n"));
    assertTrue(CountingBloomFilter.readFrom(file, HashStrategies.utf8()).mightContain("b"));

    HashStrategy<byte[]> keyed = HashStrategies.sipHash24(new byte[16]);
    ClassicBloomFilter<byte[]> secret = ClassicBloomFilter.create(keyed, 1000, 0.001);
    secret.writeTo(file);
    String message = CommandRun.fail("a\n", "check", file);
    assertTrue(
        message.contains(
            "the filter was filled by strategy "
                + keyed.id()
                + " of bytes but is to be read with xxh3 of bytes"),
        message);
    String inspection = CommandRun.of("", "inspect", file).out();
    assertTrue(inspection.contains(keyed.id()), inspection);
    assertTrue(inspection.contains("not checked"), inspection);
  }

  @Test
  void aPictureReplacesNoFileWithoutForce() throws IOException {
    Path file = CommandRun.build(folder, "classic", "a\nb\n");
    byte[] before = Files.readAllBytes(file);
    String message = CommandRun.fail("", "inspect", file, "--plot", file);
    assertEquals("bloom: " + file + " already exists; --force replaces it", message);
    message = CommandRun.fail("", "inspect", file, "--plot", file, "--force");
    assertTrue(
        message.endsWith("it exists and is not a PNG picture; choose another file"), message);
    assertArrayEquals(before, Files.readAllBytes(file));
  }
}
