package io.bloomkit.hash;

import io.bloomkit.internal.LittleEndian;
import java.util.Objects;

/** Hashes a long number by a bytes hash of its eight little-endian bytes. */
record BytesLongHashStrategy(BytesHashStrategy bytesHash) implements LongHashStrategy {

  BytesLongHashStrategy {
    Objects.requireNonNull(bytesHash, "bytesHash");
  }

  @Override
  public long hashLong(long element) {
    byte[] bytes = ScratchBuffer.bytes(Long.BYTES);
    LittleEndian.putLong(bytes, 0, element);
    return bytesHash.hashBytes(bytes, 0, Long.BYTES);
  }

  @Override
  public String id() {
    return "longs(" + bytesHash.id() + ")";
  }

  @Override
  public long fingerprint() {
    return Probes.fingerprint(this);
  }

  @Override
  public String toString() {
    return id();
  }
}
