package io.bloomkit.cli.foreign;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;

/**
 * Thrift's compact protocol for structs of which most fields are skipped. Thrift's own readers make
 * an object for each field, list and struct, so that a footer of few bytes could take much memory;
 * this one makes none.
 *
 * <p>A field is a byte with its type and the distance of its id from that of the field before, and
 * its value. A zero byte ends a struct. A list is a byte with the type and the number of its
 * elements, and the elements.
 */
final class FooterProtocol extends TCompactProtocol {

  static final int STOP = 0;
  static final int I32 = 5;
  static final int I64 = 6;
  static final int BINARY = 8;
  static final int LIST = 9;
  static final int STRUCT = 12;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int DOUBLE = 7;
  private static final int SET = 10;
  private static final int MAP = 11;

  private static final int TYPE_BITS = 4;
  private static final int TYPE_MASK = 0xf;
  private static final int LONG_COUNT = 0xf;
  private static final int MOST_REQUIRED_ID = 15;
  private static final int MOST_DEPTH = 64;

  private final FooterTransport bytes;

  FooterProtocol(FooterTransport bytes) {
    super(bytes);
    this.bytes = bytes;
  }

  /** The fields of a struct that its reader knows. */
  @FunctionalInterface
  interface Fields {

    /**
     * Reads the value of a field.
     *
     * @param field its {@linkplain #field number}
     * @return false if the field is not known: then nothing was read
     */
    boolean read(int field) throws TException;
  }

  /** Returns a number for a field's id and type. */
  static int field(int id, int type) {
    return id << TYPE_BITS | type;
  }

  /** Returns the {@linkplain #field numbers} of fields with ids below 16 as one: a type each id. */
  static long required(int... fields) {
    long types = 0;
    for (int field : fields) {
      types |= (long) (field & TYPE_MASK) << bitsBefore(field >>> TYPE_BITS);
    }
    return types;
  }

  private static int bitsBefore(int id) {
    return TYPE_BITS * id;
  }

  /**
   * Reads a struct.
   *
   * @param name what it is, for messages
   * @param required the {@link #required} fields
   * @param fields reads the fields that are of interest; others are skipped
   */
  void readStruct(String name, long required, Fields fields) throws TException {
    long missing = required;
    int id = 0;
    for (int start = next(); start != STOP; start = next()) {
      id = start >>> TYPE_BITS == 0 ? readI16() : id + (start >>> TYPE_BITS);
      int type = start & TYPE_MASK;
      if (!fields.read(field(id, type))) {
        skipValue(type, 0);
      }
      if (id > 0 && id <= MOST_REQUIRED_ID && (required >>> bitsBefore(id) & TYPE_MASK) == type) {
        missing &= ~((long) TYPE_MASK << bitsBefore(id));
      }
    }
    if (missing != 0) {
      throw malformed("%s has no field %d", name, Long.numberOfTrailingZeros(missing) / TYPE_BITS);
    }
  }

  /** Reads the beginning of a list. Returns how many elements follow, all of the given type. */
  long readListStart(int type) throws TException {
    int start = next();
    long count = countOf(start);
    if (count > 0 && (start & TYPE_MASK) != type) {
      throw malformed("the elements of a list must have type %d, got %d", type, start & TYPE_MASK);
    }
    return count;
  }

  private long countOf(int start) throws TException {
    int count = start >>> TYPE_BITS;
    return count == LONG_COUNT ? readUnsigned() : count;
  }

  /** Reads a binary value and appends its bytes. */
  void readBinaryTo(ByteArrayOutputStream out) throws TException {
    for (long left = readUnsigned(); left > 0; left--) {
      out.write(next());
    }
  }

  /** Undoes the zigzag coding of what Thrift reads as a signed number. */
  private long readUnsigned() throws TException {
    int signed = readI32();
    return Integer.toUnsignedLong(signed << 1 ^ signed >> (Integer.SIZE - 1));
  }

  private int next() throws TException {
    return Byte.toUnsignedInt(readByte());
  }

  private void skipValue(int type, int depth) throws TException {
    if (depth > MOST_DEPTH) {
      throw malformed("more than %d structs within each other", MOST_DEPTH);
    }
    switch (type) {
      case TRUE, FALSE -> {} // the type is the value
      case BYTE -> bytes.skip(1);
      case I16, I32, I64 -> readI64();
      case DOUBLE -> bytes.skip(Double.BYTES);
      case BINARY -> bytes.skip(readUnsigned());
      case LIST, SET -> {
        int start = next();
        for (long left = countOf(start); left > 0; left--) {
          skipElement(start, depth);
        }
      }
      case MAP -> {
        long count = readUnsigned();
        int types = count == 0 ? 0 : next();
        for (long left = count; left > 0; left--) {
          skipElement(types >>> TYPE_BITS, depth);
          skipElement(types, depth);
        }
      }
      case STRUCT -> {
        for (int start = next(); start != STOP; start = next()) {
          if (start >>> TYPE_BITS == 0) {
            readI16();
          }
          skipValue(start & TYPE_MASK, depth + 1);
        }
      }
      default -> throw malformed("no type of Thrift's has the number %d", type);
    }
  }

  /** In collections a truth value takes a byte. */
  private void skipElement(int type, int depth) throws TException {
    int element = type & TYPE_MASK;
    skipValue(element == TRUE || element == FALSE ? BYTE : element, depth + 1);
  }

  /** Returns the exception for a footer that is damaged. */
  static TProtocolException malformed(String fault, Object... arguments) {
    return new TProtocolException(
        TProtocolException.INVALID_DATA, String.format(Locale.ROOT, fault, arguments));
  }
}
