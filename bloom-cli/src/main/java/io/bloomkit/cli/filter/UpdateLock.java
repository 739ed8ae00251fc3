package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.FileFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Excludes other processes that update the same file: a lock on a file {@code .bloom-NAME.lock}
 * beside it, which ends with the process. The file itself cannot be locked, because an update
 * replaces it, and because closing any stream of it would end the lock.
 */
final class UpdateLock implements Closeable {

  private static final long RETRY_MILLIS = 20;

  private final Path file;
  private final FileChannel channel;

  private UpdateLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Locks a file for an update.
   *
   * @param waits whether to wait for another process
   * @throws IllegalArgumentException if another process has the lock and {@code waits} is false
   * @throws java.io.UncheckedIOException if the lock cannot be had for another reason
   */
  static UpdateLock of(Path updated, boolean waits) {
    try {
      Path real = Files.exists(updated) ? updated.toRealPath() : updated.toAbsolutePath();
      Path name = Objects.requireNonNull(real.getFileName(), "name");
      Path file = real.resolveSibling(".bloom-" + name + ".lock");
      while (true) {
        UpdateLock lock = tryLock(file);
        if (lock != null) {
          return lock;
        }
        if (!waits) {
          throw new IllegalArgumentException(
              updated
                  + " is being updated by another process; try again later, or leave out"
                  + " --no-wait to wait");
        }
        Thread.sleep(RETRY_MILLIS);
      }
    } catch (IOException e) {
      throw FileFailure.writing(updated, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + updated, e);
    }
  }

  private static @Nullable UpdateLock tryLock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean isLocked = false;
    try {
      Object opened = key(file);
      FileLock lock = channel.tryLock();
      // Whoever had the lock before may have deleted the file that was opened here.
      isLocked = lock != null && opened != null && opened.equals(key(file));
      return isLocked ? new UpdateLock(file, channel) : null;
    } catch (OverlappingFileLockException e) { // another thread of this process
      return null;
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
  }

  /** Returns what identifies a file whatever its name; null if it does not exist. */
  private static @Nullable Object key(Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      Object key = attributes.fileKey();
      return key == null ? attributes.creationTime() : key;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Deletes the lock file if the system permits that for an open file, and ends the lock. */
  @Override
  public void close() {
    try (channel) {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The update is done. A lock file that is left over locks nothing.
    }
  }
}
