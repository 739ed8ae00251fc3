package io.bloomkit.hash;

import java.util.Objects;

/**
 * The default strategies of numbers: the 64 bits of a number, mixed by two rotations, two
 * multiplications and two xor-shifts.
 *
 * <p>The mixer is P. Evensen's rrmxmx (<i>On the mixing functions in "Fast splittable PRNGs",
 * MurmurHash3 and David Stafford's improved variants</i>, 2018), of which XXH3 has a variant for 4
 * to 8 bytes. It costs what MurmurHash3's finalizer costs, and it is a bijection: different numbers
 * never share a hash.
 *
 * <p>Each step is needed. A mixer that begins with {@code x ^ x >>> s} maps i·(2<sup>s</sup> + 1)
 * to i·2<sup>s</sup>, which spends the step; three rotations leave no such family. A mixer that
 * ends with a multiplication has low bits that depend on low bits alone, and cuckoo filters take
 * their fingerprints from the low half.
 */
final class Rrmxmx {

  static final LongHashStrategy LONGS = new Longs();
  static final HashStrategy<Integer> INTS = new Ints();

  private static final long FACTOR = 0x9fb21c651e98df25L;

  private Rrmxmx() {}

  private static long mix(long number) {
    long bits = number;
    bits ^= Long.rotateRight(bits, 49) ^ Long.rotateRight(bits, 24);
    bits *= FACTOR;
    bits ^= bits >>> 28;
    bits *= FACTOR;
    return bits ^ bits >>> 28;
  }

  private static final class Longs implements LongHashStrategy {

    @Override
    public long hashLong(long element) {
      return mix(element);
    }

    @Override
    public String id() {
      return "longs(rrmxmx)";
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

  private static final class Ints implements HashStrategy<Integer> {

    @Override
    public long hash(Integer element) {
      return mix(Objects.requireNonNull(element, "element"));
    }

    @Override
    public String id() {
      return "ints(rrmxmx)";
    }

    @Override
    public long fingerprint() {
      return Hashes.fingerprint(id(), hash(0), hash(1), hash(-1), hash(0x01234567));
    }

    @Override
    public String toString() {
      return id();
    }
  }
}
