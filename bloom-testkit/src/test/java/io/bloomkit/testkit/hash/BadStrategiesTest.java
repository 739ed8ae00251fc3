package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.keys.KeySource;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every bad strategy is found, and for what is bad about it. */
@Tag("campaign")
class BadStrategiesTest {

  private static final long SEED = 20261121;
  private static final String FLAT = "rate in a model of flat filters";
  private static final String BLOCKED = "rate in a model of blocked filters";

  private static <T> DynamicTest bad(
      HashStrategy<? super T> strategy,
      String keyKind,
      LongFunction<? extends T> keys,
      Verdict verdict,
      String... reasons) {
    return DynamicTest.dynamicTest(
        strategy.id() + " on " + keyKind,
        () -> {
          ExaminationReport report = HashStrategyExamination.<T>of(strategy).elements(keys).run();
          assertEquals(verdict, report.verdict(), report::toString);
          List<String> findings = report.findings().stream().map(ExaminationTest::name).toList();
          assertTrue(
              findings.containsAll(Arrays.asList(reasons)),
              () -> findings + " instead of " + Arrays.toString(reasons));
        });
  }

  /** The same, where what is bad is all that is found. */
  private static <T> DynamicTest badOnlyFor(
      HashStrategy<? super T> strategy,
      String keyKind,
      LongFunction<? extends T> keys,
      Verdict verdict,
      String... reasons) {
    return DynamicTest.dynamicTest(
        strategy.id() + " on " + keyKind,
        () -> {
          ExaminationReport report = HashStrategyExamination.<T>of(strategy).elements(keys).run();
          assertEquals(verdict, report.verdict(), report::toString);
          assertEquals(
              Arrays.asList(reasons),
              report.findings().stream().map(ExaminationTest::name).toList(),
              report::toString);
        });
  }

  @TestFactory
  Stream<DynamicTest> hashesOf32BitsAreUnfit() {
    return Stream.of(
        bad(
            BadStrategies.stringHashCode(),
            "random letters",
            KeySource.RANDOM.texts(SEED),
            Verdict.UNFIT,
            "collisions",
            "halves",
            "pairs of bits",
            BLOCKED),
        bad(
            BadStrategies.longHashCode(),
            "row numbers",
            KeySource.SEQUENTIAL.longs(SEED),
            Verdict.UNFIT,
            "halves",
            "bits",
            "positions",
            FLAT,
            BLOCKED),
        bad(
            BadStrategies.fnv1a32(),
            "urls",
            KeySource.URLS.bytes(SEED),
            Verdict.UNFIT,
            "collisions",
            "halves",
            "bits",
            BLOCKED),
        bad(
            BadStrategies.crc32(),
            "urls",
            KeySource.URLS.bytes(SEED),
            Verdict.UNFIT,
            "collisions",
            "bits",
            "bit independence",
            BLOCKED),
        badOnlyFor(
            BadStrategies.murmur32Repeated(),
            "urls",
            KeySource.URLS.bytes(SEED),
            Verdict.UNFIT,
            "collisions",
            "pairs of bits",
            "places in blocks",
            BLOCKED));
  }

  @TestFactory
  Stream<DynamicTest> hashesThatLoseWhatTheKeySaysAreUnfit() {
    return Stream.of(
        bad(
            BadStrategies.constant(),
            "random numbers",
            KeySource.RANDOM.longs(SEED),
            Verdict.UNFIT,
            "collisions",
            "halves",
            "bits",
            "positions",
            "places in blocks",
            "independent positions",
            FLAT,
            BLOCKED),
        bad(
            BadStrategies.secondOfTimestamp(),
            "timestamps",
            KeySource.TIMESTAMPS.longs(SEED),
            Verdict.UNFIT,
            "collisions",
            "avalanche",
            FLAT,
            BLOCKED),
        bad(
            BadStrategies.firstEightBytes(),
            "ids",
            KeySource.IDS.bytes(SEED),
            Verdict.UNFIT,
            "collisions",
            "avalanche",
            FLAT),
        bad(
            BadStrategies.firstEightBytes(),
            "urls",
            KeySource.URLS.bytes(SEED),
            Verdict.UNFIT,
            "collisions",
            "avalanche",
            FLAT));
  }

