package io.bloomkit.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where a picture goes. */
final class PlotFile {

  private PlotFile() {}

  /**
   * Finds out before a long run whether the file can be written; leaves it as it is.
   *
   * @throws java.io.UncheckedIOException if it cannot
   */
  static void requireWritable(Path file) {
    boolean isNew = Files.notExists(file);
    try {
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
      if (isNew) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }

  /**
   * Writes the file.
   *
   * @throws java.io.UncheckedIOException if that fails
   */
  static void write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw FileFailure.writing(file, e);
    }
  }
}
