package io.bloomkit.internal.format;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes files by atomic replace: at any moment, even after a crash of the machine, there is either
 * the complete old file or the complete new file.
 */
public final class AtomicFile {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The number of symbolic links that Linux follows. */
  private static final int MAX_LINKS = 40;

  private static final FileAttribute<?>[] NO_ATTRIBUTES = {};

  /**
   * The byte that a writer locks: beyond all contents, since Windows lets nobody read a locked one.
   */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  /** Windows replaces no file that another program reads; most do not read for longer than this. */
  private static final int MAX_RENAMINGS = 50;

  private static final long RETRY_MILLIS = 20;

  /** The names of temporary files, with a random number of 64 bits. */
  private static final Pattern TEMPORARY_NAME = Pattern.compile("\\.bloom-[0-9a-f]{16}\\.tmp");

  private AtomicFile() {}

  /** Writes all contents of a file. If it throws, an old file is unchanged. */
  @FunctionalInterface
  public interface Body {

    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file. Deletes the temporary files of killed processes in the same directory first.
   * Then writes a temporary file {@code .bloom-….tmp} in the same directory, forces it to the disk,
   * renames it, and forces the new name to the disk where the system supports this. The new file
   * has the permissions of an old one, and its owner and group if the process may set them. A
   * symbolic link remains a link, even if its target did not exist before. If a step fails, the
   * temporary file is deleted; after a crash, or if a signal ends the process, it remains until the
   * next file is written there.
   *
   * @param file the file to write or to replace
   * @param body called once; need not buffer or close the stream
   * @throws IOException if the file cannot be written, exists but is not a regular file, or the
   *     body throws it; its message names the file. An old file is then unchanged, unless only
   *     forcing the new name to the disk failed.
   */
  public static void write(Path file, Body body) throws IOException {
    Objects.requireNonNull(file, "file");
    try {
      replace(file, body);
    } catch (IOException e) {
      throw FileErrors.naming(file, e);
    }
  }

  private static void replace(Path file, Body body) throws IOException {
    Path target = target(file);
    boolean exists = Files.exists(target);
    if (exists && !Files.isRegularFile(target)) { // otherwise a device would be replaced
      throw new FileSystemException(file.toString(), null, "it is not a regular file");
    }
    Path directory = directory(target);
    deleteAbandoned(target);
    // A user who may not read the old file must not be able to read the temporary file.
    try (Temporary temporary =
        Temporary.create(file, directory, exists ? permissions(target) : NO_ATTRIBUTES)) {
      body.writeTo(Channels.newOutputStream(temporary.channel));
      temporary.channel.force(true);
      if (!temporary.supportsLocks()) {
        temporary.channel.close(); // an archive takes a file when it is closed
      }
      if (exists) {
        copyOwnership(target, temporary.path);
      }
      temporary.renameTo(target, file);
    }
    force(directory);
  }

