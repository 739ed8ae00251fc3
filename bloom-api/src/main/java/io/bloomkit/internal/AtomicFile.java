package io.bloomkit.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
 * Writes files so that at every moment, a crash of the machine included, the whole old file is
 * there or the whole new one.
 */
public final class AtomicFile {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Linux follows as many. */
  private static final int MOST_LINKS = 40;

  private static final FileAttribute<?>[] NO_ATTRIBUTES = {};

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
   * and its permissions are kept, and its owner and group if the process may set them; a symbolic
   * link stays one, also one to a file that is yet to be made. If anything fails, the temporary
   * file is deleted; after a crash, or if the process is stopped by a signal, it may be left.
   *
   * @param file the file to write or to replace
   * @param body called once, with a stream that need not be buffered or closed
   * @throws IOException if the file cannot be written, is there and no regular file, or the body
   *     throws it; an old file is then as it was, unless the last step failed, to force the new
   *     name to the disk
   */
  public static void write(Path file, Body body) throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(body, "body");
    Path target = target(file);
    boolean isOld = Files.exists(target);
    if (isOld && !Files.isRegularFile(target)) { // a device would be replaced
      throw new FileSystemException(file.toString(), null, "it is not a regular file");
    }
    Path directory = Objects.requireNonNullElse(target.getParent(), target);
    // A user without permission to read the old file must not read the new one meanwhile.
    Path temporary = writeTemporary(directory, isOld ? permissions(target) : NO_ATTRIBUTES, body);
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

  private static Path writeTemporary(Path directory, FileAttribute<?>[] attributes, Body body)
      throws IOException {
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
      // Only some may give files away.
    }
    view.setPermissions(kept.permissions()); // the mask of the process may have taken some
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
