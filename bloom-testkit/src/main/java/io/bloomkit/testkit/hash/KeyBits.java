package io.bloomkit.testkit.hash;

/**
 * How the bits of a key are flipped, for the question whether each of them reaches every bit of the
 * hash. Known for {@code Long}, {@code Integer}, {@code String}, {@code byte[]} and {@code UUID};
 * for keys of one's own {@link HashStrategyExamination#flippingBits} takes one.
 *
 * @param <T> the type of the keys
 */
public interface KeyBits<T> {

  /**
   * Returns how many bits of a key can be flipped, each of which yields another valid key.
   *
   * @param key a key
   */
  int count(T key);

  /**
   * Returns a new key that differs in one bit. Flipping the bit again gives a key equal to the
   * first.
   *
   * @param key a key, which is not changed
   * @param bit from 0 to {@code count(key) - 1}
   */
  T flip(T key, int bit);
}
