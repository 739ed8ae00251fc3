package io.bloomkit.durable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.internal.Crc32c;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.zip.CheckedInputStream;
import java.util.zip.Checksum;

/**
 * The filter that a folder holds: its newest snapshot, on which the log was repeated. Reading it
 * changes nothing in the folder.
 *
 * @param <F> the type of the filter
 */
final class LoadedFolder<F extends StorableFilter<?>> {

  /** Reads a filter from a snapshot. */
  @FunctionalInterface
  interface SnapshotReader<F> {
    F readFrom(InputStream in) throws IOException;
  }

  private static final int BUFFER_BYTES = 1 << 16;

  private final Storage storage;

  /** The id of the folder. */
  final long id;

  /** The name of the snapshot. */
  final String snapshot;

  final F filter;

  /** The older snapshots and segments, until they are deleted. */
  final List<String> replaced = new ArrayList<>();

  /** Other files that are not needed. */
  private final List<String> unused = new ArrayList<>();

  /**
   * The number of the last segment with frames, its valid bytes without a mark at the end, the
   * checksum of the last frame of these, and that of all of them.
   */
  long last;

  long lastBytes;
  int lastChecksum;
  private long contentsChecksum;

  /** Whether a force has failed before, so that all files must be written anew. */
  private final boolean isUnforced;

  /** The bytes of the segments from the snapshot to the last one, and the updates in them. */
  long logBytes;

  long updates;

  /** The number of bytes after the valid ones. */
  long bytesCut;

  /** Whether the log ends with a mark, so that all of it is on the disk. */
  boolean isMarked;

  /** Whether the last segment has no frames, so the end of the one before may be in memory only. */
  boolean isLastUnused;

  /** The checksums of the files that were read, of segments without a mark at the end. */
  private final Map<String, Long> checksums = new HashMap<>();

  private LoadedFolder(Storage storage, long id, String snapshot, F filter, boolean isUnforced) {
    this.storage = storage;
    this.isUnforced = isUnforced;
    this.id = id;
    this.snapshot = snapshot;
    this.lastChecksum = FolderNames.checksum(snapshot);
    this.filter = filter;
  }

  Recovery recovery() {
    return new Recovery(
        updates,
        bytesCut,
        bytesCut == 0 ? Optional.empty() : Optional.of(storage.path(FolderNames.log(last))));
  }

  /**
   * Returns the id of the folder, or empty if it has none: it is empty, or its creation was
   * interrupted before it accepted an update.
   *
   * @throws IOException if there are other files, so this is no folder of a durable filter
   */
  static Optional<Long> identity(Storage storage) throws IOException {
    SortedSet<String> names = storage.list();
    if (!names.contains(FolderNames.IDENTITY) && !names.contains(FolderNames.NEW_IDENTITY)) {
      names = storage.list(); // a process that creates the folder may have renamed it meanwhile
    }
    if (names.contains(FolderNames.IDENTITY)) {
      return Optional.of(readIdentity(storage, FolderNames.IDENTITY));
    }
    boolean wasBegun = names.contains(FolderNames.NEW_IDENTITY);
    names.removeAll(List.of(FolderNames.LOCK, FolderNames.UNFORCED));
    names.removeIf(FolderNames::isTemporary);
    if (wasBegun) {
      names.remove(FolderNames.NEW_IDENTITY);
      names.removeAll(FolderNames.snapshots(names).headSet(FolderNames.snapshot(2, 0)));
      String first = FolderNames.log(1);
      if (names.contains(first) && storage.size(first) <= LogFormat.HEADER_BYTES) {
        names.remove(first);
      }
    }
    if (!names.isEmpty()) {
      if (storage.list().contains(FolderNames.IDENTITY)) { // it was created meanwhile, and used
        return Optional.of(readIdentity(storage, FolderNames.IDENTITY));
      }
      if (!FolderNames.logs(names).isEmpty() || !FolderNames.snapshots(names).isEmpty()) {
        throw missing(storage, FolderNames.IDENTITY);
      }
      throw new FileSystemException(
          storage.path(names.first()).toString(),
          null,
          "the folder must be empty or have a durable filter, but has this file: name another one");
    }
    return Optional.empty();
  }

