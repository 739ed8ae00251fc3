package io.bloomkit.durable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The lock of a folder, which one filter of one process holds. A killed process holds no lock. */
final class FolderLock implements Closeable {

  /**
   * The folders that this process has locked. A second channel would lose the lock of the first.
   */
  private static final Set<Path> IN_THIS_PROCESS = ConcurrentHashMap.newKeySet();

  /**
   * Channels that must not be closed, not even by a garbage collection: that would end the lock
   * that somebody else in this process has on the same file. The next try takes the channel instead
   * of opening another one, so that repeated tries do not use up all files of the process. By what
   * {@link #keyOf} returned before and after a channel was opened.
   */
  private static final Map<Object, Queue<FileChannel>> KEPT_OPEN = new ConcurrentHashMap<>();

  private final Path folder;

  /** Null if there is no file to lock. */
  private final @Nullable FileChannel channel;

  private FolderLock(Path folder, @Nullable FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Locks a folder.
   *
   * @throws FileSystemException if it is locked already
   */
  static FolderLock lock(Path folder) throws IOException {
    return lock(folder, /* shared= */ false, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /**
   * Locks a folder against filters that write. Needs no permission to write, and creates no file.
   *
   * @throws FileSystemException if it is locked already
   */
  static FolderLock lockToRead(Path folder) throws IOException {
    return Files.exists(folder.resolve(FolderNames.LOCK))
        ? lock(folder, /* shared= */ true, StandardOpenOption.READ)
        : new FolderLock(folder, null);
  }

  private static FolderLock lock(Path folder, boolean shared, OpenOption... options)
      throws IOException {
    Path real = folder.toRealPath();
    if (!IN_THIS_PROCESS.add(real)) {
      throw isLocked(folder, "this process has it open already");
    }
    Path file = real.resolve(FolderNames.LOCK);
    Object key = file;
    FileChannel channel = null;
    try {
      key = keyOf(file, shared);
      Queue<FileChannel> kept = KEPT_OPEN.get(key);
      channel = kept == null ? null : kept.poll();
      if (channel == null) {
        channel = FileChannel.open(file, options);
      }
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      if (lock == null) {
        throw isLocked(folder, "another process has it open");
      }
      return new FolderLock(real, channel);
    } catch (OverlappingFileLockException e) {
      // This class was loaded twice, as in two web applications, or the folder was moved.
      keepOpen(Objects.requireNonNull(channel), file, shared, key);
      IN_THIS_PROCESS.remove(real);
      throw isLocked(folder, "this process has it open already");
    } catch (AccessDeniedException e) {
      IN_THIS_PROCESS.remove(real);
      throw new AccessDeniedException(
          e.getFile(), null, "no permission to " + (shared ? "read" : "write") + " the folder");
    } catch (IOException | RuntimeException | Error e) {
      try {
        if (channel != null) {
          channel.close();
        }
      } finally {
        IN_THIS_PROCESS.remove(real);
      }
      throw e;
    }
  }

  /** Returns what identifies a file and a kind of lock, also for other paths to the same file. */
  private static Object keyOf(Path file, boolean shared) throws IOException {
    Object key = null;
    if (Files.exists(file)) {
      key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }
    return List.of(key == null ? file : key, shared);
  }

  private static void keepOpen(FileChannel channel, Path file, boolean shared, Object keyBefore) {
    Object key = new Object(); // the file may have been replaced: nobody takes the channel then
    try {
      key = keyOf(file, shared).equals(keyBefore) ? keyBefore : key;
    } catch (IOException e) {
      // also replaced
    }
    KEPT_OPEN.computeIfAbsent(key, unused -> new ConcurrentLinkedQueue<>()).add(channel);
  }

  private static FileSystemException isLocked(Path folder, String reason) {
    return new FileSystemException(folder.toString(), null, reason + ": close it there first");
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      try {
        channel.close();
      } finally {
        IN_THIS_PROCESS.remove(folder); // a second channel must not be opened before
      }
    }
  }
}
