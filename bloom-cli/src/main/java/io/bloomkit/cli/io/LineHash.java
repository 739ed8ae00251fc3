package io.bloomkit.cli.io;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;

/**
 * A strategy whose elements can be lines, with a strategy that returns the same hash for the bytes
 * of a line in a larger array, without copying them.
 *
 * @param strategy the strategy of the filter
 * @param bytesHash returns the same hash for the bytes of a line as {@code strategy} for the line
 * @param <T> the type of the elements in Java
 */
public record LineHash<T>(HashStrategy<T> strategy, BytesHashStrategy bytesHash) {

  /** Returns the line hash of a filter whose elements are byte arrays. */
  public static LineHash<byte[]> ofBytes(BytesHashStrategy bytesHash) {
    return new LineHash<>(bytesHash, bytesHash);
  }

  /** Returns the line hash of a filter whose elements are texts, hashed as their UTF-8 bytes. */
  public static LineHash<CharSequence> ofTexts(BytesHashStrategy bytesHash) {
    return new LineHash<>(HashStrategies.utf8(bytesHash), bytesHash);
  }

  /** Returns the hash of the line between two indexes, the second one exclusive. */
  public long hash(byte[] bytes, int from, int to) {
    return bytesHash.hashBytes(bytes, from, to - from);
  }
}
