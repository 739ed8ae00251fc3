package io.bloomkit.hash;

import io.bloomkit.internal.LittleEndian;
import java.util.Objects;
import java.util.UUID;

/**
 * Hashes a UUID by a bytes hash of its sixteen bytes, as {@link HashStrategies#uuids()} describes
 * them.
 */
record BytesUuidHashStrategy(BytesHashStrategy bytesHash) implements HashStrategy<UUID> {

  BytesUuidHashStrategy {
    Objects.requireNonNull(bytesHash, "bytesHash");
  }

  @Override
  public long hash(UUID element) {
    Objects.requireNonNull(element, "element");
    long high = element.getMostSignificantBits();
    byte[] bytes = ScratchBuffer.bytes(2 * Long.BYTES);
    LittleEndian.putLong(bytes, 0, high);
    LittleEndian.putLong(bytes, Long.BYTES, element.getLeastSignificantBits());
    return bytesHash.hashBytes(bytes, 0, 2 * Long.BYTES);
  }

  @Override
  public String id() {
    return "uuids(" + bytesHash.id() + ")";
  }

  @Override
  public long fingerprint() {
    return Probes.fingerprintOfUuids(this);
  }

  @Override
  public String toString() {
    return id();
  }
}
