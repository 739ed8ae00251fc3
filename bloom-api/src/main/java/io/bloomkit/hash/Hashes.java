package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/** Combines hashes into fingerprints and into hashes of sequences. */
final class Hashes {

  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  private Hashes() {}

  /** Combines a name and hashes into a fingerprint, which depends on their order. */
  static long fingerprint(String name, long... hashes) {
    long fingerprint = XXH3.hashCharsToLong(name);
    for (long hash : hashes) {
      fingerprint = combine(fingerprint, hash);
    }
    return fingerprint;
  }

  /**
   * Returns the hash of a sequence, given the hash of all parts but the last and the hash of the
   * last part.
   */
  static long combine(long hashOfParts, long hashOfNextPart) {
    return XXH3.hashLongLongToLong(hashOfParts, hashOfNextPart);
  }
}
