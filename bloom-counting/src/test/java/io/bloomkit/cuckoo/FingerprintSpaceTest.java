package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FingerprintSpaceTest {

  @Test
  void hashesOfAFingerprintShareItsPrefix() {
    SplittableRandom random = new SplittableRandom(20_261_125);
    for (long fingerprints : new long[] {1, 1000, 1 << 14, (1 << 14) + 1, 1L << 40, 1L << 60}) {
      FingerprintSpace space = FingerprintSpace.ofAtLeast(fingerprints);
      long beyondPrefix = space.maxDepth() == 0 ? -1 : -1L >>> space.maxDepth();
      LongStream.concat(LongStream.of(0, 1, -1, Long.MIN_VALUE), random.longs(100))
          .forEach(
              hash ->
                  assertEquals(
                      hash & ~beyondPrefix,
                      space.prefixOf(SampleTables.fingerprintOf(space, hash)),
                      space.toString()));
    }
  }

  @Test
  void theLowestHashOfAFingerprintHasThisFingerprint() {
    SplittableRandom random = new SplittableRandom(20261127);
    for (int run = 0; run < 20_000; run++) {
      FingerprintSpace space =
          FingerprintSpace.ofAtLeast(random.nextLong(1, 1L << random.nextInt(1, 61)));
      long last = space.fingerprints() - 1;
      for (long fingerprint : new long[] {0, random.nextLong(last + 1), last}) {
        long hash = space.hashOf(fingerprint);
        assertEquals(fingerprint, space.fingerprintOf(hash));
        assertEquals(fingerprint, fingerprint == 0 ? 0 : space.fingerprintOf(hash - 1) + 1);
      }
    }
  }
}
