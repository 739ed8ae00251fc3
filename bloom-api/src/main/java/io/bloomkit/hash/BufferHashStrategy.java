package io.bloomkit.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Hashes the remaining bytes of a buffer. Its identity is that of the bytes hash, because the
 * elements are the same byte sequences.
 */
record BufferHashStrategy(BytesHashStrategy bytesHash) implements HashStrategy<ByteBuffer> {

  BufferHashStrategy {
    Objects.requireNonNull(bytesHash, "bytesHash");
  }

  @Override
  public long hash(ByteBuffer element) {
    return bytesHash.hashBytes(Objects.requireNonNull(element, "element"));
  }

  @Override
  public String id() {
    return bytesHash.id();
  }

  @Override
  public long fingerprint() {
    return bytesHash.fingerprint();
  }

  @Override
  public String toString() {
    return id();
  }
}
