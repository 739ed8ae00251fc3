package io.bloomkit.cuckoo;

/** A change of the contents of a chunk, which {@link ChunkDirectory#change} makes. */
@FunctionalInterface
interface ChunkChange {

  /**
   * Changes a chunk. The caller holds its monitor, and has made its version odd.
   *
   * @param fingerprint the fingerprint within the chunk
   * @param amount a number of copies or epochs
   * @param epoch the present epoch; 0 in a filter without stamps
   * @return a number that is not negative, or {@link FingerprintSet#NO_ROOM}, or another negative
   *     number if nothing has changed and the caller has to try again
   */
  long apply(Chunk chunk, long fingerprint, long amount, long epoch, TableSizes sizes);
}
