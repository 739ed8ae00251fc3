package io.bloomkit.interop.spark;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.interop.internal.InteropFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Spark's format: the version, the number of hashes, the seed (only in version 2) and the number of
 * words, each a big-endian int, and then the big-endian 64-bit words.
 */
final class SparkFormat {

  static final InteropFormat FORMAT =
      new InteropFormat("a Spark BloomFilter", ByteOrder.BIG_ENDIAN, 0);

  private static final int HASHES_AT = Integer.BYTES;
  private static final int SEED_AT = 2 * Integer.BYTES;
  private static final int JAVA_SERIALIZATION = 0xaced;

  private SparkFormat() {}

  static int headerBytes(SparkVersion version) {
    return wordCountAt(version) + Integer.BYTES;
  }

  private static int wordCountAt(SparkVersion version) {
    return version == SparkVersion.V1 ? SEED_AT : SEED_AT + Integer.BYTES;
  }

  static SparkShape readHeader(InputStream in) throws IOException {
    byte[] start = FORMAT.readHeader(in, HASHES_AT, 0);
    SparkVersion version = version(ByteBuffer.wrap(start).getInt());
    ByteBuffer header = ByteBuffer.allocate(headerBytes(version)).put(start);
    header.put(FORMAT.readHeader(in, header.remaining(), HASHES_AT));
    int hashes = header.getInt(HASHES_AT);
    int seed = version == SparkVersion.V1 ? 0 : header.getInt(SEED_AT);
    int count = header.getInt(wordCountAt(version));
    if (count < 1 || count > WordArrays.MAX_LENGTH) {
      throw FORMAT.malformed(
          wordCountAt(version),
          "the number of words must be in [1, %d], got %d",
          WordArrays.MAX_LENGTH,
          count);
    }
    if (hashes < 1 || hashes > (long) count * Long.SIZE) {
      throw FORMAT.malformed(
          HASHES_AT,
          "the number of hashes must be in [1, %d], the number of bits, got %d",
          (long) count * Long.SIZE,
          hashes);
    }
    return new SparkShape(version, hashes, seed, count);
  }

  /** Reads the words that follow a header. */
  static long[] readWords(InputStream in, SparkShape shape) throws IOException {
    return FORMAT.readWords(in, shape.wordCount(), headerBytes(shape.version()));
  }

  private static SparkVersion version(int number) throws FilterFormatException {
    for (SparkVersion version : SparkVersion.values()) {
      if (version.number() == number) {
        return version;
      }
    }
    throw FORMAT.malformed(
        0,
        "the version must be 1 or 2, got %d%s",
        number,
        number >>> Short.SIZE == JAVA_SERIALIZATION
            ? "; Java's serialization begins like this: write the filter by writeTo instead"
            : "");
  }

  static void write(SparkShape shape, long[] words, OutputStream out) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(headerBytes(shape.version()));
    header.putInt(shape.version().number()).putInt(shape.hashes());
    if (shape.version() == SparkVersion.V2) {
      header.putInt(shape.seed());
    }
    header.putInt(words.length);
    out.write(header.array());
    FORMAT.writeWords(out, words.length, i -> words[i]);
  }
}
