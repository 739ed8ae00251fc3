package io.bloomkit.durable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.Crc32c;
import io.bloomkit.internal.LittleEndian;
import java.util.Arrays;
import java.util.zip.Checksum;

/** The bytes of the identity of a folder, and of the segments of its log. See docs/format.md. */
final class LogFormat {

  static final int VERSION = 1;

  /** Both kinds of files begin with a mark, the version and the id of the folder. */
  private static final int MARK_BYTES = 8;

  private static final byte[] IDENTITY_MARK = {(byte) 0x89, 'B', 'l', 'm', 'D', 'i', 'r', '\n'};
  private static final byte[] LOG_MARK = {(byte) 0x89, 'B', 'l', 'm', 'L', 'o', 'g', '\n'};
  private static final int VERSION_OFFSET = 8;
  private static final int ID_OFFSET = 16;
  private static final int NUMBER_OFFSET = 24;

  /** Of both files: the checksum of the bytes before. Then four zeros. */
  static final int CHECKSUM_OFFSET = 32;

  /** The length of an identity and of the header of a segment. */
  static final int HEADER_BYTES = 40;

  static final int FRAME_CHECKSUM = 0;
  static final int FRAME_PREVIOUS = 4;
  static final int FRAME_TYPE = 8;
  static final int FRAME_COUNT = 12;
  static final int FRAME_EPOCH = 16;
  static final int FRAME_FORCED = 24;

  /** The length of a frame without hashes. */
  static final int FRAME_BYTES = 32;

  /** The largest number of updates in a frame. */
  static final int MAX_UPDATES = 1 << 15;

  /** The types of frames, four characters each. */
  static final int ADDITIONS = type("ADDS");

  static final int REMOVALS = type("REMS");

  /** Additions and removals: a bit for each, 1 for a removal, follows the hashes. */
  static final int MIXED = type("MIXD");

  /** The removal of all elements. */
  static final int CLEARED = type("CLRD");

  /** No updates: the log was closed, and everything before is on the disk. */
  static final int MARK = type("MARK");

  /** No updates: the end of a segment that another one follows. */
  static final int END = type("ENDS");

  private LogFormat() {}

  private static int type(String name) {
    return name.charAt(0) | name.charAt(1) << 8 | name.charAt(2) << 16 | name.charAt(3) << 24;
  }

  static boolean isType(int type) {
    return hasUpdates(type) || type == CLEARED || type == MARK || type == END;
  }

  private static boolean hasUpdates(int type) {
    return type == ADDITIONS || type == REMOVALS || type == MIXED;
  }

  /** Returns the length of a frame of a valid type. */
  static int frameBytes(int type, int count) {
    int bits = type == MIXED ? (count + Long.SIZE - 1) / Long.SIZE * Long.BYTES : 0;
    return FRAME_BYTES + count * Long.BYTES + bits;
  }

  static byte[] identity(long folder) {
    return header(IDENTITY_MARK, folder, 0);
  }

  static byte[] logHeader(long folder, long number) {
    return header(LOG_MARK, folder, number);
  }

  private static byte[] header(byte[] mark, long folder, long number) {
    byte[] bytes = Arrays.copyOf(mark, HEADER_BYTES);
    LittleEndian.putInt(bytes, VERSION_OFFSET, VERSION);
    LittleEndian.putLong(bytes, ID_OFFSET, folder);
    LittleEndian.putLong(bytes, NUMBER_OFFSET, number);
    LittleEndian.putInt(bytes, CHECKSUM_OFFSET, checksum(bytes, 0, CHECKSUM_OFFSET));
    return bytes;
  }

  /** Returns the id of a folder from its identity. */
  static long readIdentity(byte[] bytes) throws FilterFormatException {
    checkHeader(bytes, IDENTITY_MARK, "the identity of a folder of a durable filter");
    if (bytes.length > HEADER_BYTES) {
      throw new FilterFormatException(HEADER_BYTES, "there must be no bytes after the identity");
    }
    return LittleEndian.getLong(bytes, ID_OFFSET);
  }

  /** Checks the header of a segment. */
  static void checkLogHeader(byte[] bytes, long folder, long number) throws FilterFormatException {
    checkHeader(bytes, LOG_MARK, "a segment of a log");
    long foundFolder = LittleEndian.getLong(bytes, ID_OFFSET);
    if (foundFolder != folder) {
      throw new FilterFormatException(
          ID_OFFSET,
          "the segment belongs to the folder with id "
              + Long.toHexString(foundFolder)
              + ", not to this one with id "
              + Long.toHexString(folder));
    }
    long foundNumber = LittleEndian.getLong(bytes, NUMBER_OFFSET);
    if (foundNumber != number) {
      throw new FilterFormatException(
          NUMBER_OFFSET, "this is segment " + foundNumber + ", not " + number);
    }
  }

  /**
   * Returns what the field {@link #FRAME_FORCED} of all frames of a segment is combined with. A
   * file system may show frames of a deleted segment after the last ones, which would otherwise
   * state that more is on the disk.
   */
  static long forcedMask(byte[] header) {
    return (long) headerChecksum(header) << Integer.SIZE;
  }

  static int headerChecksum(byte[] header) {
    return LittleEndian.getInt(header, CHECKSUM_OFFSET);
  }

  private static void checkHeader(byte[] bytes, byte[] mark, String what)
      throws FilterFormatException {
    if (bytes.length < HEADER_BYTES) {
      throw new FilterFormatException(
          bytes.length, what + " has at least " + HEADER_BYTES + " bytes, got " + bytes.length);
    }
    if (!Arrays.equals(bytes, 0, MARK_BYTES, mark, 0, MARK_BYTES)) {
      throw new FilterFormatException(0, "not " + what + ": the mark is missing");
    }
    int version = LittleEndian.getInt(bytes, VERSION_OFFSET);
    if (version > VERSION) {
      throw new FilterFormatException(
          VERSION_OFFSET,
          "the folder has version "
              + version
              + ", this library reads up to version "
              + VERSION
              + ": use a newer one");
    }
    if (headerChecksum(bytes) != checksum(bytes, 0, CHECKSUM_OFFSET)
        || version != VERSION
        || LittleEndian.getInt(bytes, VERSION_OFFSET + Integer.BYTES) != 0
        || LittleEndian.getInt(bytes, CHECKSUM_OFFSET + Integer.BYTES) != 0) {
      throw new FilterFormatException(CHECKSUM_OFFSET, "the checksum of the header is wrong");
    }
  }

  static int checksum(byte[] bytes, int from, int to) {
    Checksum crc = Crc32c.create();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
