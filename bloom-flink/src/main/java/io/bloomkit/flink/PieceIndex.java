package io.bloomkit.flink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * Where the pieces of key groups are in the files of an incremental checkpoint.
 *
 * <p>It is written, with the highest byte first, as: {@link #MAGIC}; a byte for the version; the
 * number of files in four bytes, and their names as by {@link DataOutputStream#writeUTF}, the
 * earliest first; the number of pieces in four; for each its key group and its file in four bytes
 * each, and its offset in eight, those of a key group in the order of the files; and the CRC-32C of
 * all this, in four. A piece is a state as of {@link KeyGroupFilters}. The first piece of a key
 * group is the whole; the filter of each later one has the additions since the piece before it, and
 * its other fields replace those before.
 *
 * @param names the names of the files
 * @param pieces the pieces
 */
record PieceIndex(List<String> names, List<Entry> pieces) {

  /** The first bytes. */
  static final int MAGIC = 0x424b4649;

  static final int VERSION = 1;

  /** A piece of a key group. */
  record Entry(int group, int file, long offset) {}

  PieceIndex() {
    this(new ArrayList<>(), new ArrayList<>());
  }

  void add(int group, int file, long offset) {
    pieces.add(new Entry(group, file, offset));
  }

  void write(OutputStream out) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32C());
    DataOutputStream data = new DataOutputStream(checked);
    data.writeInt(MAGIC);
    data.writeByte(VERSION);
    data.writeInt(names.size());
    for (String name : names) {
      data.writeUTF(name);
    }
    data.writeInt(pieces.size());
    for (Entry piece : pieces) {
      data.writeInt(piece.group);
      data.writeInt(piece.file);
      data.writeLong(piece.offset);
    }
    data.writeInt((int) checked.getChecksum().getValue());
  }

  static PieceIndex read(InputStream in) throws IOException {
    CheckedInputStream checked = new CheckedInputStream(in, new CRC32C());
    DataInputStream data = new DataInputStream(checked);
    int magic = data.readInt();
    int version = data.readUnsignedByte();
    if (magic != MAGIC || version != VERSION) {
      throw new PermanentFailureException(
          String.format(
              "the index must begin with %x and version %d, got %x and version %d: it is damaged,"
                  + " of another operator, or of another version of Bloomkit",
              MAGIC, VERSION, magic, version));
    }
    PieceIndex index = new PieceIndex();
    int files = data.readInt();
    for (int i = 0; i < files; i++) {
      index.names.add(data.readUTF());
    }
    int count = data.readInt();
    for (int i = 0; i < count; i++) {
      int group = data.readInt();
      int file = data.readInt();
      index.add(group, file, data.readLong());
    }
    int checksum = (int) checked.getChecksum().getValue();
    if (checksum != data.readInt()) {
      throw new PermanentFailureException("the index is damaged: it does not have its checksum");
    }
    return index;
  }
}
