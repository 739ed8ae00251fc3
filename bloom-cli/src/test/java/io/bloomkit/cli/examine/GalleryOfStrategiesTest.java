package io.bloomkit.cli.examine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.ExamineRun;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The command finds what is wrong with each strategy of the gallery, if it can in a quarter of the
 * keys that it looks at by default.
 */
class GalleryOfStrategiesTest {

  @Tag("deep")
  @ParameterizedTest
  @CsvSource({
    "WIDENED_HASH_CODE, random, 65_536, collisions",
    "LONG_HASH_CODE, sequential, 65_536, halves",
    "IDENTITY, sequential, 65_536, bits",
    "CONSTANT, random, 65_536, collisions",
    "MURMUR_32_TWICE, urls, 65_536, pairs of bits",
    "FNV_1A_32, urls, 65_536, halves",
    "CRC_32, urls, 65_536, bits",
    "TRUNCATED_TIMESTAMP, timestamps, 65_536, collisions",
    "THIRTY_ONE, ids, 65_536, avalanche",
    "DEAD_BIT, sequential, 65_536, bits",
    "BIASED_BIT, sequential, 262_144, bits",
    "GLOBAL_COUNTER, sequential, 65_536, deterministic",
    "FIRST_EIGHT_BYTES, ids, 262_144, collisions",
    "FOLDED_MULTIPLICATION, doubled, 262_144, halves",
    "MULTIPLY_SWAP_MULTIPLY, byte-reversed, 262_144, rate in classic",
    "SHIFTS_OF_32, doubled, 262_144, places in blocks",
  })
  void isNotFitForItsReason(String strategy, String kind, String keys, String reason) {
    ExamineRun run =
        ExamineRun.of(
            "--strategy=" + GalleryOfStrategies.class.getName() + "#" + strategy,
            "--generate=" + kind,
            "--items=" + keys,
            "--json");
    assertTrue(Set.of("WEAK", "UNFIT").contains(run.verdict()), run.out());
    assertNotEquals(0, run.exitCode());
    assertEquals(false, run.test(reason).get("passed"), run.out());
  }
}
