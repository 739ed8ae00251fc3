package io.bloomkit.testkit.hash;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Copies keys of common types and flips their bits. */
final class KeyTypes {

  /** The number of low bits of a char to flip, so a surrogate stays a surrogate of its kind. */
  private static final int BITS_OF_CHAR = 7;

  private static final KeyBits<Long> LONG = bits(key -> Long.SIZE, (key, bit) -> key ^ (1L << bit));

  private static final KeyBits<Integer> INTEGER =
      bits(key -> Integer.SIZE, (key, bit) -> key ^ (1 << bit));

  private static final KeyBits<String> TEXT =
      bits(
          key -> BITS_OF_CHAR * key.length(),
          (key, bit) -> {
            char[] chars = key.toCharArray();
            chars[bit / BITS_OF_CHAR] ^= (char) (1 << (bit % BITS_OF_CHAR));
            return new String(chars);
          });

  private static final KeyBits<byte[]> BYTES =
      bits(
          key -> Byte.SIZE * key.length,
          (key, bit) -> {
            byte[] flipped = key.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            return flipped;
          });

  private static final KeyBits<UUID> IDENTIFIER =
      bits(
          key -> 2 * Long.SIZE,
          (key, bit) ->
              bit < Long.SIZE
                  ? new UUID(
                      key.getMostSignificantBits() ^ (1L << bit), key.getLeastSignificantBits())
                  : new UUID(
                      key.getMostSignificantBits(), key.getLeastSignificantBits() ^ (1L << bit)));

  private KeyTypes() {}

  @FunctionalInterface
  private interface Flip<T> {
    T of(T key, int bit);
  }

  private static <T> KeyBits<T> bits(ToIntFunction<T> count, Flip<T> flip) {
    return new KeyBits<>() {
      @Override
      public int count(T key) {
        return count.applyAsInt(key);
      }

      @Override
      public T flip(T key, int bit) {
        return flip.of(key, bit);
      }
    };
  }

  /** Returns how to flip bits of keys of the class of a key, or null if the class is unknown. */
  @SuppressWarnings("unchecked") // the final classes here are the class of the key
  static <T> @Nullable KeyBits<T> bitsOf(T key) {
    Object bits = null;
    if (key instanceof Long) {
      bits = LONG;
    } else if (key instanceof Integer) {
      bits = INTEGER;
    } else if (key instanceof String) {
      bits = TEXT;
    } else if (key instanceof byte[]) {
      bits = BYTES;
    } else if (key instanceof UUID) {
      bits = IDENTIFIER;
    }
    return (KeyBits<T>) bits;
  }

  /** Returns the bits of a key of fixed size as words, or no words for keys of other classes. */
  static long[] wordsOf(Object key) {
    if (key instanceof Long number) {
      return new long[] {number};
    }
    if (key instanceof UUID uuid) {
      return new long[] {uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()};
    }
    if (key instanceof byte[] bytes && bytes.length % Long.BYTES == 0) {
      long[] words = new long[bytes.length / Long.BYTES];
      ByteBuffer.wrap(bytes).asLongBuffer().get(words);
      return words;
    }
    return new long[0];
  }

  /** Returns an object for {@code equals} and {@code hashCode} of a key; arrays by content. */
  static Object identity(Object key) {
    return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key;
  }
}
