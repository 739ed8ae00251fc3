package io.bloomkit.durable;

import io.bloomkit.internal.LittleEndian;
import java.io.Closeable;
import java.io.IOException;

/**
 * Appends frames to the newest segment of a log. Each frame has the checksum of the one before,
 * also if that is in another segment, and states how many bytes of the segment were on the disk
 * when it was written. So a reader can tell a frame that was lost in a crash from one that was
 * damaged later, and finds files of another log.
 *
 * <p>Requires a lock for all methods but {@link #force} and {@link #position}.
 */
final class SegmentWriter implements Closeable {

  private final Storage.Output output;
  final long number;
  private final long forcedMask;
  private long end;

  /** The same, for other threads. */
  private volatile long position;

  private volatile long forced;
  private int checksum;

  /** Goes on at a position; all bytes before it are on the disk. */
  private SegmentWriter(
      Storage.Output output, long number, byte[] header, long position, int checksum) {
    this.output = output;
    this.number = number;
    this.forcedMask = LogFormat.forcedMask(header);
    this.end = position;
    this.position = position;
    this.forced = position;
    this.checksum = checksum;
  }

  /** Creates a segment, which is on the disk when the method returns. */
  static SegmentWriter create(Storage storage, long folder, long number) throws IOException {
    if (number > FolderNames.MAX_NUMBER) {
      throw new IOException("there is no name for segment " + number + ": create another folder");
    }
    byte[] header = LogFormat.logHeader(folder, number);
    String name = FolderNames.log(number);
    write(storage, name, output -> output.write(header, 0, header.length));
    return new SegmentWriter(
        storage.append(name, header.length),
        number,
        header,
        header.length,
        LogFormat.headerChecksum(header));
  }

  /** Goes on with a segment, of which the first bytes are on the disk. */
  static SegmentWriter append(
      Storage storage, long folder, long number, long position, int checksum) throws IOException {
    return new SegmentWriter(
        storage.append(FolderNames.log(number), position),
        number,
        LogFormat.logHeader(folder, number),
        position,
        checksum);
  }

  /** Writes the contents of a file. */
  @FunctionalInterface
  interface Body {
    void writeTo(Storage.Output output) throws IOException;
  }

  /** Writes a file by atomic replace. It is on the disk when the method returns. */
  static void write(Storage storage, String name, Body body) throws IOException {
    String temporary = name + FolderNames.TEMPORARY;
    try {
      try (Storage.Output output = storage.create(temporary)) {
        body.writeTo(output);
        output.force();
      }
      storage.rename(temporary, name);
    } catch (IOException | RuntimeException | Error e) {
      try {
        storage.delete(temporary);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    storage.forceNames();
  }

  /** Returns the checksum of the last frame, or of the header of the first segment. */
  int checksum() {
    return checksum;
  }

  /** Goes on with the frames of another segment. Requires that this one has none. */
  void follow(SegmentWriter last) {
    checksum = last.checksum;
  }

  /** Returns the number of bytes of the segment. */
  long position() {
    return position;
  }

  /** Returns the number of bytes that are on the disk. */
  long forced() {
    return forced;
  }

  /**
   * Appends a frame.
   *
   * @param frame has room for the frame, and has the hashes and bits already
   */
  void write(byte[] frame, int type, int count, long epoch) throws IOException {
    int length = LogFormat.frameBytes(type, count);
    LittleEndian.putInt(frame, LogFormat.FRAME_PREVIOUS, checksum);
    LittleEndian.putInt(frame, LogFormat.FRAME_TYPE, type);
    LittleEndian.putInt(frame, LogFormat.FRAME_COUNT, count);
    LittleEndian.putLong(frame, LogFormat.FRAME_EPOCH, epoch);
    LittleEndian.putLong(frame, LogFormat.FRAME_FORCED, forced ^ forcedMask);
    checksum = LogFormat.checksum(frame, LogFormat.FRAME_PREVIOUS, length);
    LittleEndian.putInt(frame, LogFormat.FRAME_CHECKSUM, checksum);
    output.write(frame, 0, length);
    end += length;
    position = end;
  }

  /** Appends a frame without updates. */
  void write(int type) throws IOException {
    write(new byte[LogFormat.FRAME_BYTES], type, 0, 0);
  }

  /** Appends a frame without updates that is no mark: the log is in use. */
  void writeUnmarked() throws IOException {
    write(LogFormat.ADDITIONS);
  }

  /** Forces the first bytes to the disk, which were written before the call. */
  void force(long bytes) throws IOException {
    output.force();
    forced = Math.max(forced, bytes);
  }

  @Override
  public void close() throws IOException {
    output.close();
  }
}
