package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.text.FlatJson;
import io.bloomkit.format.FilterKinds;
import io.bloomkit.format.FilterProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What it takes to add a ninth kind of filter: one class, {@link OneHashFilter}, which holds
 * filter, descriptor and provider, and one service line. No other class of the library names it,
 * and every command knows it.
 *
 * <p>The service line lies in a folder that only this test sees, through a class loader of its own,
 * so that other tests find the eight kinds.
 */
class NinthKindTest {

  private static final ClassLoader USUAL = Thread.currentThread().getContextClassLoader();

  @TempDir private Path folder;

  private URLClassLoader loader = new URLClassLoader(new URL[0]);

  @BeforeEach
  void install() throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(FilterProvider.class.getName()), OneHashFilter.Provider.class.getName());
    loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, OneHashFilter.class.getClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
  }

  @AfterEach
  void uninstall() throws IOException {
    Thread.currentThread().setContextClassLoader(USUAL);
    loader.close();
  }

  @Test
  void onlyHereThereIsOneMore() throws IOException {
    int kinds = FilterKinds.installed().size();
    uninstall();
    assertEquals(kinds - 1, FilterKinds.installed().size());
  }

  @Test
  void filesOfItAreBuiltAddedToCheckedAndInspected() {
    Path file = CommandRun.build(folder, "one-hash", "a\nb\n");
    CommandRun add = CommandRun.succeed("c\n", "add", file);
    assertTrue(add.err().contains("1 lines added, 1 of them certainly new"), add.err());
    assertEquals("a\nc\n", CommandRun.succeed("a\nx\nc\n", "check", file).text());
    Map<String, String> members =
        FlatJson.object(CommandRun.succeed("", "inspect", "--json", file).out());
    assertEquals("\"one-hash\"", members.get("kind"));
    assertEquals("\"right\"", members.get("checksum"));
    assertEquals("1", members.get("hashes"));
    assertEquals("3", members.get("setPositions"));
    assertEquals("3", members.get("approximateElements"));
  }

  @Test
  void whatItCannotDoIsSaidAsOfAnyKind() {
    Path file = CommandRun.build(folder, "one-hash", "a\n");
    String message = CommandRun.fail("a\n", "remove", file);
    assertTrue(message.startsWith("bloom: cannot remove lines from a one-hash filter"), message);
    message = CommandRun.fail("", "convert", file, "--to", "classic", "-o", folder.resolve("c"));
    assertTrue(message.contains("one-hash filters cannot become classic"), message);
  }

  @Test
  void helpNamesIt() {
    CommandRun help = CommandRun.succeed("", "build", "--help");
    assertTrue(help.out().contains("one-hash"), help.out());
  }

  @Test
  void itIsSized() {
    CommandRun size = CommandRun.succeed("", "size", "--items", "1000", "--fpp", "0.01", "--json");
    Map<String, String> row =
        FlatJson.parse(size.out()).stream()
            .filter(object -> "\"one-hash\"".equals(object.get("kind")))
            .findFirst()
            .orElseThrow();
    assertEquals("99500", row.get("positions"));
    assertEquals("1", row.get("hashes"));
    assertEquals("12440", row.get("bytes"));
    assertEquals("false", row.get("deletable"));
    double fpp = Double.parseDouble(Objects.requireNonNull(row.get("expectedFpp")));
    assertEquals(0.01, fpp, 1e-6);
  }

  @Test
  void itIsMeasuredByTheExperiment() {
    CommandRun run =
        CommandRun.succeed(
            "", "experiment", "ids", "--items", 1000, "--queries", 10_000, "--seed", 1, "--json");
    assertTrue(run.out().contains("\"one-hash\""), run.out());
  }

  @Test
  void aStrategyIsExaminedWithIt() {
    CommandRun run = CommandRun.of("", "examine", "--strategy", "long", "--items", "20000");
    assertTrue(run.exitCode() < 2, run.err());
    assertTrue(run.out().contains("one-hash"), run.out());
  }
}