  /** Returns the id of a folder whose creation was interrupted; empty if it cannot be told. */
  static Optional<Long> newIdentity(Storage storage) throws IOException {
    if (!storage.list().contains(FolderNames.NEW_IDENTITY)) {
      return Optional.empty();
    }
    try {
      return Optional.of(readIdentity(storage, FolderNames.NEW_IDENTITY));
    } catch (FilterFormatException e) {
      return Optional.empty();
    }
  }

  private static long readIdentity(Storage storage, String name) throws IOException {
    try (InputStream in = storage.read(name)) {
      return LogFormat.readIdentity(in.readNBytes(LogFormat.HEADER_BYTES + 1));
    } catch (FilterFormatException e) {
      throw new FilterFormatException(storage.path(name), e);
    }
  }

  /**
   * Reads snapshot and log.
   *
   * @throws FilterFormatException if a file is damaged or does not belong here
   * @throws IOException if a file is missing or cannot be read
   */
  static <F extends StorableFilter<?>> LoadedFolder<F> load(
      Storage storage, long id, SnapshotReader<F> reader) throws IOException {
    SortedSet<String> names = storage.list();
    String snapshot = newestSnapshot(storage);
    long first = FolderNames.number(snapshot);
    Checksum read = Crc32c.create();
    F filter =
        readSnapshot(storage, snapshot, in -> reader.readFrom(new CheckedInputStream(in, read)));
    LoadedFolder<F> loaded =
        new LoadedFolder<>(storage, id, snapshot, filter, names.contains(FolderNames.UNFORCED));
    loaded.checksums.put(snapshot, read.getValue());
    loaded.replaced.addAll(FolderNames.snapshots(names).headSet(snapshot));
    SortedSet<Long> logs = FolderNames.logs(names);
    logs.headSet(first).forEach(n -> loaded.replaced.add(FolderNames.log(n)));
    names.stream()
        .filter(name -> FolderNames.isTemporary(name) || name.equals(FolderNames.NEW_IDENTITY))
        .forEach(loaded.unused::add);
    if (logs.contains(first) && logs.contains(first - 1)) {
      SegmentReader.checkIsFollowed(storage, first - 1, FolderNames.checksum(snapshot));
    }
    loaded.readLog(logs.tailSet(first));
    return loaded;
  }

  /**
   * Returns the name of the newest snapshot.
   *
   * @throws IOException if there is none, or another one with its number
   */
  static String newestSnapshot(Storage storage) throws IOException {
    SortedSet<String> snapshots = FolderNames.snapshots(storage.list());
    if (snapshots.isEmpty()) {
      throw missing(storage, "snapshot-n.bloom");
    }
    String newest = snapshots.last();
    String first = snapshots.tailSet(FolderNames.snapshot(FolderNames.number(newest), 0)).first();
    if (!first.equals(newest)) {
      throw new FileSystemException(
          storage.path(first).toString(),
          null,
          "one folder has no two snapshots with the same number: move that of another folder away");
    }
    return newest;
  }

  static IOException missing(Storage storage, String name) {
    return new FileSystemException(
        storage.path(name).toString(), null, "the file is missing: restore it from a backup");
  }

  static <F extends StorableFilter<?>> F readSnapshot(
      Storage storage, String name, SnapshotReader<F> reader) throws IOException {
    try (InputStream in = new BufferedInputStream(storage.read(name))) {
      F filter = reader.readFrom(in);
      if (in.read() >= 0) {
        throw new FilterFormatException(
            storage.size(name), "there must be no bytes after the filter");
      }
      return filter;
    } catch (FilterFormatException e) {
      throw new FilterFormatException(storage.path(name), e);
    }
  }

