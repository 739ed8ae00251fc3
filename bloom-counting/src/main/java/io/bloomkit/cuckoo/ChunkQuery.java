package io.bloomkit.cuckoo;

/** A query of a chunk, which {@link ChunkDirectory#readAgain} asks. */
@FunctionalInterface
interface ChunkQuery {

  /**
   * Reads what a chunk has of a fingerprint. Another thread may be changing the chunk; the caller
   * then discards the result.
   *
   * @param fingerprint the fingerprint within the chunk
   */
  long apply(Chunk chunk, long fingerprint);
}
