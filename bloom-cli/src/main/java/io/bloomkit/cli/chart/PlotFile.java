package io.bloomkit.cli.chart;

import io.bloomkit.cli.io.FileFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Where a picture goes. */
public final class PlotFile {

  /** How every PNG begins. */
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private PlotFile() {}

  /**
   * Finds out before a long run whether the file can be written; leaves it as it is.
   *
   * @throws IllegalArgumentException if it holds something else than a picture
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  public static void requireWritable(Path file) {
    boolean isNew = Files.notExists(file);
    try {
      if (Files.isRegularFile(file) && !isPicture(file)) {
        throw new IllegalArgumentException(
            "cannot write " + file + ": it exists and is no PNG picture; name another file");
      }
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
      if (isNew) {
        Files.delete(file);
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
   * Writes the file, or replaces the picture in it.
   *
   * @throws java.io.UncheckedIOException if that fails
   */
  public static void write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }
}
