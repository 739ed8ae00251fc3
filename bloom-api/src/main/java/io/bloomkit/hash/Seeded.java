package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Strategies that mix the hashes of another strategy with a seed. The mixing is a bijection. */
abstract class Seeded {

  private final HashStrategy<?> strategy;
  private final long seed;
  private final Hasher64 mixer;

  private Seeded(HashStrategy<?> strategy, long seed) {
    this.strategy = Objects.requireNonNull(strategy, "strategy");
    this.seed = seed;
    this.mixer = Hashing.xxh3_64(seed);
  }

  final long mix(long hash) {
    return mixer.hashLongToLong(hash);
  }

  public final String id() {
    return "seeded(" + strategy.id() + ",0x" + Long.toHexString(seed) + ")";
  }

  public final long fingerprint() {
    return Hashes.fingerprint(id(), strategy.fingerprint(), mix(0));
  }

  @Override
  public final String toString() {
    return id();
  }

  static final class OfAny<T> extends Seeded implements HashStrategy<T> {

    private final HashStrategy<T> base;

    OfAny(HashStrategy<T> base, long seed) {
      super(base, seed);
      this.base = base;
    }

    @Override
    public long hash(T element) {
      return mix(base.hash(element));
    }
  }

  static final class OfLongs extends Seeded implements LongHashStrategy {

    private final LongHashStrategy base;

    OfLongs(LongHashStrategy base, long seed) {
      super(base, seed);
      this.base = base;
    }

    @Override
    public long hashLong(long element) {
      return mix(base.hashLong(element));
    }
  }

  static final class OfBytes extends Seeded implements BytesHashStrategy {

    private final BytesHashStrategy base;

    OfBytes(BytesHashStrategy base, long seed) {
      super(base, seed);
      this.base = base;
    }

    @Override
    public long hashBytes(byte[] bytes, int offset, int length) {
      return mix(base.hashBytes(bytes, offset, length));
    }

    @Override
    public long hashBytes(ByteBuffer bytes) {
      return mix(base.hashBytes(bytes));
    }
  }
}
