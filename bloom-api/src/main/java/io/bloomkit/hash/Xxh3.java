package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Objects;
import java.util.UUID;

/**
 * Strategies by XXH3-64 that do not write the encoded bytes to an array. The hashes are those of
 * {@link HashStrategies#bytes()} for the encoded bytes. Each type of element has its own class with
 * a constant hasher, so that {@code hash} is the only virtual call.
 */
final class Xxh3 {

  static final LongHashStrategy LONGS = new Longs();
  static final HashStrategy<CharSequence> CHARS = new Chars();
  static final HashStrategy<UUID> UUIDS = new Uuids();

  private static final Hasher64 HASHER = Hashing.xxh3_64();

  private Xxh3() {}

  private static final class Longs implements LongHashStrategy {

    @Override
    public long hashLong(long element) {
      return HASHER.hashLongToLong(element);
    }

    @Override
    public String id() {
      return "longs(xxh3)";
    }

    @Override
    public long fingerprint() {
      return Probes.fingerprint((LongHashStrategy) this);
    }

    @Override
    public String toString() {
      return id();
    }
  }

  private static final class Chars implements HashStrategy<CharSequence> {

    @Override
    public long hash(CharSequence element) {
      return HASHER.hashCharsToLong(Objects.requireNonNull(element, "element"));
    }

    @Override
    public String id() {
      return "chars(xxh3)";
    }

    @Override
    public long fingerprint() {
      return Probes.fingerprintOfText(this);
    }

    @Override
    public String toString() {
      return id();
    }
  }

  private static final class Uuids implements HashStrategy<UUID> {

    @Override
    public long hash(UUID element) {
      Objects.requireNonNull(element, "element");
      return HASHER.hashLongLongToLong(
          element.getMostSignificantBits(), element.getLeastSignificantBits());
    }

    @Override
    public String id() {
      return "uuids(xxh3)";
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
}