  @TestFactory
  Stream<DynamicTest> hashesThatMixTooLittleAreNotFit() {
    return Stream.of(
        bad(
            BadStrategies.identity(),
            "row numbers",
            KeySource.SEQUENTIAL.longs(SEED),
            Verdict.UNFIT,
            "bits",
            "positions",
            "avalanche",
            FLAT,
            BLOCKED),
        bad(
            BadStrategies.thirtyOne(),
            "ids",
            KeySource.IDS.texts(SEED),
            Verdict.UNFIT,
            "bits",
            "avalanche",
            "positions",
            BLOCKED),
        bad(
            BadStrategies.thirtyOne(),
            "uuids",
            KeySource.UUIDS.texts(SEED),
            Verdict.WEAK,
            "avalanche"),
        bad(
            BadStrategies.lazyBit(),
            "row numbers",
            KeySource.SEQUENTIAL.longs(SEED),
            Verdict.WEAK,
            "avalanche",
            "bit independence",
            "halves"));
  }

  /** The one ready-made strategy that is not fit everywhere: its documentation says where. */
  @TestFactory
  Stream<DynamicTest> murmur3IsWeakOnShortKeysThatDifferAtTheEndOnly() {
    return Stream.of(KeySource.BIT_REVERSED, KeySource.BYTE_REVERSED)
        .map(
            source ->
                bad(
                    HashStrategies.murmur3(7),
                    source.label(),
                    source.bytes(SEED),
                    Verdict.WEAK,
                    "pairs of bits"));
  }

  /**
   * Each leaves a structure in some family of numbers, and some filters have too many false
   * positives there.
   */
  @TestFactory
  Stream<DynamicTest> cheapMixersOfNumbersAreNotFit() {
    return Stream.of(
        bad(
            BadStrategies.foldedMultiplication(),
            "doubled numbers",
            KeySource.DOUBLED.longs(SEED),
            Verdict.WEAK,
            "halves",
            "positions",
            "places in blocks",
            "avalanche"),
        bad(
            BadStrategies.multiplySwapMultiply(),
            "numbers of reversed bytes",
            KeySource.BYTE_REVERSED.longs(SEED),
            Verdict.WEAK,
            "places in blocks",
            "independent positions",
            FLAT),
        bad(
            BadStrategies.twoRounds(32, 32),
            "doubled numbers",
            KeySource.DOUBLED.longs(SEED),
            Verdict.WEAK,
            "places in blocks",
            "independent positions",
            FLAT),
        badOnlyFor(
            BadStrategies.twoRounds(29, 32),
            "row numbers",
            KeySource.SEQUENTIAL.longs(SEED),
            Verdict.WEAK,
            "positions",
            "places in blocks",
            "avalanche"));
  }

  @TestFactory
  Stream<DynamicTest> oneBadBitIsFound() {
    LongFunction<Long> rows = KeySource.SEQUENTIAL.longs(SEED);
    return Stream.of(
        bad(BadStrategies.deadBit(0), "row numbers", rows, Verdict.WEAK, "bits", "avalanche"),
        bad(BadStrategies.deadBit(20), "row numbers", rows, Verdict.WEAK, "bits", "avalanche"),
        bad(BadStrategies.deadBit(63), "row numbers", rows, Verdict.UNFIT, "bits", BLOCKED),
        badOnlyFor(BadStrategies.biasedBit(31), "row numbers", rows, Verdict.WEAK, "bits"),
        bad(BadStrategies.biasedBit(63), "row numbers", rows, Verdict.WEAK, "bits"),
        badOnlyFor(BadStrategies.boundBits(), "row numbers", rows, Verdict.WEAK, "pairs of bits"));
  }

  @TestFactory
  Stream<DynamicTest> strategiesThatBreakAPromiseAreUnfit() {
    return Stream.of(
        bad(
            BadStrategies.counting(),
            "row numbers",
            KeySource.SEQUENTIAL.longs(SEED),
            Verdict.UNFIT,
            "deterministic"),
        bad(
            BadStrategies.sharedBuffer(),
            "urls",
            KeySource.URLS.texts(SEED),
            Verdict.UNFIT,
            "deterministic"),
        bad(
            BadStrategies.identityHashCode(),
            "uuids",
            KeySource.UUIDS.uuids(SEED),
            Verdict.UNFIT,
            "equal elements"),
        badOnlyFor(
            BadStrategies.nullIsHashed(),
            "urls",
            KeySource.URLS.texts(SEED),
            Verdict.UNFIT,
            "null refused"));
  }

  /** A hash is judged on keys: these are hashes already. */
  @Test
  void identityIsFitForRandomNumbers() {
    ExaminationReport report =
        HashStrategyExamination.of(BadStrategies.identity())
            .elements(KeySource.RANDOM.longs(SEED))
            .run();
    report.assertFit();
    assertTrue(
        report.skipped().stream().anyMatch(reason -> reason.contains("random")),
        () -> report.skipped().toString());
  }
}
