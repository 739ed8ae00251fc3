package io.bloomkit.cli.examine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.ExamineRun;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command finds what is wrong with each strategy of the gallery. */
class GalleryOfStrategiesTest {

  @ParameterizedTest
  @CsvSource({
    "WIDENED_HASH_CODE, random, collisions",
    "LONG_HASH_CODE, sequential, halves",
    "IDENTITY, sequential, bits",
    "CONSTANT, random, collisions",
    "MURMUR_32_TWICE, urls, pairs of bits",
    "FNV_1A_32, urls, halves",
    "CRC_32, urls, bits",
    "TRUNCATED_TIMESTAMP, timestamps, collisions",
    "THIRTY_ONE, ids, avalanche",
    "DEAD_BIT, sequential, bits",
    "BIASED_BIT, sequential, bits",
    "GLOBAL_COUNTER, sequential, deterministic",
    "FIRST_EIGHT_BYTES, ids, collisions",
  })
  void isNotFitForItsReason(String strategy, String kind, String reason) {
    ExamineRun run =
        ExamineRun.of(
            "--strategy=" + GalleryOfStrategies.class.getName() + "#" + strategy,
            "--generate=" + kind,
            "--json");
    assertTrue(Set.of("WEAK", "UNFIT").contains(run.verdict()), run.out());
    assertNotEquals(0, run.exitCode());
    assertEquals(false, run.test(reason).get("passed"), run.out());
  }
}
