package io.bloomkit.durable;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The lock of a folder, which one filter of one process holds. A killed process holds no lock. */
final class FolderLock implements Closeable {

  /**
   * The prefix of system properties that claim a lock while this process opens, has, or closes a
   * channel of it. They hold for all class loaders: a process that closes a second channel of a
   * file loses the lock of the first.
   */
  private static final String CLAIM = "io.bloomkit.durable.lock.";

  /** Channels of locks of others in this process, which a garbage collection must not close. */
  private static final Set<FileChannel> KEPT_OPEN = ConcurrentHashMap.newKeySet();

  /** The length of the file is below it. */
  private static final int MAX_LENGTH = 1 << 20;

  private final String claim;

  /** Null if there is no file to lock. */
  private @Nullable FileChannel channel;

  private @Nullable Object state;

  private FolderLock(String claim) {
    this.claim = claim;
  }

  /**
   * Locks a folder, and changes the length of the file. From that, a process that has lost its lock
   * knows: it ends when the file is deleted, or when other code of the process closes a channel of
   * the file.
   *
   * @throws FileSystemException if it is locked already
   */
  static FolderLock lock(Path folder) throws IOException {
    return lock(folder, /* shared= */ false);
  }

  /**
   * Locks a folder against filters that write. Needs no permission to write, and creates no file.
   *
   * @throws FileSystemException if it is locked already
   */
  static FolderLock lockToRead(Path folder) throws IOException {
    return Files.exists(folder.resolve(FolderNames.LOCK))
        ? lock(folder, /* shared= */ true)
        : new FolderLock("");
  }

  private static FolderLock lock(Path folder, boolean shared) throws IOException {
    Path real = folder.toRealPath();
    if (!real.toFile().isDirectory()) { // its name as a text is that of another file
      throw new FileSystemException(
          folder.toString(),
          null,
          "its path has characters that the locale lacks: set LC_ALL to one with UTF-8, such as"
              + " C.UTF-8, or name a folder with another path");
    }
    Path file = real.resolve(FolderNames.LOCK);
    Object folderKey = keyOf(real);
    // The file can be claimed only when it is there, and creating it closes a channel of it.
    String ofFolder = claim(folder, "folder " + (folderKey == null ? real : folderKey));
    try {
      if (!shared && !Files.isWritable(real)) { // its files may be
        throw new AccessDeniedException(file.toString());
      }
      if (!shared && !Files.exists(file)) {
        create(file);
      }
      if (!Files.isRegularFile(file)) { // a pipe would be waited for
        throw new FileSystemException(file.toString(), null, "it is not a regular file");
      }
      Object key = keyOf(file);
      String claim = claim(folder, "file " + (key == null ? file : key));
      boolean isLocked = false;
      try {
        FolderLock lock = new FolderLock(claim);
        lock.lockFile(folder, file, key, shared);
        isLocked = true;
        return lock;
      } finally {
        if (!isLocked) {
          System.clearProperty(claim);
        }
      }
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(
          e.getFile(), null, "no permission to " + (shared ? "read" : "write") + " the folder");
    } finally {
      System.clearProperty(ofFolder);
    }
  }

  private static void create(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // Another process has just created it.
    }
  }

  private static String claim(Path folder, Object key) throws FileSystemException {
    String claim = CLAIM + key;
    if (System.getProperties().putIfAbsent(claim, "") != null) {
      throw isLocked(folder, "this process has it open already");
    }
    return claim;
  }

  /** Returns what identifies a file, by whatever path; null if the system does not tell. */
  private static @Nullable Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private void lockFile(Path folder, Path file, @Nullable Object key, boolean shared)
      throws IOException {
    if (!(shared ? Files.isReadable(file) : Files.isWritable(file))) {
      throw new AccessDeniedException(file.toString());
    }
    RandomAccessFile opened = new RandomAccessFile(file.toFile(), shared ? "r" : "rw");
    FileChannel ofFile = opened.getChannel();
    boolean mayBeOfOthers = true;
    try {
      if (!Objects.equals(keyOf(file), key)) {
        throw new FileSystemException(
            folder.toString(), null, "it was replaced while it was opened: try again");
      }
      mayBeOfOthers = false;
      if (ofFile.tryLock(0, Long.MAX_VALUE, shared) == null) {
        throw isLocked(folder, "another process has it open");
      }
      if (!shared) {
        opened.setLength((opened.length() + 1) % MAX_LENGTH);
        state = state(opened.length(), key);
      }
      channel = ofFile;
    } catch (OverlappingFileLockException e) { // by another program than this class
      KEPT_OPEN.add(ofFile);
      throw isLocked(folder, "this process has it open already");
    } catch (IOException | RuntimeException | Error e) {
      if (mayBeOfOthers) {
        KEPT_OPEN.add(ofFile);
      } else {
        ofFile.close();
      }
      throw e;
    }
  }

  private static FileSystemException isLocked(Path folder, String reason) {
    return new FileSystemException(folder.toString(), null, reason + ": close it there first");
  }

  /** Returns {@link #stateOf} the folder as long as it is locked; null if it is locked to read. */
  @Nullable Object state() {
    return state;
  }

  /**
   * Returns what changes when the lock of a folder is replaced, or another process locks it; null
   * if there is none.
   */
  static @Nullable Object stateOf(Path folder) throws IOException {
    try {
      BasicFileAttributes lock =
          Files.readAttributes(folder.resolve(FolderNames.LOCK), BasicFileAttributes.class);
      return state(lock.size(), lock.fileKey());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static Object state(long length, @Nullable Object key) {
    return List.of(length, Optional.ofNullable(key));
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      try {
        channel.close();
      } finally {
        System.clearProperty(claim); // a second channel must not be opened before
      }
    }
  }
}
