package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** XXH3-64 without a seed against the vectors that its author publishes with it. */
class PublishedXxh3Test {

  private static final long PRIME_32 = 2_654_435_761L;
  private static final long PRIME_64 = 0x9e3779b185ebca8dL;

  @ParameterizedTest
  @CsvSource({
    "0, 2D06800538D394C2",
    "1, C44BDFF4074EECDB",
    "6, 27B56A84CD2D7325",
    "12, A713DAF0DFBB77E7",
    "24, A3FE70BF9D3510EB",
    "48, 397DA259ECBA1F11",
    "80, BCDEFBBB2C47C90A",
    "195, CD94217EE362EC3A",
    "403, CDEB804D65C6DEA4",
    "512, 617E49599013CB6B",
    "2048, DD59E2C3A5F038E0",
    "2240, 6E73A90539CF2948",
    "2367, CB37AEB9E5D361ED",
  })
  void bytesIsXxh3(int length, String hash) {
    byte[] message = Arrays.copyOf(sanityBuffer(), length);
    assertEquals(Long.parseUnsignedLong(hash, 16), HashStrategies.bytes().hash(message));
  }

  /** The buffer of the published sanity check: the top bytes of a power sequence. */
  private static byte[] sanityBuffer() {
    byte[] buffer = new byte[2367];
    long generator = PRIME_32;
    for (int i = 0; i < buffer.length; i++) {
      buffer[i] = (byte) (generator >>> 56);
      generator *= PRIME_64;
    }
    return buffer;
  }
}
