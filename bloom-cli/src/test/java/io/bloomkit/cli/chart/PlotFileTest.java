package io.bloomkit.cli.chart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PlotFileTest {

  private static final byte[] OLD = "\u0089PNG\r\n\u001a\n old".getBytes(ISO_8859_1);
  private static final byte[] NEW = "\u0089PNG\r\n\u001a\n newer".getBytes(ISO_8859_1);

  @TempDir private Path folder;

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it replaces no file that is being read")
  void aReaderOfTheOldPictureSeesTheWholeOfIt() throws IOException {
    Path file = Files.write(folder.resolve("plot.png"), OLD);
    try (InputStream in = Files.newInputStream(file)) {
      PlotFile.requireWritable(file, true);
      PlotFile.write(file, NEW);
      assertArrayEquals(OLD, in.readAllBytes());
    }
    assertArrayEquals(NEW, Files.readAllBytes(file));
    assertEquals(List.of(file), files());
  }

  @Test
  void aNewPictureIsWritten() throws IOException {
    Path file = folder.resolve("plot.png");
    PlotFile.requireWritable(file, false);
    assertEquals(List.of(), files());
    PlotFile.write(file, NEW);
    assertArrayEquals(NEW, Files.readAllBytes(file));
    assertEquals(List.of(file), files());
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a link requires a privilege")
  void aSymbolicLinkStaysOne() throws IOException {
    Path file = Files.write(folder.resolve("plot.png"), OLD);
    Path link = Files.createSymbolicLink(folder.resolve("link.png"), Path.of("plot.png"));
    PlotFile.write(link, NEW);
    assertTrue(Files.isSymbolicLink(link));
    assertArrayEquals(NEW, Files.readAllBytes(file));
    assertEquals(2, files().size());
    Files.delete(file);
    PlotFile.write(link, OLD);
    assertTrue(Files.isSymbolicLink(link));
    assertArrayEquals(OLD, Files.readAllBytes(file));
  }

  @Test
  void aFailureIsSaidAndLeavesNothing() throws IOException {
    Path missing = folder.resolve("no/plot.png");
    String expected = "cannot write " + missing + ": no such directory";
    for (UncheckedIOException e :
        List.of(
            assertThrows(
                UncheckedIOException.class, () -> PlotFile.requireWritable(missing, false)),
            assertThrows(UncheckedIOException.class, () -> PlotFile.write(missing, NEW)))) {
      assertEquals(expected, e.getMessage());
    }
    assertThrows(UncheckedIOException.class, () -> PlotFile.requireWritable(folder, false));
    assertEquals(List.of(), files());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
