package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names the file in the exceptions of methods that take a path. */
public final class FileErrors {

  private FileErrors() {}

  /**
   * Returns an exception whose message begins with the file. The caller throws it.
   *
   * @param file the file as the caller named it
   * @param cause returned itself if it names the file already; an error of a stream, such as that
   *     of a directory or a full disk, does not
   */
  public static IOException naming(Path file, IOException cause) {
    if (cause instanceof FilterFormatException fault) {
      return new FilterFormatException(file, fault);
    }
    if (cause instanceof FileSystemException named && file.toString().equals(named.getFile())) {
      return cause;
    }
    String reason =
        Files.isRegularFile(file.resolve("identity"))
            ? "it is the folder of a durable filter: open it by DurableFilter.open of bloom-durable"
            : cause.getMessage();
    FileSystemException naming = new FileSystemException(file.toString(), null, reason);
    naming.initCause(cause);
    return naming;
  }
}
