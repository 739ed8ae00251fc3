package io.bloomkit.testkit.hash;

import io.bloomkit.FlatShape;
import io.bloomkit.testkit.stat.FairCoins;
import io.bloomkit.testkit.stat.MultipleTestResult;
import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tests how flipping a bit of the key affects the hash: each of its 64 bits, and each pair of
 * leading bits of the positions derived from it.
 *
 * <p>Pairs of bits of the hash itself are not tested, since they may flip together without harm.
 * For example, the last step of XXH3 xors the upper half into the lower, so bits 0 and 32 often
 * flip together in similar keys. Filters depend only on positions.
 *
 * <p>Each bit is flipped in up to {@value #KEYS} keys that have it; if the length of keys varies,
 * few have the last bits. If both keys of a pair that differs in one bit are in the sample, the
 * pair counts once. So the pairs of a bit are independent observations for an ideal hash.
 *
 * <p>In dense keys, a bit may have only half as many pairs as keys; it is tested nevertheless. If
 * there are few keys, the power is that of the bit with the fewest pairs, since more keys would
 * give more pairs. If there are many keys, a bit with few pairs is one that only some keys have,
 * and more keys would add even rarer bits. The power is then that of a bit with {@value #MIN_PAIRS}
 * pairs; in bits with fewer pairs, only a larger fault is detected.
 */
final class AvalancheTests<T> {

  /** The largest number of keys in which a bit is flipped. */
  private static final int KEYS = 4096;

  /** With more keys than this, a bit of all keys has enough pairs, however dense the keys are. */
  private static final int FEW_KEYS = KEYS + KEYS / 2;

  /** The largest number of bits to flip. In longer keys, evenly spread bits are flipped. */
  static final int MAX_BITS = 256;

  /**
   * The smallest number of pairs with the required power if all bits are tested. A bit that fewer
   * keys have is not tested.
   */
  static final int MIN_PAIRS = 2500;

  /** The number of positions of an element; their leading bits together are 64. */
  private static final int POSITIONS = 8;

  private static final int BITS_OF_POSITION = Long.SIZE / POSITIONS;
  private static final FlatShape LEADING = new FlatShape(1L << BITS_OF_POSITION, POSITIONS);

  /** The fault to detect: the fraction of keys in which a bit flips. */
  static final double SLUGGISH = 0.6;

  private final KeySample<T> sample;

  /** The indexes of all keys in random order; below, how many of them were examined. */
  private final int[] places;

  private int looked;

  /** The first keys in random order that have the current bit. */
  private final List<Chosen<T>> chosen = new ArrayList<>();

  /** The ranks of the chosen keys, to recognize a pair that was counted from its other key. */
  private final Map<Object, Integer> ranks = new HashMap<>();

  private int keysWithBits;

  /** The least number of keys that have a tested bit; if few keys have bits, half of these. */
  private final int minKeys;

  private final boolean coinFlips;
  private final FairCoins flips = new FairCoins(0);
  private final FairCoins pairsOfFlips = new FairCoins(0);
  private final List<List<Double>> shares = new ArrayList<>();

  AvalancheTests(KeySample<T> sample) {
    this.sample = sample;
    this.places = sample.shuffledPlaces();
    IntHeapPriorityQueue longest = longestKeys();
    this.minKeys = keysWithBits > KEYS ? MIN_PAIRS : (keysWithBits + 1) / 2;
    while (longest.size() > minKeys) {
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

  /** Counts the keys that have bits. Returns the numbers of bits of the longest keys. */
  private IntHeapPriorityQueue longestKeys() {
    IntHeapPriorityQueue longest = new IntHeapPriorityQueue();
    for (int place : places) {
      T key = sample.key(place);
      KeyBits<T> bits = sample.bitsOf(key);
      int count = bits == null ? 0 : bits.count(key);
      if (count > 0) {
        keysWithBits++;
        longest.enqueue(count);
        if (longest.size() > MIN_PAIRS) {
          longest.dequeueInt();
        }
      }
    }
    return longest;
  }

  /** Flips the bits that enough keys have, in ascending order. */
  private void flipAll(int commonBits) {
    int flipped = Math.min(commonBits, MAX_BITS);
    for (int i = 0; i < flipped; i++) {
      int bit = (int) ((long) i * commonBits / flipped);
      choose(bit);
      flip(bit);
    }
  }

  /** Replaces keys without the bit by later ones. A key that was skipped has no higher bit. */
  private void choose(int bit) {
    chosen.removeIf(key -> !key.has(bit) && ranks.remove(KeyTypes.identity(key.key())) != null);
    for (; chosen.size() < KEYS && looked < places.length; looked++) {
      T key = sample.key(places[looked]);
      KeyBits<T> bits = sample.bitsOf(key);
      if (bits != null && bit < bits.count(key)) {
        long hash = sample.hash(places[looked]);
        chosen.add(new Chosen<>(key, bits, looked, hash, leadingBitsOfPositions(hash)));
        ranks.put(KeyTypes.identity(key), looked);
      }
    }
  }

  private void flip(int bit) {
    long[] differences = new long[chosen.size()];
    long[] differencesOfPositions = new long[chosen.size()];
    int pairs = 0;
    for (Chosen<T> key : chosen) {
      T flipped = key.bits().flip(key.key(), bit);
      Integer rank = ranks.get(KeyTypes.identity(flipped));
      if (rank == null || rank > key.rank()) {
        long hash = sample.hashOf(flipped);
        differences[pairs] = key.hash() ^ hash;
        differencesOfPositions[pairs] = key.leadingBits() ^ leadingBitsOfPositions(hash);
        pairs++;
      }
    }
    // Both keys of every pair may be among the chosen ones.
    if (pairs >= Math.min(minKeys, (chosen.size() + 1) / 2)) {
      begin(pairs);
      countFlips(bit, new BitColumns(differences, pairs));
      countPairsOfFlips(bit, new BitColumns(differencesOfPositions, pairs));
    }
  }

  private void begin(int pairs) {
    if (pairs >= MIN_PAIRS || keysWithBits <= FEW_KEYS) {
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

  /** Returns the name of a leading bit of a position. The first position has the highest bits. */
  private static String shown(int bit) {
    return (BITS_OF_POSITION - bit % BITS_OF_POSITION)
        + " of position "
        + (POSITIONS - bit / BITS_OF_POSITION);
  }

  /** Returns whether the bits of the keys are random, so no two keys are similar. */
  boolean hasNoSimilarKeys() {
    return coinFlips;
  }

  /** Returns whether too few keys have bits that can be flipped. */
  boolean isEmpty() {
    return flips.isEmpty();
  }

  /**
   * Returns the number of keys of this kind that the test needs. It is doubled, because the
   * fraction of keys with bits is estimated from the sample.
   */
  long keysNeeded() {
    return isEmpty() || coinFlips ? 0 : 2L * KEYS * sample.size() / keysWithBits + 1;
  }

  MultipleTestResult avalanche(double alpha) {
    return flips.result(
        "share of keys in which the bit flips the other",
        SLUGGISH,
        "a bit of the hash that flips in %s of keys",
        alpha);
  }

  MultipleTestResult bitIndependence(double alpha) {
    return pairsOfFlips.result(
        "share of keys in which just one of the two flips",
        SLUGGISH,
        "two bits of which just one flips in %s of keys",
        alpha);
  }

  List<List<Double>> shares() {
    return shares;
  }
}
