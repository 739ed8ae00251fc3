package io.bloomkit.durable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.Crc32c;
import io.bloomkit.internal.LittleEndian;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/** Reads the frames of a segment. Never allocates more than the bytes that are in the file. */
final class SegmentReader implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAX_FRAME_BYTES =
      LogFormat.frameBytes(LogFormat.MIXED, LogFormat.MAX_UPDATES);

  private static final String FOREIGN =
      "the segment does not follow the snapshot or segment before it: one of them is from another"
          + " folder, or from another copy of this one";

  private final Storage storage;
  private final String name;
  private final long size;
  private final InputStream in;
  private final Frame frame = new Frame();
  private byte[] bytes = new byte[LogFormat.FRAME_BYTES];

  /** The number of bytes of valid frames, with the header. */
  private long position;

  private long forcedMask;
  private int checksum;
  private int previousChecksum;

  /** Of all bytes up to the position. */
  private final Checksum contents = Crc32c.create();

  /**
   * The most bytes that a frame may state to be on the disk: more than the file has if bytes are
   * missing from it, but fewer than a frame of another segment does, whose mask is another one.
   */
  private final long maxForced;

  /** The number of bytes whose checksum {@link #wasForced} has computed. */
  private long checkedBytes;

  private SegmentReader(Storage storage, String name) throws IOException {
    this.storage = storage;
    this.name = name;
    this.size = storage.size(name);
    this.maxForced = Math.max(size, 0xffffffffL);
    this.in = new BufferedInputStream(storage.read(name), BUFFER_BYTES);
  }

  /**
   * Opens a segment and checks its header.
   *
   * @param previous the checksum of the frame before its first one
   * @throws FilterFormatException if it is damaged, or another segment, or the first one and does
   *     not follow the snapshot, which a later one says in its first frame
   */
  static SegmentReader open(Storage storage, long folder, long number, int previous)
      throws IOException {
    SegmentReader reader = new SegmentReader(storage, FolderNames.log(number));
    try {
      byte[] header = reader.in.readNBytes(LogFormat.HEADER_BYTES);
      LogFormat.checkLogHeader(header, folder, number);
      if (number == 1 && previous != LogFormat.headerChecksum(header)) {
        throw new FilterFormatException(LogFormat.CHECKSUM_OFFSET, FOREIGN);
      }
      reader.forcedMask = LogFormat.forcedMask(header);
      reader.checksum = previous;
      reader.position = header.length;
      reader.contents.update(header, 0, header.length);
      return reader;
    } catch (FilterFormatException e) {
      reader.close();
      throw new FilterFormatException(storage.path(reader.name), e);
    } catch (IOException e) {
      reader.close();
      throw e;
    }
  }

  /**
   * Checks a snapshot if the segment before it was not deleted yet: the next segment may have no
   * frame that would tell.
   *
   * @param checksum that in the name of the snapshot
   * @throws FilterFormatException if the segment has an end with another one
   */
  static void checkIsFollowed(Storage storage, long number, int checksum) throws IOException {
    String name = FolderNames.log(number);
    long start = storage.size(name) - LogFormat.FRAME_BYTES;
    if (start < LogFormat.HEADER_BYTES) {
      return;
    }
    try (InputStream in = storage.read(name)) {
      in.skipNBytes(start);
      byte[] end = in.readNBytes(LogFormat.FRAME_BYTES);
      int found = LittleEndian.getInt(end, LogFormat.FRAME_CHECKSUM);
      if (LittleEndian.getInt(end, LogFormat.FRAME_TYPE) == LogFormat.END
          && found == LogFormat.checksum(end, LogFormat.FRAME_PREVIOUS, end.length)
          && found != checksum) {
        throw new FilterFormatException(
            storage.path(name),
            new FilterFormatException(
                start,
                "the snapshot does not follow this segment: one of them is from another folder, or"
                    + " from another copy of this one"));
      }
    }
  }

  /** Returns the number of bytes of the header and of all valid frames so far. */
  long position() {
    return position;
  }

  long size() {
    return size;
  }

  /** Returns the checksum of the last valid frame, or of the one before the segment. */
  int checksum() {
    return checksum;
  }

  /** Returns the checksum of the frame before the last valid one. */
  int previousChecksum() {
    return previousChecksum;
  }

  /** Returns the checksum of the header and of all valid frames so far. */
  long contentsChecksum() {
    return contents.getValue();
  }

  /** Returns whether all bytes were read. */
  boolean isAtEnd() {
    return position == size;
  }

  /**
   * Reads the next frame. Requires that this is not at the end.
   *
   * @return the frame, or null if it is incomplete or damaged; then {@link #position} is its offset
   * @throws FilterFormatException if the first one is neither, but follows another frame
   */
  @Nullable Frame next() throws IOException {
    long remaining = size - position;
    if (remaining < LogFormat.FRAME_BYTES
        || in.readNBytes(bytes, 0, LogFormat.FRAME_BYTES) < LogFormat.FRAME_BYTES) {
      return null;
    }
    int length = frameBytes(bytes, 0, remaining);
    boolean isFirst = position == LogFormat.HEADER_BYTES;
    boolean follows = LittleEndian.getInt(bytes, LogFormat.FRAME_PREVIOUS) == checksum;
    if (length < 0 || !(follows || isFirst)) {
      return null;
    }
    if (length > bytes.length) {
      bytes = Arrays.copyOf(bytes, length);
    }
    int rest = length - LogFormat.FRAME_BYTES;
    if (in.readNBytes(bytes, LogFormat.FRAME_BYTES, rest) < rest) {
      return null;
    }
    int found = LittleEndian.getInt(bytes, LogFormat.FRAME_CHECKSUM);
    if (found != LogFormat.checksum(bytes, LogFormat.FRAME_PREVIOUS, length)) {
      return null;
    }
    if (!follows) {
      throw new FilterFormatException(
          storage.path(name),
          new FilterFormatException(position + LogFormat.FRAME_PREVIOUS, FOREIGN));
    }
    decode(length);
    position += length;
    contents.update(bytes, 0, length);
    previousChecksum = checksum;
    checksum = found;
    return frame;
  }

  /** Returns the length of a frame, or −1 if it is invalid or longer than what remains. */
  private static int frameBytes(byte[] bytes, int offset, long remaining) {
    int type = LittleEndian.getInt(bytes, offset + LogFormat.FRAME_TYPE);
    int count = LittleEndian.getInt(bytes, offset + LogFormat.FRAME_COUNT);
    if (!LogFormat.isType(type) || count < 0 || count > LogFormat.MAX_UPDATES) {
      return -1;
    }
    int length = LogFormat.frameBytes(type, count);
    return length <= remaining ? length : -1;
  }

  private void decode(int length) {
    frame.type = LittleEndian.getInt(bytes, LogFormat.FRAME_TYPE);
    frame.count = LittleEndian.getInt(bytes, LogFormat.FRAME_COUNT);
    frame.epoch = LittleEndian.getLong(bytes, LogFormat.FRAME_EPOCH);
    if (frame.hashes.length < frame.count) {
      frame.hashes = new long[frame.count];
    }
    ByteBuffer body =
        ByteBuffer.wrap(bytes, LogFormat.FRAME_BYTES, length - LogFormat.FRAME_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    body.asLongBuffer().get(frame.hashes, 0, frame.count);
    if (frame.type == LogFormat.MIXED) {
      int words = (frame.count + Long.SIZE - 1) / Long.SIZE;
      if (frame.removals.length < words) {
        frame.removals = new long[words];
      }
      body.position(body.position() + frame.count * Long.BYTES);
      body.asLongBuffer().get(frame.removals, 0, words);
    }
  }

  /**
   * After an invalid frame: returns whether a later frame, at any offset, states that the invalid
   * one was on the disk. Then it was not lost in a crash but damaged. So are frames that overlap,
   * since no crash leaves them; checking all of them could take the product of their number and
   * their length.
   */
  boolean wasForced() throws IOException {
    byte[] window = new byte[2 * MAX_FRAME_BYTES];
    try (InputStream again = storage.read(name)) {
      again.skipNBytes(position);
      int end = again.readNBytes(window, 0, window.length);
      for (int i = 1; i <= end - LogFormat.FRAME_BYTES; i++) {
        if (end == window.length && end - i < MAX_FRAME_BYTES) {
          System.arraycopy(window, i, window, 0, end - i);
          end -= i;
          end += again.readNBytes(window, end, window.length - end);
          i = 0;
        }
        int length = frameBytes(window, i, end - i);
        long forced = LittleEndian.getLong(window, i + LogFormat.FRAME_FORCED) ^ forcedMask;
        if (length > 0 && forced > position && forced <= maxForced) {
          checkedBytes += length;
          if (checkedBytes > size - position
              || LittleEndian.getInt(window, i)
                  == LogFormat.checksum(window, i + LogFormat.FRAME_PREVIOUS, i + length)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Returns how many bytes {@link #wasForced} took checksums of: no more than it read. */
  long checkedBytes() {
    return checkedBytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
