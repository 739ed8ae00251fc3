package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.FileFailure;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Excludes other processes that update the same file: a lock on an empty file {@code
 * .bloom-NAME.lock} beside it, which ends with the process. The file itself cannot be locked,
 * because an update replaces it, and because closing any stream of it would end the lock.
 *
 * <p>The lock file stays: if it were deleted, one process could lock the deleted file while another
 * locks a new one of the same name.
 */
final class UpdateLock implements Closeable {

  private static final long RETRY_MILLIS = 20;

  private static final int MAX_NAME_LENGTH = 100;

  /** The lock files of this process. */
  private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

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
   * @throws UncheckedIOException if the lock cannot be had for another reason
   */
  static UpdateLock of(Path updated, boolean waits) {
    try {
      Path real = Files.exists(updated) ? updated.toRealPath() : updated.toAbsolutePath();
      Path file = real.resolveSibling(nameOfLock(real));
      while (true) {
        UpdateLock lock = tryLock(file, real);
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

  /** Returns the name of the lock file, with a part of the name if that is long. */
  private static String nameOfLock(Path updated) {
    String name = String.valueOf(updated.getFileName());
    return name.length() <= MAX_NAME_LENGTH
        ? ".bloom-" + name + ".lock"
        : String.format(
            Locale.ROOT,
            ".bloom-%s-%08x.lock",
            name.substring(0, MAX_NAME_LENGTH),
            name.hashCode());
  }

  private static @Nullable UpdateLock tryLock(Path file, Path updated) throws IOException {
    if (!LOCKED.add(file)) {
      return null; // another thread of this process, whose lock would end if this one closed a file
    }
    FileChannel channel = null;
    boolean isLocked = false;
    try {
      channel = open(file, updated);
      isLocked = channel.tryLock() != null;
      return isLocked ? new UpdateLock(file, channel) : null;
    } catch (FileSystemException e) {
      throw new FileSystemException(file.toString(), null, "cannot open the lock " + file);
    } finally {
      if (!isLocked) {
        LOCKED.remove(file);
        if (channel != null) {
          channel.close();
        }
      }
    }
  }

  /** Opens the lock file. Who may change the updated file may lock it. */
  private static FileChannel open(Path file, Path updated) throws IOException {
    boolean isNew = Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
    if (!isNew && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) { // a pipe would block
      throw new FileSystemException(file.toString());
    }
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (isNew && view != null && Files.exists(updated)) {
      view.setPermissions(Files.getPosixFilePermissions(updated)); // the umask removes some
    }
    return channel;
  }

  /** Ends the lock. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // closing a channel without data does not fail
    } finally {
      LOCKED.remove(file);
    }
  }
}
