package io.bloomkit.interop.spark;

/**
 * The header of a filter, which determines its size and positions.
 *
 * @param seed the seed of the hash, 0 in version 1
 * @param wordCount the number of 64-bit words
 */
record SparkShape(SparkVersion version, int hashes, int seed, int wordCount) {

  long positions() {
    return (long) wordCount * Long.SIZE;
  }

  @Override
  public String toString() {
    return "version="
        + version
        + ", positions="
        + positions()
        + ", hashes="
        + hashes
        + ", seed="
        + seed;
  }
}
