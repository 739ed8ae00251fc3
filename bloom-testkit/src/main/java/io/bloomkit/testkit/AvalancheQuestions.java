package io.bloomkit.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the hash when a bit of the key is flipped.
 *
 * <p>A pair of keys that differ in one bit is looked at once, although both may be in the sample:
 * so the pairs of a bit are independent observations if the hash is ideal.
 */
final class AvalancheQuestions<T> {

  /** How many keys have their bits flipped. */
  private static final int KEYS = 4096;

  /** Of longer keys, as many bits that are spread evenly. */
  private static final int MOST_BITS = 512;

  /** A bit that fewer keys have is left out. */
  private static final int LEAST_PAIRS = 1024;

  /** The fault to find. */
  private static final double SLUGGISH = 0.6;

  private final KeySample<T> sample;
  private final List<T> keys = new ArrayList<>();
  private final List<KeyBits<T>> bits = new ArrayList<>();
  private final List<Long> hashes = new ArrayList<>();

  /** Where in the sample a key stands, to know a pair that was looked at from its other end. */
  private final Map<Object, Integer> places = new HashMap<>();

  private final FairCoins flips = new FairCoins();
  private final FairCoins pairsOfFlips = new FairCoins();
  private final List<List<Double>> shares = new ArrayList<>();

  AvalancheQuestions(KeySample<T> sample) {
    this.sample = sample;
    for (int place : sample.shuffledPlaces()) {
      T key = sample.key(place);
      KeyBits<T> bitsOfKey = sample.bitsOf(key);
      if (bitsOfKey != null && keys.size() < KEYS) {
        places.put(KnownKeys.identity(key), keys.size());
        keys.add(key);
        bits.add(bitsOfKey);
        hashes.add(sample.hash(place));
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
    int pairs = 0;
    for (int i = 0; i < keys.size(); i++) {
      T flipped = flipped(i, bit);
      if (flipped != null) {
        differences[pairs++] = hashes.get(i) ^ sample.strategy().hash(flipped);
      }
    }
    if (pairs >= LEAST_PAIRS) {
      count(bit, new BitColumns(differences, pairs));
    }
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

  private void count(int bit, BitColumns differences) {
    flips.begin(differences.size());
    pairsOfFlips.begin(differences.size());
    List<Double> sharesOfBit = new ArrayList<>();
    for (int out = 0; out < Long.SIZE; out++) {
      int ones = differences.ones(out);
      sharesOfBit.add((double) ones / differences.size());
      flips.count(
          ones,
          (in, output) -> "bit " + in + " of the key, bit " + output + " of the hash",
          bit,
          out);
      for (int other = 0; other < out; other++) {
        int pair = out * Long.SIZE + other;
        pairsOfFlips.count(
            differences.differences(out, other),
            (in, outputs) ->
                String.format(
                    "bit %d of the key, bits %d and %d of the hash",
                    in, outputs % Long.SIZE, outputs / Long.SIZE),
            bit,
            pair);
      }
    }
    shares.add(sharesOfBit);
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
        "share of keys in which one of the two flips",
        SLUGGISH,
        "two bits of which one flips in %s of keys",
        alpha);
  }

  List<List<Double>> shares() {
    return shares;
  }
}
