package io.bloomkit.cuckoo;

/**
 * A visitor of the fingerprints of a {@link DynamicCuckooFilter}, for {@link
 * DynamicCuckooFilter#forEachFingerprint}.
 */
@FunctionalInterface
public interface FingerprintVisitor {

  /**
   * Visits a fingerprint. Called once for each distinct fingerprint.
   *
   * @param fingerprint a number from 0 to F − 1, where F is {@link
   *     DynamicCuckooShape#fingerprints}. The fingerprint of a hash is ⌊h · F / 2<sup>64</sup>⌋,
   *     where h is the hash as an unsigned number with its lowest bit cleared.
   * @param copies the number of stored elements that have this fingerprint, repeats included, at
   *     least 1
   */
  void visit(long fingerprint, long copies);
}
