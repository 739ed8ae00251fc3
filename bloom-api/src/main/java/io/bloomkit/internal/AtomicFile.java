package io.bloomkit.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
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
import org.jspecify.annotations.Nullable;

/**
 * Writes files by atomic replace: at any moment, even after a crash of the machine, there is either
 * the complete old file or the complete new file.
 */
public final class AtomicFile {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The number of symbolic links that Linux follows. */
  private static final int MOST_LINKS = 40;

  private static final FileAttribute<?>[] NO_ATTRIBUTES = {};

  private AtomicFile() {}

  /** Writes the contents of a file. */
  @FunctionalInterface
  public interface Body {

    /**
     * Writes all contents.
     *
     * @throws IOException if writing fails; the old file is then unchanged
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file. Writes a temporary file {@code .bloom-….tmp} in the same directory, forces it to
   * the disk, renames it, and forces the new name to the disk where the system supports this. The
   * new file has the permissions of an old one, and its owner and group if the process may set
   * them. A symbolic link remains a link, even if its target did not exist before. If a step fails,
   * the temporary file is deleted; after a crash, or if a signal ends the process, it may remain.
   *
   * @param file the file to write or to replace
   * @param body called once; need not buffer or close the stream
   * @throws IOException if the file cannot be written, exists but is not a regular file, or the
   *     body throws it. An old file is then unchanged, unless only forcing the new name to the disk
   *     failed.
   */
  public static void write(Path file, Body body) throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(body, "body");
    Path target = target(file);
    boolean isOld = Files.exists(target);
    if (isOld && !Files.isRegularFile(target)) { // otherwise a device would be replaced
      throw new FileSystemException(file.toString(), null, "it is not a regular file");
    }
    Path directory = Objects.requireNonNullElse(target.getParent(), target);
    // A user who may not read the old file must not be able to read the temporary file.
    Path temporary =
        writeTemporary(file, directory, isOld ? permissions(target) : NO_ATTRIBUTES, body);
    try {
      if (isOld) {
        keepOwnership(target, temporary);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      deleteQuietly(temporary, e);
      throw e;
    }
    force(directory);
  }

  /** Returns the target of symbolic links, whether or not the file exists. */
  private static Path target(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MOST_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  private static FileAttribute<?>[] permissions(Path old) throws IOException {
    PosixFileAttributeView view = posix(old);
    return view == null
        ? NO_ATTRIBUTES
        : new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(view.readAttributes().permissions())
        };
  }

  private static Path writeTemporary(
      Path file, Path directory, FileAttribute<?>[] attributes, Body body) throws IOException {
    while (true) {
      String name = String.format(Locale.ROOT, ".bloom-%016x.tmp", RANDOM.nextLong());
      Path temporary = directory.resolve(name);
      FileChannel channel;
      try {
        channel =
            FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                attributes);
      } catch (FileAlreadyExistsException e) {
        continue; // the file of another writer
      } catch (NoSuchFileException e) {
        throw new NoSuchFileException(file.toString(), null, "there is no directory " + directory);
      } catch (AccessDeniedException e) {
        throw new AccessDeniedException(
            file.toString(), null, "no permission to create files in " + directory);
      } catch (FileSystemException e) {
        throw new FileSystemException(file.toString(), null, e.getReason());
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

  private static void keepOwnership(Path old, Path temporary) throws IOException {
    PosixFileAttributeView view = posix(temporary);
    if (view == null) {
      return;
    }
    PosixFileAttributes kept = Objects.requireNonNull(posix(old)).readAttributes();
    PosixFileAttributes made = view.readAttributes();
    try {
      if (!made.group().equals(kept.group())) {
        view.setGroup(kept.group());
      }
      if (!made.owner().equals(kept.owner())) {
        view.setOwner(kept.owner());
      }
    } catch (FileSystemException e) {
      // Only privileged users may change the owner of a file.
    }
    view.setPermissions(kept.permissions()); // the umask may have removed some
  }

  private static @Nullable PosixFileAttributeView posix(Path file) {
    return Files.getFileAttributeView(
        file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static void deleteQuietly(Path temporary, Throwable reason) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
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
