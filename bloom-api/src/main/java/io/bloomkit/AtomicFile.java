package io.bloomkit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes files so that at every moment, a crash of the machine included, the whole old file is
 * there or the whole new one.
 */
public final class AtomicFile {

  private static final SecureRandom RANDOM = new SecureRandom();

  private AtomicFile() {}

  /** Writes what is to be in a file. */
  @FunctionalInterface
  public interface Body {

    /**
     * Writes everything.
     *
     * @throws IOException if that fails; the file is then as it was
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file: into a temporary file {@code .bloom-….tmp} in the same directory, which is
   * forced to the disk and then renamed, which is forced to the disk too. An old file is replaced
   * and its permissions are kept; a symbolic link stays one. If anything fails, the temporary file
   * is deleted; after a crash it may be left.
   *
   * @param file the file to write or to replace
   * @param body called once, with a stream that need not be buffered or closed
   * @throws IOException if the file cannot be written, or the body throws it
   */
  public static void write(Path file, Body body) throws IOException {
    Objects.requireNonNull(body, "body");
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path directory = Objects.requireNonNullElse(target.getParent(), target);
    Path temporary = writeTemporary(directory, body);
    try {
      keepPermissions(target, temporary);
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      deleteQuietly(temporary, e);
      throw e;
    }
    force(directory);
  }

  private static Path writeTemporary(Path directory, Body body) throws IOException {
    while (true) {
      String name = String.format(Locale.ROOT, ".bloom-%016x.tmp", RANDOM.nextLong());
      Path temporary = directory.resolve(name);
      FileChannel channel;
      try {
        channel =
            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException e) {
        continue; // one of another writer
      }
      try (channel) {
        body.writeTo(Channels.newOutputStream(channel));
        channel.force(true);
        return temporary;
      } catch (IOException | RuntimeException | Error e) {
        deleteQuietly(temporary, e);
        throw e;
      }
    }
  }

  private static void keepPermissions(Path old, Path temporary) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(
            temporary, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view != null && Files.exists(old)) {
      view.setPermissions(Files.getPosixFilePermissions(old));
    }
  }

  private static void deleteQuietly(Path temporary, Throwable reason) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /** Makes the rename last. Not every system can: Windows opens no directories. */
  private static void force(Path directory) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      return;
    }
    try (channel) {
      channel.force(true);
    }
  }
}
