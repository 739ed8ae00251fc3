package io.bloomkit.hash;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The fixed elements whose hashes the {@linkplain HashStrategy#fingerprint() fingerprints} of
 * ready-made strategies include. Fingerprints are stored in files, so the elements never change.
 */
final class Probes {

  /**
   * An empty text, one of one byte, one with several bytes per character, and one that is too long
   * for the special cases that hash functions have for short inputs.
   */
  private static final String[] TEXTS = {
    "", "a", "Bloom \u0416\u20ac\ud834\udd1e", "-".repeat(300)
  };

  private static final long[] LONGS = {0, 1, -1, 0x0123456789abcdefL};

  private Probes() {}

  /**
   * Returns the hash of a probe that a caller passes.
   *
   * @param index the index of the probe, for the message
   * @throws IllegalArgumentException if a second call of the function returns another hash
   */
  static long hash(String id, int index, LongSupplier function) {
    long hash = function.getAsLong();
    long again = function.getAsLong();
    if (hash != again) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "strategy %s must always return the same hash for an element, but returned %016x and"
                  + " then %016x for probe %d: hash the value of the element, without random"
                  + " numbers, time or Object.hashCode()",
              id,
              hash,
              again,
              index));
    }
    return hash;
  }

  static long fingerprint(LongHashStrategy strategy) {
    long[] hashes = new long[LONGS.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = strategy.hashLong(LONGS[i]);
    }
    return Hashes.fingerprint(strategy.id(), hashes);
  }

  static long fingerprint(BytesHashStrategy strategy) {
    long[] hashes = new long[TEXTS.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = strategy.hash(TEXTS[i].getBytes(StandardCharsets.UTF_8));
    }
    return Hashes.fingerprint(strategy.id(), hashes);
  }

  static long fingerprintOfText(HashStrategy<CharSequence> strategy) {
    long[] hashes = new long[TEXTS.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = strategy.hash(TEXTS[i]);
    }
    return Hashes.fingerprint(strategy.id(), hashes);
  }

  static long fingerprintOfUuids(HashStrategy<UUID> strategy) {
    return Hashes.fingerprint(
        strategy.id(), strategy.hash(new UUID(0, 0)), strategy.hash(new UUID(LONGS[3], 1)));
  }
}
