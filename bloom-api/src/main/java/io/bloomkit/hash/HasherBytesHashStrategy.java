package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.Hasher64;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A bytes hash of hash4j, with an id of this library. */
record HasherBytesHashStrategy(String id, Hasher64 hasher) implements BytesHashStrategy {

  @Override
  public long hashBytes(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return hasher.hashBytesToLong(bytes, offset, length);
  }

  @Override
  public long hashBytes(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return bytes.hasArray()
        ? BytesHashStrategy.super.hashBytes(bytes)
        : hasher.hashBytesToLong(
            bytes, bytes.position(), bytes.remaining(), ByteAccess.forByteBuffer(bytes.order()));
  }

  @Override
  public long fingerprint() {
    return Probes.fingerprint(this);
  }

  @Override
  public String toString() {
    return id;
  }
}
