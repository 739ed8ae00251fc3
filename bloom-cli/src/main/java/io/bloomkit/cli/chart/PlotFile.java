package io.bloomkit.cli.chart;

import io.bloomkit.cli.io.FileFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;

/** The file of a picture. */
public final class PlotFile {

  /** The first bytes of every PNG. */
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private PlotFile() {}

  /**
   * Checks before a long run that the file can be written, without changing it.
   *
   * @throws IllegalArgumentException if it exists and is not a picture
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  public static void requireWritable(Path file) {
    try {
      if (Files.isRegularFile(file) && !isPicture(file)) {
        throw new IllegalArgumentException(
            "cannot write " + file + ": it exists and is no PNG picture; name another file");
      }
      if (Files.exists(file)) {
        Files.newOutputStream(file, StandardOpenOption.APPEND).close();
      }
      if (isReplaced(file)) {
        Path temporary = temporary(file);
        Files.createFile(temporary);
        Files.delete(temporary);
      }
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }

  private static boolean isPicture(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(SIGNATURE.length);
      return first.length == 0 || Arrays.equals(first, SIGNATURE);
    }
  }

  /**
   * Writes the file, or replaces its picture atomically: a reader sees either the old picture or
   * the new one, complete. A symbolic link stays one. A device or a pipe is written to directly.
   *
   * @throws java.io.UncheckedIOException if that fails; an old picture is then unchanged
   */
  public static void write(Path file, byte[] bytes) {
    try {
      if (isReplaced(file)) {
        replace(file, bytes);
      } else {
        Files.write(file, bytes);
      }
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }

  private static void replace(Path file, byte[] bytes) throws IOException {
    Path temporary = temporary(file);
    try {
      Files.write(temporary, bytes, StandardOpenOption.CREATE_NEW);
      Files.move(temporary, target(file), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** A device, a pipe or a link to a missing file must stay one. */
  private static boolean isReplaced(Path file) {
    return Files.isRegularFile(file) || Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static Path temporary(Path file) throws IOException {
    return target(file).resolveSibling(".bloom-" + UUID.randomUUID() + ".tmp");
  }

  private static Path target(Path file) throws IOException {
    return Files.exists(file) ? file.toRealPath() : file;
  }
}
