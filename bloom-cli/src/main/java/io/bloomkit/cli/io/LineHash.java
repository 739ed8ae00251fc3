package io.bloomkit.cli.io;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;

/**
 * A strategy whose elements can be lines, with a function that returns the same hash for a line in
 * a larger array.
 *
 * @param strategy the strategy of the filter
 * @param ofLine returns the same hash for a line as {@code strategy} for its element
 * @param <T> the type of the elements in Java
 */
public record LineHash<T>(HashStrategy<T> strategy, OfLine ofLine) {

  /** Hashes the line between two indexes, the second one exclusive. */
  @FunctionalInterface
  public interface OfLine {
    long hash(byte[] bytes, int from, int to);
  }

  /** Returns the line hash of a filter whose elements are byte arrays. */
  public static LineHash<byte[]> ofBytes(BytesHashStrategy bytesHash) {
    return new LineHash<>(bytesHash, ofRange(bytesHash));
  }

  /** Returns the line hash of a filter whose elements are texts, hashed as their UTF-8 bytes. */
  public static LineHash<CharSequence> ofTexts(BytesHashStrategy bytesHash) {
    return new LineHash<>(HashStrategies.utf8(bytesHash), ofRange(bytesHash));
  }

  private static OfLine ofRange(BytesHashStrategy bytesHash) {
    return (bytes, from, to) -> bytesHash.hashBytes(bytes, from, to - from);
  }

  /** Returns the hash of the line between two indexes, the second one exclusive. */
  public long hash(byte[] bytes, int from, int to) {
    return ofLine.hash(bytes, from, to);
  }
}
