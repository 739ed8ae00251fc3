package io.bloomkit.cli.io;

import io.bloomkit.FilterFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Creates exceptions whose one-line messages name a file that cannot be read or written, and the
 * reason.
 */
public final class FileFailure {

  private FileFailure() {}

  public static UncheckedIOException reading(Path file, IOException e) {
    String reason = e instanceof NoSuchFileException ? "no such file" : reason(e);
    return new UncheckedIOException("cannot read " + place(file, e) + ": " + reason, e);
  }

  public static UncheckedIOException writing(Path file, IOException e) {
    String reason = e instanceof NoSuchFileException ? "no such directory" : reason(e);
    return new UncheckedIOException("cannot write " + place(file, e) + ": " + reason, e);
  }

  /** Returns the file in a folder that an exception names; otherwise the file itself. */
  private static Object place(Path file, IOException e) {
    String named = e instanceof FileSystemException failure ? failure.getFile() : null;
    return named != null && Files.isDirectory(file) ? named : file;
  }

  /**
   * Returns the reason of a failure without the file. The message of most file exceptions contains
   * only the file name.
   */
  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e.getCause() instanceof FilterFormatException inFile) {
      return reason(inFile);
    }
    String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
    return reason == null ? e.toString() : reason;
  }
}