  private void readLog(SortedSet<Long> logs) throws IOException {
    Replay replay = new Replay(Updates.of(filter));
    try {
      readLog(logs, replay);
      replay.finish();
    } catch (IllegalStateException e) { // the filter is full
      throw new FilterFormatException(
          storage.path(FolderNames.log(last)),
          new FilterFormatException(0, "the filter refuses updates of the log: " + e.getMessage()));
    }
    updates = replay.count();
  }

  private void readLog(SortedSet<Long> logs, Replay replay) throws IOException {
    long first = FolderNames.number(snapshot);
    long end = first;
    while (logs.contains(end)) {
      end++;
    }
    if (end == first || !logs.tailSet(end).isEmpty()) {
      throw missing(storage, FolderNames.log(end));
    }
    last = end - 1;
    boolean isUnused =
        last > first && storage.size(FolderNames.log(last)) <= LogFormat.HEADER_BYTES;
    for (long number = first; number < end; number++) {
      if (!readSegment(number, number >= end - (isUnused ? 2 : 1), end, replay)
          && number < end - 1) {
        // The process ended before it used the next segment.
        last = number;
        unused.add(FolderNames.log(end - 1));
        break;
      }
    }
    isLastUnused = isUnused && last == end - 1;
  }

  /**
   * Makes the folder as if it had been closed, except for its mark: writes files anew that may be
   * in memory only, the last segment without what follows the valid frames, and deletes what is no
   * longer needed, unless there is no room. Returns a writer that goes on.
   */
  SegmentWriter repair() throws IOException {
    boolean isNameOnDisk = isUnforced ? rewriteFiles() : forceFiles();
    storage.forceNames(); // the snapshot may have its name in memory only
    if (isNameOnDisk) {
      replaced.removeIf(storage::deleteIfPossible);
    }
    unused.forEach(storage::deleteIfPossible);
    if (isUnforced) {
      storage.delete(FolderNames.UNFORCED);
    }
    SegmentWriter segment = SegmentWriter.append(storage, id, last, lastBytes, lastChecksum);
    if (isMarked) {
      try {
        // Replaces the mark: a process that opens the folder if this one loses the lock must not
        // take the log for closed, and write to the same file.
        segment.writeUnmarked();
      } catch (IOException | RuntimeException | Error e) {
        segment.close();
        throw e;
      }
    }
    return segment;
  }

  /**
   * Forces all files. This class has done so, but a copy of the folder may be in memory only, and
   * updates are not durable without it. Returns whether the name of the snapshot is on the disk
   * with the next force of names.
   */
  private boolean forceFiles() throws IOException {
    storage.force(FolderNames.IDENTITY);
    storage.force(snapshot);
    for (long number = FolderNames.number(snapshot); number <= last; number++) {
      storage.force(FolderNames.log(number));
    }
    // A force of names that failed may have dropped these names, and later ones do not write them.
    if (!isMarked) {
      rewriteIdentity();
    }
    boolean isNameOnDisk = FolderNames.snapshots(replaced).isEmpty() || isSnapshotRewritten();
    if (isLastUnused) {
      rewrite(FolderNames.log(last - 1));
    }
    if (!isMarked) {
      rewrite(FolderNames.log(last), lastBytes);
    }
    return isNameOnDisk;
  }

  private boolean rewriteFiles() throws IOException {
    rewriteIdentity();
    rewrite(snapshot);
    for (long number = FolderNames.number(snapshot); number < last; number++) {
      rewrite(FolderNames.log(number));
    }
    rewrite(FolderNames.log(last), lastBytes);
    return true;
  }

  /** Returns whether the disk has room for it; else what it replaces must stay. */
  private boolean isSnapshotRewritten() throws IOException {
    if (storage.room() < storage.size(snapshot)) {
      return false;
    }
    try {
      rewrite(snapshot);
      return true;
    } catch (ChangedFileException e) {
      throw e;
    } catch (IOException e) {
      boolean isForceFailed = storage.list().contains(FolderNames.UNFORCED);
      if (isForceFailed || e.getSuppressed().length > 0) { // or could not even say so
        throw e;
      }
      return false; // there was less room than the system said
    }
  }

