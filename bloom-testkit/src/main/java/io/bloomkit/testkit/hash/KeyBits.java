package io.bloomkit.testkit.hash;

/**
 * Flips bits of keys, to test whether each key bit affects every bit of the hash. A {@link
 * HashStrategyExamination} has implementations for {@code Long}, {@code Integer}, {@code String},
 * {@code byte[]} and {@code UUID}. For other types, pass an implementation to {@link
 * HashStrategyExamination#flippingBits}.
 *
 * @param <T> the type of the keys
 */
public interface KeyBits<T> {

  /**
   * Returns the number of bits of a key that can be flipped, or 0 if there are none. Flipping any
   * one of these bits must give another valid key.
   */
  int count(T key);

  /**
   * Returns a new key that differs from a key in one bit. Flipping the same bit of the new key must
   * give a key equal to the original key.
   *
   * @param key a key, which is not modified
   * @param bit the index of the bit, from 0 to {@code count(key) - 1}
   */
  T flip(T key, int bit);
}
