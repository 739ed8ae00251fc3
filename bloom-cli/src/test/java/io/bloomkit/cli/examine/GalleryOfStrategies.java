package io.bloomkit.cli.examine;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/** Strategies with a fault each, over what lines can be turned into. */
final class GalleryOfStrategies {

  /** Fit on random numbers and on no others. */
  static final LongHashStrategy IDENTITY = LongHashStrategy.of("identity", x -> x, 1);

  static final LongHashStrategy CONSTANT = LongHashStrategy.of("constant", x -> 42, 1);

  static final HashStrategy<String> WIDENED_HASH_CODE =
      HashStrategy.of("widened", String::hashCode, "a");

  static final HashStrategy<CharSequence> THIRTY_ONE =
      HashStrategy.of(
          "31*h+c", text -> text.chars().asLongStream().reduce(0, (h, c) -> 31 * h + c), "a");

  static final LongHashStrategy LONG_HASH_CODE =
      LongHashStrategy.of("Long.hashCode", Long::hashCode, 1);

  static final HashStrategy<byte[]> MURMUR_32_TWICE =
      HashStrategy.of(
          "murmur3-32 twice",
          key -> (HashStrategies.murmur3(0).hash(key) & 0xffff_ffffL) * 0x1_0000_0001L,
          new byte[1]);

  static final HashStrategy<byte[]> FNV_1A_32 =
      HashStrategy.of("fnv1a-32", GalleryOfStrategies::fnv1a32, new byte[1]);

  static final HashStrategy<byte[]> CRC_32 =
      HashStrategy.of("crc-32", GalleryOfStrategies::crc32, new byte[1]);

  static final LongHashStrategy TRUNCATED_TIMESTAMP =
      LongHashStrategy.of(
          "truncated timestamp", millis -> HashStrategies.longs().hashLong(millis / 4000), 1);

  static final LongHashStrategy DEAD_BIT =
      LongHashStrategy.of("dead bit", x -> HashStrategies.longs().hashLong(x) & ~(1L << 20), 1);

  /** One bit is set in a share of 0.51. */
  static final LongHashStrategy BIASED_BIT =
      LongHashStrategy.of("biased bit", GalleryOfStrategies::biasedBit, 1);

  private static final AtomicLong CALLS = new AtomicLong();

  static final LongHashStrategy GLOBAL_COUNTER =
      LongHashStrategy.of(
          "global counter",
          x -> HashStrategies.longs().hashLong(x + CALLS.incrementAndGet() / 100_000),
          1);

  static final HashStrategy<byte[]> FIRST_EIGHT_BYTES =
      HashStrategy.of(
          "first 8 bytes", key -> HashStrategies.bytes().hash(Arrays.copyOf(key, 8)), new byte[1]);

  static final LongHashStrategy FOLDED_MULTIPLICATION =
      LongHashStrategy.of(
          "folded multiplication",
          x ->
              (x ^ 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L
                  ^ Math.multiplyHigh(x ^ 0x9e3779b97f4a7c15L, 0xbf58476d1ce4e5b9L),
          1);

  static final LongHashStrategy MULTIPLY_SWAP_MULTIPLY =
      LongHashStrategy.of(
          "multiply, swap, multiply",
          x -> Long.reverseBytes(x * 0x9e3779b97f4a7c15L) * 0xd6e8feb86659fd93L,
          1);

  static final LongHashStrategy SHIFTS_OF_32 =
      LongHashStrategy.of(
          "shifts of 32",
          x -> {
            long bits = (x ^ x >>> 32) * 0x9e3779b97f4a7c15L;
            return (bits ^ bits >>> 32) * 0xd6e8feb86659fd93L;
          },
          1);

  static final LongHashStrategy THROWS_ON_77 =
      LongHashStrategy.of(
          "throws on 77",
          x -> {
            if (x == 77) {
              throw new IndexOutOfBoundsException("77");
            }
            return x * 0x9e3779b97f4a7c15L;
          },
          1);

  private GalleryOfStrategies() {}

  private static long fnv1a32(byte[] key) {
    int hash = 0x811c9dc5;
    for (byte b : key) {
      hash = (hash ^ (b & 0xff)) * 0x01000193;
    }
    return hash & 0xffff_ffffL;
  }

  private static long crc32(byte[] key) {
    CRC32 crc = new CRC32();
    crc.update(key);
    return crc.getValue();
  }

  private static long biasedBit(long x) {
    long hash = HashStrategies.longs().hashLong(x);
    long other = HashStrategies.seeded(HashStrategies.longs(), 1).hashLong(x);
    return Long.remainderUnsigned(other, 50) == 0 ? hash | 1L << 31 : hash;
  }
}
