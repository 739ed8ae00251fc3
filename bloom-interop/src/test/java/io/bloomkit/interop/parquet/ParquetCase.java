package io.bloomkit.interop.parquet;

import io.bloomkit.hash.HashStrategy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;
import org.apache.parquet.io.api.Binary;

/**
 * A physical type: our strategy, the value that the library of Parquet takes, and as many values as
 * one likes.
 */
record ParquetCase<T>(
    String name,
    HashStrategy<? super T> ours,
    Function<T, Object> parquets,
    LongFunction<T> values) {

  static final ParquetCase<Long> INT64 =
      new ParquetCase<>("INT64", ParquetStrategies.int64(), v -> v, i -> i * 0x9e3779b97f4a7c15L);

  static final List<ParquetCase<?>> ALL =
      List.of(
          new ParquetCase<>("INT32", ParquetStrategies.int32(), v -> v, i -> (int) i * 0x9e3779b1),
          INT64,
          new ParquetCase<Float>(
              "FLOAT",
              ParquetStrategies.float32(),
              v -> v,
              i -> i == 0 ? -0f : i == 1 ? Float.NaN : i / 3f),
          new ParquetCase<Double>(
              "DOUBLE",
              ParquetStrategies.float64(),
              v -> v,
              i -> i == 0 ? -0d : i == 1 ? Double.NaN : i / 3d),
          new ParquetCase<byte[]>(
              "BYTE_ARRAY",
              ParquetStrategies.byteArray(),
              Binary::fromConstantByteArray,
              i -> bytes(i, new SplittableRandom(i).nextInt(4, 60))),
          new ParquetCase<CharSequence>(
              "STRING",
              ParquetStrategies.utf8(),
              v -> Binary.fromString(v.toString()),
              i -> "\u0416 " + i),
          new ParquetCase<byte[]>(
              "FIXED_LEN_BYTE_ARRAY(20)",
              ParquetStrategies.fixedLenByteArray(20),
              Binary::fromConstantByteArray,
              i -> bytes(i, 20)),
          new ParquetCase<byte[]>(
              "INT96",
              ParquetStrategies.int96(),
              Binary::fromConstantByteArray,
              i -> bytes(i, ParquetStrategies.INT96_BYTES)));

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  T value(long i) {
    return values.apply(i);
  }

  Object parquetsValue(T value) {
    return parquets.apply(value);
  }

  /** Reads as the library of Parquet does. */
  static BlockSplitBloomFilter readByParquet(byte[] bytes) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    BloomFilterHeader header = Util.readBloomFilterHeader(in);
    if (!header.getAlgorithm().isSetBLOCK()
        || !header.getHash().isSetXXHASH()
        || !header.getCompression().isSetUNCOMPRESSED()) {
      throw new IOException(header.toString());
    }
    byte[] bitset = in.readNBytes(header.getNumBytes());
    if (in.available() > 0 || bitset.length != header.getNumBytes()) {
      throw new IOException("the header says " + header.getNumBytes());
    }
    return new BlockSplitBloomFilter(bitset);
  }

  static byte[] headerByParquet(int numBytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writeBloomFilterHeader(
        new BloomFilterHeader(
            numBytes,
            BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
            BloomFilterHash.XXHASH(new XxHash()),
            BloomFilterCompression.UNCOMPRESSED(new Uncompressed())),
        out);
    return out.toByteArray();
  }

  /** Writes as the library of Parquet does: a header and the bitset. */
  static byte[] bytesOf(BlockSplitBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(filter.getBitsetSize() + 20);
    out.write(headerByParquet(filter.getBitsetSize()));
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Override
  public String toString() {
    return name;
  }
}
