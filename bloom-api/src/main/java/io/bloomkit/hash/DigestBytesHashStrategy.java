package io.bloomkit.hash;

import io.bloomkit.internal.LittleEndian;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * Hashes bytes to the first eight bytes of their message digest. Each thread keeps its own {@link
 * MessageDigest}.
 */
final class DigestBytesHashStrategy implements BytesHashStrategy {

  private final String id;
  private final ThreadLocal<Digester> digester;

  DigestBytesHashStrategy(String id, String algorithm) {
    this.id = id;
    this.digester = ThreadLocal.withInitial(() -> new Digester(algorithm));
  }

  @Override
  public long hashBytes(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    Digester local = digester.get();
    local.algorithm.update(bytes, offset, length);
    return local.digest();
  }

  @Override
  public long hashBytes(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    Digester local = digester.get();
    local.algorithm.update(bytes.duplicate());
    return local.digest();
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public long fingerprint() {
    return Probes.fingerprint(this);
  }

  @Override
  public String toString() {
    return id;
  }

  private static final class Digester {

    private final MessageDigest algorithm;
    private final byte[] result;

    Digester(String name) {
      try {
        algorithm = MessageDigest.getInstance(name);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("this Java runtime has no " + name, e);
      }
      result = new byte[algorithm.getDigestLength()];
    }

    long digest() {
      try {
        algorithm.digest(result, 0, result.length);
      } catch (DigestException e) {
        throw new IllegalStateException(e);
      }
      return LittleEndian.getLong(result, 0);
    }
  }
}
