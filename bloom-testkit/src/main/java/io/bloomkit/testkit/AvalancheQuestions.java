package io.bloomkit.testkit;

import io.bloomkit.internal.IndexDerivation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the hash when a bit of the key is flipped: to each of its 64 bits, and to each
 * two of the leading bits of the positions that follow from it.
 *
 * <p>Two bits of the hash itself may well flip together: the last step of XXH3 xors the upper half
 * into the lower, so in similar keys bit 0 and bit 32 differ by what little reached bit 0 before.
 * No filter sees that; what it sees are positions.
 *
 * <p>A pair of keys that differ in one bit is looked at once, although both may be in the sample:
 * so the pairs of a bit are independent observations if the hash is ideal.
 */
final class AvalancheQuestions<T> {

  /** How many keys have their bits flipped. */
  private static final int KEYS = 4096;

  /** Of longer keys, as many bits that are spread evenly. */
  private static final int MOST_BITS = 256;

  /** A bit that fewer keys have is left out: it would take more to find the fault. */
  private static final int LEAST_PAIRS = 2500;

  /** Positions of an element, and leading bits of each, that fill 64 bits. */
  private static final int POSITIONS = 8;

  private static final int BITS_OF_POSITION = Long.SIZE / POSITIONS;

  /** The fault to find. */
  private static final double SLUGGISH = 0.6;

  private final KeySample<T> sample;
  private final List<T> keys = new ArrayList<>();
  private final List<KeyBits<T>> bits = new ArrayList<>();
  private final long[] hashes = new long[KEYS];
  private final long[] leadingBits = new long[KEYS];

  /** Where in the sample a key stands, to know a pair that was looked at from its other end. */
  private final Map<Object, Integer> places = new HashMap<>();

  private final FairCoins flips = new FairCoins(0);
  private final FairCoins pairsOfFlips = new FairCoins(0);
  private final List<List<Double>> shares = new ArrayList<>();

  AvalancheQuestions(KeySample<T> sample) {
    this.sample = sample;
    for (int place : sample.shuffledPlaces()) {
      T key = sample.key(place);
      KeyBits<T> bitsOfKey = sample.bitsOf(key);
      if (bitsOfKey != null && keys.size() < KEYS) {
        places.put(KnownKeys.identity(key), keys.size());
        hashes[keys.size()] = sample.hash(place);
        leadingBits[keys.size()] = leadingBitsOfPositions(sample.hash(place));
        keys.add(key);
        bits.add(bitsOfKey);
      }
    }
    flipAll();
  }

  private void flipAll() {
    int most = 0;
    for (int i = 0; i < keys.size(); i++) {
      most = Math.max(most, bits.get(i).count(keys.get(i)));
    }
    int looked = Math.min(most, MOST_BITS);
    for (int i = 0; i < looked; i++) {
      flip((int) ((long) i * most / looked));
    }
  }

  private void flip(int bit) {
    long[] differences = new long[keys.size()];
    long[] differencesOfPositions = new long[keys.size()];
    int pairs = 0;
    for (int i = 0; i < keys.size(); i++) {
      T flipped = flipped(i, bit);
      if (flipped != null) {
        long hash = sample.hashOf(flipped);
        differences[pairs] = hashes[i] ^ hash;
        differencesOfPositions[pairs] = leadingBits[i] ^ leadingBitsOfPositions(hash);
        pairs++;
      }
    }
    if (pairs >= Math.min(LEAST_PAIRS, keys.size() / 2)) {
      countFlips(bit, new BitColumns(differences, pairs));
      countPairsOfFlips(bit, new BitColumns(differencesOfPositions, pairs));
    }
  }

  private static long leadingBitsOfPositions(long hash) {
    long leading = 0;
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < POSITIONS; i++) {
      leading =
          leading << BITS_OF_POSITION | IndexDerivation.position(state, 1L << BITS_OF_POSITION);
      state = IndexDerivation.next(state);
    }
    return leading;
  }

  /** The key with a bit flipped, or null if it has no such bit or the pair was looked at. */
  private @Nullable T flipped(int i, int bit) {
    if (bit >= bits.get(i).count(keys.get(i))) {
      return null;
    }
    T flipped = bits.get(i).flip(keys.get(i), bit);
    Integer place = places.get(KnownKeys.identity(flipped));
    return place == null || place > i ? flipped : null;
  }

  private void countFlips(int bit, BitColumns differences) {
    flips.begin(differences.size());
    List<Double> sharesOfBit = new ArrayList<>();
    for (int out = 0; out < Long.SIZE; out++) {
      int ones = differences.ones(out);
      sharesOfBit.add((double) ones / differences.size());
      flips.count(
          ones,
          (in, output) -> "bit " + in + " of the key, bit " + output + " of the hash",
          bit,
          out);
    }
    shares.add(sharesOfBit);
  }

  private void countPairsOfFlips(int bit, BitColumns differences) {
    pairsOfFlips.begin(differences.size());
    for (int out = 1; out < Long.SIZE; out++) {
      for (int other = 0; other < out; other++) {
        pairsOfFlips.count(
            differences.differences(out, other),
            (in, outputs) ->
                "bit "
                    + in
                    + " of the key, bit "
                    + shown(outputs / Long.SIZE)
                    + " and bit "
                    + shown(outputs % Long.SIZE),
            bit,
            out * Long.SIZE + other);
      }
    }
  }

  /** A bit of the leading bits of positions, of which the first position has the highest. */
  private static String shown(int bit) {
    return (BITS_OF_POSITION - bit % BITS_OF_POSITION)
        + " of position "
        + (POSITIONS - bit / BITS_OF_POSITION);
  }

  /** Whether the keys are coin flips themselves, so that none are alike. */
  boolean hasNoSimilarKeys() {
    return RandomKeys.areCoinFlips(keys, sample.size());
  }

  /** Whether the bits of no key, or of too few, are known. */
  boolean isEmpty() {
    return flips.isEmpty();
  }

  Evidence avalanche(double alpha) {
    return flips.evidence(
        "share of keys in which the bit flips the other",
        SLUGGISH,
        "a bit of the hash that flips in %s of keys",
        alpha);
  }

  Evidence bitIndependence(double alpha) {
    return pairsOfFlips.evidence(
        "share of keys in which just one of the two flips",
        SLUGGISH,
        "two bits of which just one flips in %s of keys",
        alpha);
  }

  List<List<Double>> shares() {
    return shares;
  }
}
