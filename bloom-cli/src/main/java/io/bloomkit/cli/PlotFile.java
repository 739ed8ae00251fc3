package io.bloomkit.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where a picture goes. */
final class PlotFile {

  private PlotFile() {}

  /**
   * Finds out before a long run whether the file can be written; leaves it as it is.
   *
   * @throws UncheckedIOException if it cannot
   */
  static void requireWritable(Path file) {
    boolean isNew = Files.notExists(file);
    try {
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
      if (isNew) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /**
   * Writes the file.
   *
   * @throws UncheckedIOException if that fails
   */
  static void write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  private static UncheckedIOException failure(Path file, IOException e) {
    return new UncheckedIOException("cannot write " + file + ": " + reason(e), e);
  }

  /** The message of most of these exceptions is the name of the file and nothing else. */
  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason = e instanceof FileSystemException failure ? failure.getReason() : null;
    return reason == null ? e.toString() : reason;
  }
}
