package io.bloomkit.interop.parquet;

import io.bloomkit.FilterFormatException;
import io.bloomkit.interop.internal.InteropFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;

/**
 * The header before a bitset: the struct {@code BloomFilterHeader} of parquet.thrift in Thrift's
 * compact protocol. A field begins with a byte that contains its type and the difference between
 * its id and the previous id; its value follows. A zero byte ends a struct.
 *
 * <p>Like Thrift, the reader accepts fields in any order and skips unknown fields.
 */
final class ParquetHeader {

  static final InteropFormat FORMAT =
      new InteropFormat(
          "a Parquet Bloom filter", ByteOrder.LITTLE_ENDIAN, ParquetBloomFilter.PADDING);

  private static final int NUM_BYTES = 1;
  private static final int ALGORITHM = 2;
  private static final int COMPRESSION = 4;

  /** The error message for each union, by field id. */
  private static final String[] UNIONS = {
    "", "", "algorithm must be BLOCK", "hash must be XXHASH", "compression must be UNCOMPRESSED"
  };

  private static final int STOP = 0;
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;

  private static final int TYPE_BITS = 4;
  private static final int TYPE_MASK = 0xf;
  private static final int LONG_COUNT = 0xf;
  private static final int VARINT_BITS = 7;
  private static final int MAX_VARINT_BYTES = 10;
  private static final int MORE = 0x80;

  /** Today's headers have 15 to 19 bytes; later versions may add fields. */
  private static final int MAX_BYTES = 1024;

  private static final int MAX_DEPTH = 16;

  private static final int MAX_BYTES_OF_BITSET =
      ParquetShape.MAX_BLOCKS * ParquetShape.BYTES_PER_BLOCK;

  private final InputStream in;
  private int offset;

  private ParquetHeader(InputStream in) {
    this.in = in;
  }

  /** A shape, and the length in bytes of the header from which it was read. */
  record Read(ParquetShape shape, int headerBytes) {}

  /** Returns the header of a shape. */
  static byte[] bytesOf(ParquetShape shape) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(1 << TYPE_BITS | I32);
    int zigzag = shape.bytes() << 1;
    for (; zigzag >>> VARINT_BITS != 0; zigzag >>>= VARINT_BITS) {
      out.write((zigzag & (MORE - 1)) | MORE);
    }
    out.write(zigzag);
    for (int union = ALGORITHM; union <= COMPRESSION; union++) {
      out.write(1 << TYPE_BITS | STRUCT);
      out.write(1 << TYPE_BITS | STRUCT); // the first and only choice, an empty struct
      out.write(STOP);
      out.write(STOP);
    }
    out.write(STOP);
    return out.toByteArray();
  }

  /** Reads a header and no byte beyond it. */
  static Read readFrom(InputStream in) throws IOException {
    ParquetHeader header = new ParquetHeader(in);
    long bytes = header.readFields();
    if (bytes < ParquetShape.BYTES_PER_BLOCK
        || bytes > MAX_BYTES_OF_BITSET
        || bytes % ParquetShape.BYTES_PER_BLOCK != 0) {
      throw header.malformed(
          "numBytes must be a positive multiple of %d below 2^31, got %d",
          ParquetShape.BYTES_PER_BLOCK, bytes);
    }
    return new Read(ParquetShape.ofBytes((int) bytes), header.offset);
  }

  /** Reads the outermost struct. Returns the number of bytes of the bitset. */
  private long readFields() throws IOException {
    long bytes = 0;
    boolean[] seen = new boolean[COMPRESSION + 1];
    int id = 0;
    for (int field = next(); field != STOP; field = next()) {
      id = fieldId(field, id);
      int type = field & TYPE_MASK;
      if (id == NUM_BYTES && type == I32) {
        bytes = zigzag();
        seen[id] = true;
      } else if (id >= ALGORITHM && id <= COMPRESSION && type == STRUCT) {
        requireFirstChoice(UNIONS[id]);
        seen[id] = true;
      } else {
        skip(type, 0);
      }
    }
    for (int required = NUM_BYTES; required <= COMPRESSION; required++) {
      if (!seen[required]) {
        throw malformed("the header ends without its field %d", required);
      }
    }
    return bytes;
  }

  private void requireFirstChoice(String demand) throws IOException {
    int field = next();
    int choice = field == STOP ? 0 : fieldId(field, 0);
    if (choice != 1) {
      throw malformed("%s (1), got %d", demand, choice);
    }
    int type = field & TYPE_MASK;
    if (type != STRUCT) {
      throw malformed("%s (1), a struct; got type %d", demand, type);
    }
    skip(type, 0);
    if (next() != STOP) {
      throw malformed("a union has more than one value");
    }
  }

  private int fieldId(int field, int last) throws IOException {
    int distance = field >>> TYPE_BITS;
    return distance == 0 ? (int) zigzag() : last + distance;
  }

  private void skip(int type, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw malformed("more than %d structs within each other", MAX_DEPTH);
    }
    switch (type) {
      case TRUE, FALSE -> {} // the type is the value
      case BYTE -> next();
      case I16, I32, I64 -> varint();
      case DOUBLE -> skipBytes(Double.BYTES);
      case BINARY -> skipBytes(varint());
      case LIST, SET -> skipList(depth);
      case MAP -> skipMap(depth);
      case STRUCT -> {
        for (int field = next(); field != STOP; field = next()) {
          fieldId(field, 0);
          skip(field & TYPE_MASK, depth + 1);
        }
      }
      default -> throw malformed("no type of Thrift's has the number %d", type);
    }
  }

  private void skipList(int depth) throws IOException {
    int start = next();
    long count = start >>> TYPE_BITS == LONG_COUNT ? varint() : start >>> TYPE_BITS;
    for (long i = 0; i < count; i++) {
      skipElement(start & TYPE_MASK, depth);
    }
  }

  private void skipMap(int depth) throws IOException {
    long count = varint();
    int types = count == 0 ? 0 : next();
    for (long i = 0; i < count; i++) {
      skipElement(types >>> TYPE_BITS, depth);
      skipElement(types & TYPE_MASK, depth);
    }
  }

  /** Skips an element of a collection, where a boolean takes one byte. */
  private void skipElement(int type, int depth) throws IOException {
    skip(type == TRUE || type == FALSE ? BYTE : type, depth + 1);
  }

  private void skipBytes(long count) throws IOException {
    for (long i = 0; i < count; i++) {
      next();
    }
  }

  private long zigzag() throws IOException {
    long coded = varint();
    return coded >>> 1 ^ -(coded & 1);
  }

  /** Reads an unsigned number of variable length. */
  private long varint() throws IOException {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int part = next();
      value |= (long) (part & (MORE - 1)) << (i * VARINT_BITS);
      if (part < MORE) {
        return value;
      }
    }
    throw malformed("a number takes more than ten bytes");
  }

  private int next() throws IOException {
    if (offset == MAX_BYTES) {
      throw malformed("the header has more than %d bytes", MAX_BYTES);
    }
    int value = in.read();
    if (value < 0) {
      throw malformed("the input ends within the header");
    }
    offset++;
    return value;
  }

  private FilterFormatException malformed(String problem, Object... arguments) {
    return FORMAT.malformed(offset, problem, arguments);
  }
}
