package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Strategies that mix the hashes of another strategy with a seed. The mixing is a bijection. */
final class Seeded {

  private final HashStrategy<?> base;
  private final long seed;
  private final Hasher64 mixer;

  private Seeded(HashStrategy<?> base, long seed) {
    this.base = Objects.requireNonNull(base, "strategy");
    this.seed = seed;
    this.mixer = Hashing.xxh3_64(seed);
  }

  private long mix(long hash) {
    return mixer.hashLongToLong(hash);
  }

  private String id() {
    return "seeded(" + base.id() + ",0x" + Long.toHexString(seed) + ")";
  }

  private long fingerprint() {
    return Hashes.fingerprint(id(), base.fingerprint(), mix(0));
  }

  static final class OfAny<T> implements HashStrategy<T> {

    private final HashStrategy<T> base;
    private final Seeded seeded;

    OfAny(HashStrategy<T> base, long seed) {
      this.seeded = new Seeded(base, seed);
      this.base = base;
    }

    @Override
    public long hash(T element) {
      return seeded.mix(base.hash(element));
    }

    @Override
    public String id() {
      return seeded.id();
    }

    @Override
    public long fingerprint() {
      return seeded.fingerprint();
    }

    @Override
    public String toString() {
      return id();
    }
  }

  static final class OfLongs implements LongHashStrategy {

    private final LongHashStrategy base;
    private final Seeded seeded;

    OfLongs(LongHashStrategy base, long seed) {
      this.seeded = new Seeded(base, seed);
      this.base = base;
    }

    @Override
    public long hashLong(long element) {
      return seeded.mix(base.hashLong(element));
    }

    @Override
    public String id() {
      return seeded.id();
    }

    @Override
    public long fingerprint() {
      return seeded.fingerprint();
    }

    @Override
    public String toString() {
      return id();
    }
  }

  static final class OfBytes implements BytesHashStrategy {

    private final BytesHashStrategy base;
    private final Seeded seeded;

    OfBytes(BytesHashStrategy base, long seed) {
      this.seeded = new Seeded(base, seed);
      this.base = base;
    }

    @Override
    public long hashBytes(byte[] bytes, int offset, int length) {
      return seeded.mix(base.hashBytes(bytes, offset, length));
    }

    @Override
    public long hashBytes(ByteBuffer bytes) {
      return seeded.mix(base.hashBytes(bytes));
    }

    @Override
    public String id() {
      return seeded.id();
    }

    @Override
    public long fingerprint() {
      return seeded.fingerprint();
    }

    @Override
    public String toString() {
      return id();
    }
  }
}
