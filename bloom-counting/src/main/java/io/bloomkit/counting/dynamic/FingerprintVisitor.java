package io.bloomkit.counting.dynamic;

/** Takes the fingerprints of a {@link DynamicCuckooFilter}. */
@FunctionalInterface
public interface FingerprintVisitor {

  /**
   * Takes a fingerprint.
   *
   * @param fingerprint from 0 to F − 1: ⌊hash · F / 2<sup>64</sup>⌋, with the lowest bit of the
   *     hash cleared
   * @param copies how many elements of this fingerprint are held, at least 1
   */
  void visit(long fingerprint, long copies);
}
