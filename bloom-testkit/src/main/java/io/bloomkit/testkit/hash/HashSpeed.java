package io.bloomkit.testkit.hash;

import java.util.Locale;

/**
 * The cost of a hash on this machine. Compare it only with the cost of another strategy that was
 * measured on the same keys in the same process. Other load on the machine increases the time.
 *
 * @param nanosPerHash the mean time per hash in nanoseconds, in the fastest of several rounds
 * @param bytesPerHash the number of heap bytes allocated per hash; NaN if this Java runtime does
 *     not count allocated bytes
 */
public record HashSpeed(double nanosPerHash, double bytesPerHash) {

  /** Returns one line with both figures. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.1f ns and %.1f bytes allocated per hash", nanosPerHash, bytesPerHash);
  }
}
