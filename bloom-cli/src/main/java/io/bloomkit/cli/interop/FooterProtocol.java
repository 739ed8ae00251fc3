package io.bloomkit.cli.interop;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;

/**
 * Reads structs in Thrift's compact protocol and skips most of their fields. Thrift's own readers
 * create an object for each field, list and struct, so that a small footer could take much memory.
 * This reader creates none.
 *
 * <p>A field consists of its value, preceded by a byte with the type and the difference between its
 * id and the previous field's id. A zero byte ends a struct. A list consists of its elements,
 * preceded by a byte with their type and number.
 */
final class FooterProtocol extends TCompactProtocol {

  static final int STOP = 0;
  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int BYTE = 3;
  static final int I32 = 5;
  static final int I64 = 6;
  static final int BINARY = 8;
  static final int LIST = 9;
  static final int STRUCT = 12;

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

  /** Reads the known fields of a struct. */
  @FunctionalInterface
  interface Fields {

    /**
     * Reads the value of a field.
     *
     * @param field its {@linkplain #field number}
     * @return false if the field is not known; nothing was read
     */
    boolean read(int field) throws TException;
  }

  /** Returns a number for a field's id and type. */
  static int field(int id, int type) {
    return id << TYPE_BITS | type;
  }

  /** Returns the id in the number of a field. */
  static int id(int field) {
    return field >> TYPE_BITS;
  }

  /** Returns a bit set that contains the types of required fields, for ids below 16. */
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
   * @param name the name of the struct in messages
   * @param required the {@link #required} fields
   * @param fields reads the known fields; other fields are skipped
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

  /**
   * Reads the header of a list and returns the number of its elements, which must be of a given
   * type.
   */
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

  /** Reads a binary value and returns whether its bytes are the expected ones. */
  boolean readsBinary(byte[] expected) throws TException {
    long count = readUnsigned();
    boolean isExpected = count == expected.length;
    for (long i = 0; i < count; i++) {
      isExpected &= next() == Byte.toUnsignedInt(isExpected ? expected[(int) i] : 0);
    }
    return isExpected;
  }

  /** Reads an unsigned number by reversing the zigzag coding of Thrift's signed read. */
  private long readUnsigned() throws TException {
    int signed = readI32();
    return Integer.toUnsignedLong(signed << 1 ^ signed >> (Integer.SIZE - 1));
  }

  private int next() throws TException {
    return Byte.toUnsignedInt(readByte());
  }

  private void skipValue(int type, int depth) throws TException {
    if (depth > MOST_DEPTH) {
      throw malformed("structs are nested more than %d deep", MOST_DEPTH);
    }
    switch (type) {
      case TRUE, FALSE -> {} // the type contains the value
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
      default -> throw malformed("Thrift has no type with the number %d", type);
    }
  }

  /** Skips an element of a collection, in which a Boolean takes a byte. */
  private void skipElement(int type, int depth) throws TException {
    int element = type & TYPE_MASK;
    skipValue(element == TRUE || element == FALSE ? BYTE : element, depth + 1);
  }

  /** Returns the exception for a damaged footer. */
  static TProtocolException malformed(String fault, Object... arguments) {
    return new TProtocolException(
        TProtocolException.INVALID_DATA, String.format(Locale.ROOT, fault, arguments));
  }
}
