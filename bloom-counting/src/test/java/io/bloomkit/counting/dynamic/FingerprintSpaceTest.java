package io.bloomkit.counting.dynamic;

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
                      space.prefixOf(TableScenes.fingerprintOf(space, hash)),
                      space.toString()));
    }
  }
}
