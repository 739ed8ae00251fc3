package io.bloomkit.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/** Buffers as their remaining bytes: the same elements, and so the same identity, as arrays. */
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
