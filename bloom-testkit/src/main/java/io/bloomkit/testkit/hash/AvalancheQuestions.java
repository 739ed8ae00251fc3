package io.bloomkit.testkit.hash;

import io.bloomkit.Shape;
import io.bloomkit.testkit.stat.Evidence;
import io.bloomkit.testkit.stat.FairCoins;
import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tests how flipping a bit of the key affects the hash: each of its 64 bits, and each pair of
 * leading bits of the positions derived from it.
 *
 * <p>Two bits of the hash itself may well flip together: the last step of XXH3 xors the upper half
 * into the lower, so in similar keys bit 0 and bit 32 differ by what little reached bit 0 before.
 * No filter sees that; what it sees are positions.
 *
 * <p>Each bit is flipped in keys that have it, up to {@value #KEYS} of them: in keys of varying
 * length, few have the last bits. A pair of keys that differ in one bit is looked at once, although
 * both may be in the sample: so the pairs of a bit are independent observations if the hash is
 * ideal.
 *
 * <p>In dense keys, a bit has half as many pairs as keys. It is judged nevertheless. If there are
 * few keys, the power is that of the fewest pairs, for more keys give more. If there are many, such
 * a bit is one that only a part of them have, and more keys would bring rarer bits: the power is
 * that of the bits of {@value #LEAST_PAIRS} pairs, while a coarser fault is found in those of
 * fewer.
 */
final class AvalancheQuestions<T> {

  /** In how many keys a bit is flipped. */
  private static final int KEYS = 4096;

  /** Of more keys, a bit that all of them have has enough pairs, however dense they are. */
  private static final int FEW_KEYS = KEYS + KEYS / 2;

  /** Of longer keys, as many bits that are spread evenly. */
  static final int MOST_BITS = 256;

  /**
   * The fewest pairs that find the fault among all bits. A bit that fewer keys have is left out.
   */
  static final int LEAST_PAIRS = 2500;

  /** Positions of an element, and leading bits of each, that fill 64 bits. */
  private static final int POSITIONS = 8;

  private static final int BITS_OF_POSITION = Long.SIZE / POSITIONS;
  private static final Shape LEADING = new Shape(1L << BITS_OF_POSITION, POSITIONS);

  /** The fault to find. */
  static final double SLUGGISH = 0.6;

  private final KeySample<T> sample;

  /** The places of all keys in random order, and how many of them were looked at. */
  private final int[] places;

  private int looked;

  /** The first keys in random order that have the bit which is flipped now. */
  private final List<Chosen<T>> chosen = new ArrayList<>();

  /** Which of the chosen keys a key is, to know a pair that was looked at from its other end. */
  private final Map<Object, Integer> ranks = new HashMap<>();

  private int keysWithBits;

  /** The least number of keys per tested bit. If few keys have bits, it is half of them. */
  private final int leastKeys;

  private final boolean coinFlips;
  private final FairCoins flips = new FairCoins(0);
  private final FairCoins pairsOfFlips = new FairCoins(0);
  private final List<List<Double>> shares = new ArrayList<>();

  AvalancheQuestions(KeySample<T> sample) {
    this.sample = sample;
    this.places = sample.shuffledPlaces();
    IntHeapPriorityQueue longest = longestKeys();
    this.leastKeys = keysWithBits > KEYS ? LEAST_PAIRS : (keysWithBits + 1) / 2;
    while (longest.size() > leastKeys) {
      longest.dequeueInt();
    }
    choose(0);
    this.coinFlips =
        RandomKeys.areCoinFlips(chosen.stream().map(Chosen::key).toList(), sample.size());
    flipAll(longest.isEmpty() ? 0 : longest.firstInt());
  }

  /** A key whose bits are flipped, with its rank in the random order. */
  private record Chosen<T>(T key, KeyBits<T> bits, int rank, long hash, long leadingBits) {
    boolean has(int bit) {
      return bit < bits.count(key);
    }
  }

  /** Counts the keys that have bits; returns how many bits each of the longest has. */
  private IntHeapPriorityQueue longestKeys() {
    IntHeapPriorityQueue longest = new IntHeapPriorityQueue();
    for (int place : places) {
      T key = sample.key(place);
      KeyBits<T> bits = sample.bitsOf(key);
      int count = bits == null ? 0 : bits.count(key);
      if (count > 0) {
        keysWithBits++;
        longest.enqueue(count);
        if (longest.size() > LEAST_PAIRS) {
          longest.dequeueInt();
        }
      }
    }
    return longest;
  }

  /** Flips bits of which each is that of enough keys, in ascending order. */
  private void flipAll(int commonBits) {
    int flipped = Math.min(commonBits, MOST_BITS);
    for (int i = 0; i < flipped; i++) {
      int bit = (int) ((long) i * commonBits / flipped);
      choose(bit);
      flip(bit);
    }
  }

  /** Replaces keys without the bit by later ones: a key that was passed over has no higher bit. */
  private void choose(int bit) {
    chosen.removeIf(key -> !key.has(bit) && ranks.remove(KnownKeys.identity(key.key())) != null);
    for (; chosen.size() < KEYS && looked < places.length; looked++) {
      T key = sample.key(places[looked]);
      KeyBits<T> bits = sample.bitsOf(key);
      if (bits != null && bit < bits.count(key)) {
        long hash = sample.hash(places[looked]);
        chosen.add(new Chosen<>(key, bits, looked, hash, leadingBitsOfPositions(hash)));
        ranks.put(KnownKeys.identity(key), looked);
      }
    }
  }

  private void flip(int bit) {
    long[] differences = new long[chosen.size()];
    long[] differencesOfPositions = new long[chosen.size()];
    int pairs = 0;
    for (Chosen<T> key : chosen) {
      T flipped = key.bits().flip(key.key(), bit);
      Integer rank = ranks.get(KnownKeys.identity(flipped));
      if (rank == null || rank > key.rank()) {
        long hash = sample.hashOf(flipped);
        differences[pairs] = key.hash() ^ hash;
        differencesOfPositions[pairs] = key.leadingBits() ^ leadingBitsOfPositions(hash);
        pairs++;
      }
    }
    // Both ends of every pair may be among the chosen keys.
    if (pairs >= Math.min(leastKeys, (chosen.size() + 1) / 2)) {
      begin(pairs);
      countFlips(bit, new BitColumns(differences, pairs));
      countPairsOfFlips(bit, new BitColumns(differencesOfPositions, pairs));
    }
  }

  private void begin(int pairs) {
    if (pairs >= LEAST_PAIRS || keysWithBits <= FEW_KEYS) {
      flips.begin(pairs);
      pairsOfFlips.begin(pairs);
    } else {
      flips.beginBesides(pairs);
      pairsOfFlips.beginBesides(pairs);
    }
  }

  private static long leadingBitsOfPositions(long hash) {
    long leading = 0;
    for (int i = 0; i < POSITIONS; i++) {
      leading = leading << BITS_OF_POSITION | LEADING.positionOf(hash, i);
    }
    return leading;
  }

  private void countFlips(int bit, BitColumns differences) {
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
    return coinFlips;
  }

  /** Whether the bits of no key, or of too few, are known. */
  boolean isEmpty() {
    return flips.isEmpty();
  }

  /**
   * Returns the number of keys like these that the test needs. It is doubled, because the share of
   * keys with bits is estimated from the sample.
   */
  long keysNeeded() {
    return isEmpty() || coinFlips ? 0 : 2L * KEYS * sample.size() / keysWithBits + 1;
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
