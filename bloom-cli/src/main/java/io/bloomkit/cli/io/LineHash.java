package io.bloomkit.cli.io;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;

/**
 * A strategy whose elements can be lines, and its hash of a line's bytes, which stand in a larger
 * array and are not copied.
 *
 * @param strategy the strategy of the filter
 * @param bytesHash returns for the bytes of a line what the strategy returns for the line
 * @param <T> the type of the elements in Java
 */
public record LineHash<T>(HashStrategy<T> strategy, BytesHashStrategy bytesHash) {

  /** Returns the one of a filter whose elements are byte arrays. */
  public static LineHash<byte[]> ofBytes(BytesHashStrategy bytesHash) {
    return new LineHash<>(bytesHash, bytesHash);
  }

  /** Returns the one of a filter whose elements are texts, hashed as their UTF-8 bytes. */
  public static LineHash<CharSequence> ofTexts(BytesHashStrategy bytesHash) {
    return new LineHash<>(HashStrategies.utf8(bytesHash), bytesHash);
  }

  /** Returns the hash of the line from one index up to another. */
  public long hash(byte[] bytes, int from, int to) {
    return bytesHash.hashBytes(bytes, from, to - from);
  }
}
