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

/** Writes pictures to files. */
final class PlotFile {

  /** The first bytes of every PNG. */
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private PlotFile() {}

  /**
   * Checks before a long run that a file can be written, without changing it.
   *
   * @param force whether an existing picture may be replaced
   * @throws IllegalArgumentException if the file exists and may not be replaced, or is not a PNG
   *     picture
   * @throws java.io.UncheckedIOException if the file cannot be written
   */
  static void requireWritable(Path file, boolean force) {
    try {
      if (Files.isRegularFile(file) && !force) {
        throw new IllegalArgumentException(file + " already exists; --force replaces it");
      }
      if (Files.isRegularFile(file) && !isPicture(file)) {
        throw new IllegalArgumentException(
            "cannot write " + file + ": it exists and is not a PNG picture; choose another file");
      }
      if (Files.exists(file)) {
        Files.newOutputStream(file, StandardOpenOption.APPEND).close();
      }
      if (isReplaced(file)) {
        Path temporary = temporary(file);
        Files.createFile(temporary);
        Files.deleteIfExists(temporary);
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
   * Writes a file, or replaces its picture atomically: a reader sees either the complete old
   * picture or the complete new one. A symbolic link is preserved. Devices and pipes are written to
   * directly.
   *
   * @throws java.io.UncheckedIOException if writing fails; an old picture is unchanged
   */
  static void write(Path file, byte[] bytes) {
    try {
      if (isReplaced(file)) {
        Path temporary = temporary(file);
        try {
          Files.write(temporary, bytes);
          Files.move(temporary, target(file), StandardCopyOption.ATOMIC_MOVE);
        } finally {
          Files.deleteIfExists(temporary);
        }
      } else {
        Files.write(file, bytes);
      }
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }

  /**
   * Returns whether the file is to be replaced, which a device, a pipe or a link to a missing file
   * must not be.
   */
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
