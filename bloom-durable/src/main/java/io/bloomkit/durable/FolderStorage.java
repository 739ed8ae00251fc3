package io.bloomkit.durable;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * The files of a folder of the default file system. Writes by streams, not by channels: a channel
 * is closed when a thread that uses it is interrupted.
 *
 * <p>A folder may be moved or replaced while it is in use, except on Windows, and its lock may be
 * lost. So no file is created, written, renamed, deleted or stated to be on the disk unless the
 * lock is as it was.
 */
final class FolderStorage implements Storage {

  private final Path folder;
  private final @Nullable Object lockState;

  /** The files of a folder that is not locked, to be read. */
  FolderStorage(Path folder) throws IOException {
    this.folder = folder;
    this.lockState = FolderLock.stateOf(folder);
  }

  /**
   * The files of a locked folder. It may have been replaced since it was locked.
   *
   * @param lockState {@link FolderLock#state} of its lock
   */
  FolderStorage(Path folder, @Nullable Object lockState) {
    this.folder = folder;
    this.lockState = lockState;
  }

  private void checkIsSame() throws IOException {
    if (!Objects.equals(FolderLock.stateOf(folder), lockState)) {
      throw new FileSystemException(
          folder.toString(),
          null,
          "it was moved or replaced while it was open, or its lock was, or another process has"
              + " opened it");
    }
  }

  @Override
  public SortedSet<String> list() throws IOException {
    SortedSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(file -> names.add(String.valueOf(file.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public long size(String name) throws IOException {
    return Files.size(path(name));
  }

  @Override
  public long room() throws IOException {
    checkIsSame();
    File file = folder.toFile(); // a FileStore is not found in some containers
    return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace(); // 0: not known
  }

  @Override
  public InputStream read(String name) throws IOException {
    Path file = path(name);
    if (Files.exists(file) && !Files.isRegularFile(file)) { // a pipe would be waited for
      throw new FileSystemException(file.toString(), null, "it is not a regular file");
    }
    return Files.newInputStream(file);
  }

  @Override
  public Output create(String name) throws IOException {
    File file = writable(name);
    return new StreamOutput(file, new FileOutputStream(file));
  }

  @Override
  public Output append(String name, long offset) throws IOException {
    File file = writable(name);
    RandomAccessFile opened = new RandomAccessFile(file, "rw");
    try {
      opened.seek(offset);
      return new StreamOutput(file, new FileOutputStream(opened.getFD())); // at the same offset
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private File writable(String name) throws IOException {
    checkIsSame();
    Path file = path(name);
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw new AccessDeniedException(file.toString(), null, "no permission to write it");
    }
    return file.toFile();
  }

  @Override
  public void rename(String from, String to) throws IOException {
    checkIsSame();
    Files.move(path(from), path(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    checkIsSame();
    Files.deleteIfExists(path(name));
  }

  @Override
  public void force(String name) throws IOException {
    checkIsSame();
    Path file = path(name);
    String mode = Files.isWritable(file) ? "rw" : "r"; // Windows requires the former
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), mode)) {
      force(opened.getFD()::sync);
    }
  }

  @Override
  public void forceNames() throws IOException {
    force(() -> forceFolder(folder));
  }

  /** A call that forces something to the disk. */
  @FunctionalInterface
  private interface Force {
    void run() throws IOException;
  }

  private void force(Force force) throws IOException {
    try {
      force.run();
    } catch (IOException e) {
      try {
        create(FolderNames.UNFORCED).close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * Returns whether a folder that could not be forced never can be: it cannot be opened, or its
   * file system forces no folders. Most errors of a disk are not reported again; one that is has a
   * text of its own, except in other languages.
   */
  static boolean isNeverForced(Path folder) {
    try {
      forceFolder(folder);
      return false;
    } catch (IOException e) {
      return !"Input/output error".equals(e.getMessage());
    }
  }

  /**
   * Forces the names in a folder. Does nothing on Windows, which opens no folders.
   *
   * @throws AccessDeniedException if the folder cannot be read; its names may be in memory only
   */
  static void forceFolder(Path folder) throws IOException {
    if (File.separatorChar == '\\') {
      return;
    }
    // In a thread of its own: an interrupt would close the channel, and hide an error of the disk.
    FutureTask<Void> force =
        new FutureTask<>(
            () -> {
              try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
              }
              return null;
            });
    new Thread(force, "bloom-durable-force " + folder).start();
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          force.get();
          return;
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof IOException failure ? failure : new IOException(cause);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Path path(String name) {
    return folder.resolve(name);
  }

  private final class StreamOutput implements Output {

    private final File file;
    private final FileOutputStream stream;

    StreamOutput(File file, FileOutputStream stream) {
      this.file = file;
      this.stream = stream;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      checkIsSame();
      try {
        stream.write(bytes, offset, length);
      } catch (IOException e) { // does not name the file
        FileSystemException named =
            new FileSystemException(file.toString(), null, String.valueOf(e.getMessage()));
        named.initCause(e);
        throw named;
      }
    }

    @Override
    public void force() throws IOException {
      FolderStorage.this.force(stream.getFD()::sync);
      checkIsSame();
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
