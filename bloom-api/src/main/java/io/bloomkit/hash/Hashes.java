package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/** Combines hashes into fingerprints and into hashes of sequences. */
final class Hashes {

  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  private Hashes() {}

  /** One number for a name and some hashes: the order counts. */
  static long fingerprint(String name, long... hashes) {
    long fingerprint = XXH3.hashCharsToLong(name);
    for (long hash : hashes) {
      fingerprint = chain(fingerprint, hash);
    }
    return fingerprint;
  }

  /** The hash of a sequence from the hash of all but its last part and the hash of that part. */
  static long chain(long hashOfParts, long hashOfNextPart) {
    return XXH3.hashLongLongToLong(hashOfParts, hashOfNextPart);
  }
}
