package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/** Hash strategies that are met in the wild, each with a fault. */
final class BadStrategies {

  private BadStrategies() {}

  static HashStrategy<String> stringHashCode() {
    return HashStrategy.of("String.hashCode", key -> key.hashCode());
  }

  static HashStrategy<Long> longHashCode() {
    return HashStrategy.of("Long.hashCode", key -> key.hashCode());
  }

  static LongHashStrategy identity() {
    return LongHashStrategy.of("identity", number -> number);
  }

  static HashStrategy<Object> constant() {
    return HashStrategy.of("constant", key -> 42);
  }

  /** The 32 bits of a good hash, twice. */
  static HashStrategy<byte[]> murmur32Repeated() {
    HashStrategy<byte[]> murmur = HashStrategies.murmur3(0);
    return HashStrategy.of(
        "murmur3-32 twice", key -> (murmur.hash(key) & 0xffff_ffffL) * 0x1_0000_0001L);
  }

  static HashStrategy<byte[]> fnv1a32() {
    return HashStrategy.of(
        "fnv1a-32",
        key -> {
          int hash = 0x811c9dc5;
          for (byte b : key) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
          }
          return hash & 0xffff_ffffL;
        });
  }

  static HashStrategy<byte[]> crc32() {
    return HashStrategy.of(
        "crc-32",
        key -> {
          CRC32 crc = new CRC32();
          crc.update(key);
          return crc.getValue();
        });
  }

  /** A good hash of all bits but the lowest, which flips always the same bits of the hash. */
  static LongHashStrategy sameFlipsOfTheLowestBit() {
    return LongHashStrategy.of(
        "same flips of the lowest bit",
        number ->
            HashStrategies.longs().hashLong(number & ~1) ^ (number & 1) * 0x9e3779b97f4a7c15L);
  }

  /** A good hash of the second in which something happened. */
  static LongHashStrategy secondOfTimestamp() {
    return LongHashStrategy.of(
        "second of a timestamp", millis -> HashStrategies.longs().hashLong(millis / 4000));
  }

  static HashStrategy<String> thirtyOne() {
    return HashStrategy.of(
        "31 h + c",
        key -> {
          long hash = 0;
          for (int i = 0; i < key.length(); i++) {
            hash = 31 * hash + key.charAt(i);
          }
          return hash;
        });
  }

  /** A good hash of which one bit is never set. */
  static LongHashStrategy deadBit(int bit) {
    return LongHashStrategy.of(
        "bit " + bit + " dead", number -> HashStrategies.longs().hashLong(number) & ~(1L << bit));
  }

  /** A good hash of which one bit is set in a share of 0.51. */
  static LongHashStrategy biasedBit(int bit) {
    LongHashStrategy other = HashStrategies.seeded(HashStrategies.longs(), 1);
    return LongHashStrategy.of(
        "bit " + bit + " biased",
        number -> {
          long hash = HashStrategies.longs().hashLong(number);
          // One in fifty of the zeros becomes a one.
          boolean set = Long.remainderUnsigned(other.hashLong(number), 50) == 0;
          return set ? hash | 1L << bit : hash;
        });
  }

  /** A good hash of the element and of how many were hashed before. */
  static LongHashStrategy counting() {
    AtomicLong calls = new AtomicLong();
    return LongHashStrategy.of(
        "counting",
        number -> HashStrategies.longs().hashLong(number + calls.incrementAndGet() / 100_000));
  }

  /** A good hash of the first eight bytes. */
  static HashStrategy<byte[]> firstEightBytes() {
    return HashStrategy.of(
        "first 8 bytes", key -> HashStrategies.bytes().hash(Arrays.copyOf(key, 8)));
  }

  /** The bits of an object, not of what it says. */
  static HashStrategy<UUID> identityHashCode() {
    return HashStrategy.of(
        "System.identityHashCode",
        key -> HashStrategies.longs().hashLong(System.identityHashCode(key)));
  }

  /** A good hash that takes null for a text like any other. */
  static HashStrategy<String> nullIsHashed() {
    return new HashStrategy<>() {
      @Override
      public long hash(String element) {
        return HashStrategies.utf8().hash(String.valueOf((Object) element));
      }

      @Override
      public String id() {
        return "null is hashed";
      }
    };
  }

  /** A buffer that threads share. */
  static HashStrategy<String> sharedBuffer() {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    return HashStrategy.of(
        "shared buffer",
        key -> {
          byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
          buffer.clear().put(bytes);
          return HashStrategies.bytes().hashBytes(buffer.array(), 0, bytes.length);
        });
  }

  /**
   * Good for even numbers; the hash of an odd one differs from that of the even one before it in
   * one bit.
   */
  static LongHashStrategy lazyBit() {
    return LongHashStrategy.of(
        "bit 0 reaches one bit",
        number -> HashStrategies.longs().hashLong(number >>> 1) ^ (number & 1) << 63);
  }

  /** Two bits that always agree. */
  static LongHashStrategy boundBits() {
    return LongHashStrategy.of(
        "bit 9 is bit 40",
        number -> {
          long hash = HashStrategies.longs().hashLong(number);
          return (hash & ~(1L << 9)) | (hash >>> 40 & 1) << 9;
        });
  }

  /** A number that rises with every call. */
  static LongHashStrategy everyCallAnother() {
    AtomicLong calls = new AtomicLong();
    return LongHashStrategy.of(
        "every call another",
        number -> HashStrategies.longs().hashLong(number ^ calls.incrementAndGet() << 40));
  }

  /** A good hash of how many hundred million. */
  static LongHashStrategy hundreds() {
    return LongHashStrategy.of(
        "hundreds of millions", number -> HashStrategies.longs().hashLong(number / 100_000_000));
  }

  /** One multiplication, its upper half xored into the lower. */
  static LongHashStrategy foldedMultiplication() {
    return LongHashStrategy.of(
        "one folded multiplication",
        number -> {
          long bits = number ^ 0x9e3779b97f4a7c15L;
          return bits * 0xbf58476d1ce4e5b9L ^ Math.multiplyHigh(bits, 0xbf58476d1ce4e5b9L);
        });
  }

  /** Two multiplications, and the bytes swapped between them. */
  static LongHashStrategy multiplySwapMultiply() {
    return LongHashStrategy.of(
        "multiply, swap, multiply",
        number -> Long.reverseBytes(number * 0x9e3779b97f4a7c15L) * 0xd6e8feb86659fd93L);
  }

  /** Two rounds of shift and multiplication, which end with the multiplication. */
  static LongHashStrategy twoRounds(int firstShift, int secondShift) {
    return LongHashStrategy.of(
        "shifts " + firstShift + " and " + secondShift,
        number -> {
          long bits = (number ^ number >>> firstShift) * 0x9e3779b97f4a7c15L;
          return (bits ^ bits >>> secondShift) * 0xd6e8feb86659fd93L;
        });
  }
}