  /** A file is not what it was when it was read. */
  private static final class ChangedFileException extends FileSystemException {

    private static final long serialVersionUID = 1;

    ChangedFileException(Path file) {
      super(file.toString(), null, "it changed while the folder was opened: open it again");
    }
  }

  private void rewriteIdentity() throws IOException {
    byte[] identity = LogFormat.identity(id);
    SegmentWriter.write(
        storage, FolderNames.IDENTITY, output -> output.write(identity, 0, identity.length));
  }

  private void rewrite(String name) throws IOException {
    rewrite(name, storage.size(name));
  }

  /**
   * Writes the first bytes of a file anew.
   *
   * @throws IOException also if they are not those that were read before: after a force that
   *     failed, the system may lose at any time what is in memory only
   */
  private void rewrite(String name, long length) throws IOException {
    Checksum copied = Crc32c.create();
    try (InputStream in = new CheckedInputStream(storage.read(name), copied)) {
      SegmentWriter.write(
          storage,
          name,
          output -> {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (long rest = length; rest > 0; ) {
              int bytes = in.readNBytes(buffer, 0, (int) Math.min(rest, buffer.length));
              if (bytes == 0) {
                throw new EOFException(name + " became shorter while it was read");
              }
              output.write(buffer, 0, bytes);
              rest -= bytes;
            }
            if (copied.getValue() != Objects.requireNonNull(checksums.get(name))) {
              throw new ChangedFileException(storage.path(name));
            }
          });
    }
  }

  /**
   * Repeats the updates of a segment.
   *
   * @param mayEnd whether the log may end in this segment
   * @param end the number after that of the last segment
   * @return whether another segment follows
   */
  private boolean readSegment(long number, boolean mayEnd, long end, Replay replay)
      throws IOException {
    String name = FolderNames.log(number);
    try (SegmentReader segment = SegmentReader.open(storage, id, number, lastChecksum)) {
      boolean hasEnded = readFrames(segment, replay);
      checksums.put(name, contentsChecksum);
      boolean isDamaged = !segment.isAtEnd();
      if (isDamaged && (!mayEnd || hasEnded || segment.wasForced())) {
        throw new FilterFormatException(
            segment.position(),
            "the frame is damaged, and was on the disk before: restore the folder from a backup");
      }
      if (!hasEnded && !mayEnd) {
        throw new FilterFormatException(
            segment.position(), "the segment is incomplete, but the next one is used");
      }
      if (hasEnded && number == end - 1) {
        throw missing(storage, FolderNames.log(end));
      }
      isMarked &= !isDamaged;
      if (isMarked) {
        lastBytes = segment.position() - LogFormat.FRAME_BYTES;
        lastChecksum = segment.previousChecksum();
      }
      bytesCut = segment.size() - segment.position();
      logBytes += segment.position();
      return hasEnded;
    } catch (FilterFormatException e) {
      throw named(name, e);
    }
  }

  private FilterFormatException named(String name, FilterFormatException e) {
    return e.getCause() == null ? new FilterFormatException(storage.path(name), e) : e;
  }

  /** Repeats all valid frames. Returns whether the segment has an end. */
  private boolean readFrames(SegmentReader segment, Replay replay) throws IOException {
    isMarked = false;
    lastBytes = segment.position();
    contentsChecksum = segment.contentsChecksum();
    while (!segment.isAtEnd()) {
      Frame frame = segment.next();
      if (frame == null) {
        return false;
      }
      isMarked = frame.type == LogFormat.MARK;
      if (!isMarked) { // without what follows, a mark would say that the log had been closed
        lastBytes = segment.position();
        lastChecksum = segment.checksum();
        contentsChecksum = segment.contentsChecksum();
      }
      if (frame.type == LogFormat.END) {
        return true;
      }
      replay.repeat(frame);
    }
    return false;
  }
}
