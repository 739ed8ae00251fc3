package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategy;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The keys of an examination and their hashes. */
final class KeySample<T> {

  private final HashStrategy<? super T> strategy;
  private final List<T> keys;
  private final KeyReader<T> reader;
  private final @Nullable KeyBits<T> givenBits;
  private final long seed;
  private long[] hashes = new long[0];

  KeySample(
      HashStrategy<? super T> strategy,
      List<T> keys,
      KeyReader<T> reader,
      @Nullable KeyBits<T> givenBits,
      long seed) {
    this.strategy = strategy;
    this.keys = keys;
    this.reader = reader;
    this.givenBits = givenBits;
    this.seed = seed;
  }

  /** Hashes all keys, in their order. */
  void hashAll() {
    hashes = keys.stream().mapToLong(this::hashOf).toArray();
  }

  /**
   * Hashes a key.
   *
   * @throws IllegalArgumentException if the strategy throws; the message contains the key
   */
  long hashOf(T key) {
    try {
      return strategy.hash(key);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "strategy " + strategy.id() + " throws for " + ContractTests.shown(key) + ": " + e, e);
    }
  }

  HashStrategy<? super T> strategy() {
    return strategy;
  }

  int size() {
    return keys.size();
  }

  T key(int place) {
    return keys.get(place);
  }

  long hash(int place) {
    return hashes[place];
  }

  /** Returns all hashes, in the order of the keys. Callers must not change the array. */
  long[] hashes() {
    return hashes;
  }

  long seed() {
    return seed;
  }

  /** Returns the indexes of all keys in random order. */
  int[] shuffledPlaces() {
    int[] places = new int[size()];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < places.length; i++) {
      int j = random.nextInt(i + 1);
      places[i] = places[j];
      places[j] = i;
    }
    return places;
  }

  /** Returns how the bits of a key are flipped, or null if that is unknown. */
  @Nullable KeyBits<T> bitsOf(T key) {
    return givenBits != null ? givenBits : KeyTypes.bitsOf(key);
  }

  /** Returns another object that equals the key at an index, or null if none can be created. */
  @Nullable T equalKey(int place) {
    T again = reader.again(place);
    if (again != null && again != key(place)) {
      return again;
    }
    T key = key(place);
    KeyBits<T> bits = bitsOf(key);
    return bits == null || bits.count(key) == 0 ? null : bits.flip(bits.flip(key, 0), 0);
  }
}
