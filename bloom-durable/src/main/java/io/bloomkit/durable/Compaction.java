package io.bloomkit.durable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.StorableFilter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Makes a snapshot from the previous one and the closed segments after it, in a filter of its own.
 * So the filter in use is not touched, and each update is in the snapshot or in the log after it,
 * and in one only.
 */
final class Compaction {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Storage storage;
  private final long id;
  private final LoadedFolder.SnapshotReader<? extends StorableFilter<?>> reader;
  private final BooleanSupplier isCancelled;

  /** The name of the newest snapshot. */
  private String snapshot;

  /** Files that the newest snapshot replaces, or that were not completed; not deleted yet. */
  private final List<String> obsolete;

  Compaction(
      Storage storage,
      long id,
      String snapshot,
      List<String> replaced,
      LoadedFolder.SnapshotReader<? extends StorableFilter<?>> reader,
      BooleanSupplier isCancelled) {
    this.storage = storage;
    this.id = id;
    this.snapshot = snapshot;
    this.obsolete = new ArrayList<>(replaced);
    this.reader = reader;
    this.isCancelled = isCancelled;
  }

  /**
   * Writes the snapshot of a later segment. {@link #deleteObsolete} deletes what it replaces.
   *
   * @param to the number of a segment; all segments from the present snapshot to before it are
   *     closed
   * @return the number of bytes of the segments that it replaces
   */
  long run(long to) throws IOException {
    Updates updates = Updates.of(LoadedFolder.readSnapshot(storage, snapshot, reader));
    SegmentsRead read = repeatSegments(to, updates); // its batches take no memory any more
    String name = FolderNames.snapshot(to, read.checksum);
    try {
      writeSnapshot(storage, name, updates, this::checkMayGoOn);
    } catch (IOException | RuntimeException | Error e) {
      obsolete.add(name); // it may be there, if only its name could not be forced
      throw e;
    }
    obsolete.addAll(read.replaced);
    snapshot = name; // before files are deleted, since an error may end this
    return read.bytes;
  }

  /**
   * Segments that were repeated on a snapshot.
   *
   * @param replaced the files that the next snapshot replaces
   * @param bytes the number of bytes of the segments
   * @param checksum that of the last frame
   */
  private record SegmentsRead(List<String> replaced, long bytes, int checksum) {}

  private SegmentsRead repeatSegments(long to, Updates updates) throws IOException {
    long bytes = 0;
    int checksum = FolderNames.checksum(snapshot);
    List<String> replaced = new ArrayList<>(List.of(snapshot));
    Replay replay = new Replay(updates);
    for (long number = FolderNames.number(snapshot); number < to; number++) {
      try (SegmentReader segment = SegmentReader.open(storage, id, number, checksum)) {
        repeat(segment, number, replay);
        bytes += segment.position();
        checksum = segment.checksum();
      }
      replaced.add(FolderNames.log(number));
    }
    replay.finish();
    return new SegmentsRead(replaced, bytes, checksum);
  }

  /** Returns the number of bytes of the newest snapshot. */
  long snapshotBytes() throws IOException {
    return storage.size(snapshot);
  }

  /** Deletes the files that were replaced, as far as possible. */
  void deleteObsolete() {
    obsolete.removeIf(storage::deleteIfPossible);
  }

  private void repeat(SegmentReader segment, long number, Replay replay) throws IOException {
    while (true) {
      checkNotCancelled();
      Frame frame = segment.isAtEnd() ? null : segment.next();
      if (frame == null) {
        throw new FilterFormatException(
            storage.path(FolderNames.log(number)),
            new FilterFormatException(
                segment.position(), "the segment is damaged: restore the folder from a backup"));
      }
      if (frame.type == LogFormat.END) {
        return;
      }
      replay.repeat(frame);
    }
  }

  private void checkNotCancelled() throws IOException {
    if (isCancelled.getAsBoolean()) {
      throw new InterruptedIOException("the filter is being closed");
    }
  }

  /** Checks that the disk has room for some bytes. */
  void checkRoom(long bytes) throws IOException {
    if (storage.room() < bytes) {
      throw new IOException("there is no room for another snapshot in " + storage.path(""));
    }
  }

  /** Leaves the log as much room as the snapshot takes, which may have grown many times. */
  private void checkMayGoOn(long written, int length) throws IOException {
    checkNotCancelled();
    checkRoom(written + 2L * length);
  }

  /** Called before bytes of a snapshot are written. */
  @FunctionalInterface
  interface Check {

    /**
     * Throws an exception if they must not be written.
     *
     * @param written the number of bytes before
     * @param length the number of bytes to write
     */
    void check(long written, int length) throws IOException;
  }

  /** Writes a snapshot, which is on the disk when the method returns. */
  static void writeSnapshot(Storage storage, String name, Updates updates, Check check)
      throws IOException {
    SegmentWriter.write(
        storage,
        name,
        output -> {
          OutputStream out =
              new BufferedOutputStream(
                  new OutputStream() {

                    private long written;

                    @Override
                    public void write(int b) throws IOException {
                      write(new byte[] {(byte) b}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) throws IOException {
                      check.check(written, length);
                      output.write(bytes, offset, length);
                      written += length;
                    }
                  },
                  BUFFER_BYTES);
          updates.writeTo(out);
          out.flush();
        });
  }
}
