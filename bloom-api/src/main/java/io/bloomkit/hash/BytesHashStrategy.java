package io.bloomkit.hash;

/**
 * A strategy over byte arrays that also takes a part of one, so that a caller with a buffer need
 * not copy. It is what other types build on: see {@link HashStrategies#utf8(BytesHashStrategy)}.
 * These hand it a buffer of the thread's own, so an implementation must not hash an element of
 * another type by a ready-made strategy before it has read its bytes.
 */
public interface BytesHashStrategy extends HashStrategy<byte[]> {

  /**
   * Returns what {@link #hash} returns for an array of just these bytes.
   *
   * @param bytes where they stand
   * @param offset the index of the first
   * @param length how many there are
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  long hashBytes(byte[] bytes, int offset, int length);

  @Override
  default long hash(byte[] element) {
    return hashBytes(element, 0, element.length);
  }
}
