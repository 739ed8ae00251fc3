package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.FileFailure;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
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

  private final FileChannel channel;

  private UpdateLock(FileChannel channel) {
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
      isLocked = channel.tryLock() != null;
      return isLocked ? new UpdateLock(channel) : null;
    } catch (OverlappingFileLockException e) { // another thread of this process
      return null;
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
  }

  /** Ends the lock. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // closing a channel without data does not fail
    }
  }
}
