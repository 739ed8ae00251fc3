package io.bloomkit.hash;

import java.util.Objects;

/**
 * The default strategies over numbers. They mix the 64 bits of a number by two rotations, two
 * multiplications and two xor-shifts.
 *
 * <p>The mixer is P. Evensen's rrmxmx (<i>On the mixing functions in "Fast splittable PRNGs",
 * MurmurHash3 and David Stafford's improved variants</i>, 2018), of which XXH3 uses a variant for
 * inputs of 4 to 8 bytes. It costs as much as the finalizer of MurmurHash3. It is a bijection:
 * different numbers have different hashes.
 *
 * <p>Each step is needed. A first step {@code x ^ x >>> s} maps i·(2<sup>s</sup> + 1) to
 * i·2<sup>s</sup>, so it does not mix such numbers; the step with the rotations has no such weak
 * inputs. If the last step were a multiplication, the low bits of the hash would depend only on low
 * bits before it, but cuckoo filters take their fingerprints from the low half.
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
