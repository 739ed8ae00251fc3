package io.bloomkit.durable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What the folder of a {@link DurableFilter} of any kind contains. For tools: reading changes
 * nothing in the folder.
 *
 * @param <T> the type of the elements
 * @param filter the filter with all updates in the log; not concurrent
 * @param recovery what was found in the log
 * @param logBytes the number of bytes of the log
 */
public record DurableContents<T>(StorableFilter<T> filter, Recovery recovery, long logBytes) {

  /** Returns whether a path is the folder of a durable filter, damaged or not. */
  public static boolean isIn(Path folder) {
    return Files.isRegularFile(folder.resolve(FolderNames.IDENTITY));
  }

  /**
   * Returns the header of the newest snapshot in a folder, by which kind and strategy are known.
   *
   * @throws FilterFormatException if it is damaged
   * @throws IOException if there is none, or it cannot be read
   */
  public static FilterFile inspect(Path folder) throws IOException {
    Storage storage = new FolderStorage(Objects.requireNonNull(folder, "folder"));
    return FilterFile.inspect(storage.path(LoadedFolder.newestSnapshot(storage)));
  }

  /**
   * Reads the filter in a folder.
   *
   * @throws FilterFormatException if a file is damaged, does not belong to the folder, is of a
   *     newer version or of another strategy
   * @throws FileSystemException if the folder is in use or lacks a file
   * @throws IOException if the folder cannot be read
   */
  @SuppressWarnings("try") // the lock is only held
  public static <T> DurableContents<T> readFrom(Path folder, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(strategy, "strategy");
    Storage storage = new FolderStorage(Objects.requireNonNull(folder, "folder"));
    try (FolderLock lock = FolderLock.lockToRead(folder)) {
      long id =
          LoadedFolder.identity(storage)
              .orElseThrow(() -> LoadedFolder.missing(storage, FolderNames.IDENTITY));
      FilterFile header = inspect(folder);
      FilterKind kind =
          header
              .kind()
              .orElseThrow(
                  () ->
                      new FileSystemException(
                          folder.toString(),
                          null,
                          "the module of " + header.className() + " is not installed"));
      LoadedFolder<StorableFilter<T>> loaded =
          LoadedFolder.load(storage, id, in -> kind.readFrom(in, strategy));
      return new DurableContents<>(loaded.filter, loaded.recovery(), loaded.logBytes);
    }
  }
}
