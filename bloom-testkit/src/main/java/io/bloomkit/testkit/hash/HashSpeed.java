package io.bloomkit.testkit.hash;

import java.util.Locale;

/**
 * What a hash costs here: a figure to compare two strategies by in one run, not a verdict. Other
 * work on the machine makes it larger.
 *
 * @param nanosPerHash nanoseconds a hash, the fastest of several rounds over the keys
 * @param bytesPerHash bytes of the heap that a hash allocates; NaN if this Java runtime does not
 *     measure it
 */
public record HashSpeed(double nanosPerHash, double bytesPerHash) {

  /** Returns one line with both figures. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.1f ns and %.1f bytes allocated a hash", nanosPerHash, bytesPerHash);
  }
}
