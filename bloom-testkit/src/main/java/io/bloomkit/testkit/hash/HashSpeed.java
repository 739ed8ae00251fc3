package io.bloomkit.testkit.hash;

import java.util.Locale;

/**
 * The cost of a hash on this machine, to compare two strategies in one run. Other load on the
 * machine increases it.
 *
 * @param nanosPerHash nanoseconds per hash, in the fastest of several rounds over the keys
 * @param bytesPerHash heap bytes allocated per hash; NaN if this Java runtime does not count them
 */
public record HashSpeed(double nanosPerHash, double bytesPerHash) {

  /** Returns one line with both figures. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.1f ns and %.1f bytes allocated per hash", nanosPerHash, bytesPerHash);
  }
}
