package io.bloomkit.counting.dynamic;

/** A visitor of the fingerprints of a {@link DynamicCuckooFilter}. */
@FunctionalInterface
public interface FingerprintVisitor {

  /**
   * Visits a fingerprint.
   *
   * @param fingerprint from 0 to F − 1: ⌊hash · F / 2<sup>64</sup>⌋, with the lowest bit of the
   *     hash cleared
   * @param copies the number of stored elements with this fingerprint, repeats included, at least 1
   */
  void visit(long fingerprint, long copies);
}