  /**
   * Deletes the temporary files beside a file whose writers were killed. What cannot be opened or
   * deleted, and the files of living writers, remain.
   *
   * @param target need not exist; no symbolic link
   */
  static void deleteAbandoned(Path target) {
    try {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(directory(target), AtomicFile::isTemporary)) {
        for (Path temporary : files) {
          if (!temporary.equals(target) && !Temporary.IN_THIS_PROCESS.contains(temporary)) {
            deleteIfUnlocked(temporary);
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A directory that cannot be listed keeps its files.
    }
  }

  private static boolean isTemporary(Path file) {
    return TEMPORARY_NAME.matcher(String.valueOf(file.getFileName())).matches()
        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static Path directory(Path target) {
    return Objects.requireNonNullElse(target.getParent(), target);
  }

  private static void deleteIfUnlocked(Path file) {
    // A shared lock needs no permission to write, which a read-only filter and its copy lack.
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.tryLock(0, Long.MAX_VALUE, /* shared= */ true) != null) {
        Files.delete(file);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // The file of another user, or of another deletion.
    }
  }

  /** Returns the target of symbolic links, whether or not the file exists. */
  private static Path target(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  private static FileAttribute<?>[] permissions(Path old) throws IOException {
    PosixFileAttributeView view = posixView(old);
    return view == null
        ? NO_ATTRIBUTES
        : new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(view.readAttributes().permissions())
        };
  }

  /**
   * A temporary file. Its writer locks it until it is renamed, so a file without a lock is one
   * whose writer was killed.
   */
  private static final class Temporary implements Closeable {

    /** A process that opened and closed a file of its own again would lose the lock on it. */
    static final Set<Path> IN_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    final Path path;
    final FileChannel channel;

    private Temporary(Path path, FileChannel channel) {
      this.path = path;
      this.channel = channel;
    }

    static Temporary create(Path file, Path directory, FileAttribute<?>... attributes)
        throws IOException {
      while (true) {
        Path path =
            directory.resolve(String.format(Locale.ROOT, ".bloom-%016x.tmp", RANDOM.nextLong()));
        IN_THIS_PROCESS.add(path);
        FileChannel channel;
        try {
          channel = open(path, file, directory, attributes);
        } catch (FileAlreadyExistsException e) {
          IN_THIS_PROCESS.remove(path);
          continue; // the file of another writer
        } catch (IOException e) {
          IN_THIS_PROCESS.remove(path);
          throw e;
        }
        Temporary temporary = new Temporary(path, channel);
        if (temporary.tryLock()) {
          return temporary;
        }
        temporary.close(); // another process took it for an abandoned one
      }
    }

    private static FileChannel open(
        Path path, Path file, Path directory, FileAttribute<?>... attributes) throws IOException {
      try {
        return FileChannel.open(
            path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
      } catch (FileAlreadyExistsException e) {
        throw e;
      } catch (NoSuchFileException e) {
        if (Files.isDirectory(directory)) { // such as that of the processes of Linux
          throw new FileSystemException(
              file.toString(), null, "no files can be created in " + directory);
        }
        throw new NoSuchFileException(file.toString(), null, "there is no directory " + directory);
      } catch (AccessDeniedException e) {
        throw new AccessDeniedException(
            file.toString(), null, "no permission to create files in " + directory);
      } catch (FileSystemException e) {
        throw new FileSystemException(file.toString(), null, e.getReason());
      }
    }

    /**
     * Renames the file.
     *
     * @param file the target as the caller named it
     */
    void renameTo(Path target, Path file) throws IOException {
      try {
        renameOnceClosed(target);
      } catch (FileSystemException e) {
        if (!path.toString().equals(e.getFile())) {
          throw e;
        }
        FileSystemException naming =
            new FileSystemException(
                file.toString(),
                null,
                Objects.requireNonNullElse(
                    e.getReason(),
                    e instanceof AccessDeniedException
                        ? "no permission to replace it, which Windows refuses while it is in use"
                        : "the temporary file beside it is gone or may not be renamed"));
        naming.initCause(e);
        throw naming;
      }
    }

    /** Renames the file. On Windows, waits a second for readers that have the target open. */
    private void renameOnceClosed(Path target) throws IOException {
      for (int i = 1; ; i++) {
        try {
          Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
          return;
        } catch (AccessDeniedException e) {
          if (i == MAX_RENAMINGS || posixView(path) != null) {
            throw e;
          }
        }
        try {
          Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted while waiting to replace " + target);
        }
      }
    }

    /** Returns whether the file can be locked, which those of an archive cannot. */
    boolean supportsLocks() {
      return path.getFileSystem() == FileSystems.getDefault();
    }

    /** Locks the file, if the file system has locks. Returns false if it is gone. */
    private boolean tryLock() {
      if (!supportsLocks()) {
        return true;
      }
      try {
        return channel.tryLock(LOCKED_BYTE, 1, /* shared= */ false) != null && Files.exists(path);
      } catch (IOException e) { // then nobody else can lock it either
        return true;
      }
    }

    /** Deletes the file, unless it was renamed. */
    @Override
    public void close() throws IOException {
      try (channel) {
        Files.deleteIfExists(path);
      } finally {
        IN_THIS_PROCESS.remove(path);
      }
    }
  }

  private static void copyOwnership(Path old, Path temporary) throws IOException {
    PosixFileAttributeView view = posixView(temporary);
    if (view == null) {
      return;
    }
    PosixFileAttributes oldAttributes = Objects.requireNonNull(posixView(old)).readAttributes();
    PosixFileAttributes newAttributes = view.readAttributes();
    try {
      if (!newAttributes.group().equals(oldAttributes.group())) {
        view.setGroup(oldAttributes.group());
      }
      if (!newAttributes.owner().equals(oldAttributes.owner())) {
        view.setOwner(oldAttributes.owner());
      }
    } catch (FileSystemException e) {
      // Only privileged users may change the owner of a file.
    }
    view.setPermissions(oldAttributes.permissions()); // the umask may have removed some
  }

  private static @Nullable PosixFileAttributeView posixView(Path file) {
    return Files.getFileAttributeView(
        file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Forces the renaming to the disk, where the system supports it. Windows cannot open directories.
   */
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
