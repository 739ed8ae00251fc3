package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.internal.ContractSeeds;
import io.bloomkit.testkit.keys.KeySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HashStrategyExaminationTest {

  private static ExaminationReport examineRows(int keys) {
    return HashStrategyExamination.of(HashStrategies.longs())
        .elements(KeySource.SEQUENTIAL.longs(1))
        .keys(keys)
        .run();
  }

  @Test
  void aFitStrategyIsFitByEveryTestAndEveryTestHasItsPower() {
    ExaminationReport report = examineRows(HashStrategyExamination.DEFAULT_KEYS);
    report.assertFit();
    assertEquals(Verdict.FIT, report.verdict());
    assertEquals(0, report.keysStillNeeded());
    assertEquals(262_144, report.keys());
    assertEquals(List.of(), report.findings());
    assertEquals(List.of(), report.skipped());
    assertEquals(
        List.of(
            "deterministic",
            "equal elements",
            "null refused",
            "collisions",
            "halves",
            "bits",
            "pairs of bits",
            "positions",
            "places in blocks",
            "independent positions",
            "avalanche",
            "bit independence",
            "rate in a model of flat filters",
            "rate in a model of blocked filters"),
        report.tests().stream().map(ExaminationTest::name).toList());
    for (ExaminationTest test : report.tests()) {
      assertTrue(test.passed() && test.power() >= 0.99, test::toString);
      assertTrue(test.pValue() >= test.alpha() && test.pValue() <= 1, test::toString);
      assertFalse(test.meaning().isEmpty() || test.source().isEmpty(), test::toString);
    }
    // Half of it is a reserve.
    double sum = report.tests().stream().mapToDouble(ExaminationTest::alpha).sum();
    assertEquals(HashStrategyExamination.ALPHA / 2, sum, 1e-15);
  }

  @Test
  @Tag("deep")
  void asManyKeysAsAreSaidToBeNeededAreEnough() {
    ExaminationReport few = examineRows(50_000);
    assertEquals(Verdict.INCONCLUSIVE, few.verdict());
    assertTrue(few.summary().contains("more are needed"), few::summary);
    assertThrows(AssertionError.class, few::assertFit);
    ExaminationReport enough = examineRows(Math.toIntExact(50_000 + few.keysStillNeeded()));
    assertEquals(Verdict.FIT, enough.verdict(), enough::toString);
    ExaminationReport nearly = examineRows(Math.toIntExact(30_000 + few.keysStillNeeded()));
    assertEquals(Verdict.INCONCLUSIVE, nearly.verdict(), nearly::toString);
  }

  private static HashStrategyExamination<String> examinationOfTexts(
      HashStrategy<? super String> strategy) {
    return HashStrategyExamination.<String>of(strategy)
        .elements(i -> i + "-" + "x".repeat((int) (i * 31 % 41)));
  }

  @Tag("deep")
  @Test
  void textsOfVaryingLengthAreEnoughInTheNumberNamed() {
    HashStrategyExamination<String> examination = examinationOfTexts(HashStrategies.utf8());
    examination.keys(keysNamedFor(examination)).run().assertFit();
  }

  @Tag("campaign")
  @Test
  void textsOfVaryingLengthAreEnoughInAnyNumberAboveTheNamedOne() {
    HashStrategyExamination<String> examination = examinationOfTexts(HashStrategies.utf8());
    for (int keys :
        new int[] {
          keysNamedFor(examination),
          HashStrategyExamination.DEFAULT_KEYS,
          4 * HashStrategyExamination.DEFAULT_KEYS
        }) {
      examination.keys(keys).run().assertFit();
    }
  }

  private static int keysNamedFor(HashStrategyExamination<String> examination) {
    ExaminationReport few = examination.keys(50_000).run();
    assertEquals(Verdict.INCONCLUSIVE, few.verdict(), few::toString);
    return Math.toIntExact(50_000 + few.keysStillNeeded());
  }

  @Tag("deep")
  @Test
  void weakHashesOfTextsOfVaryingLengthAreFound() {
    for (HashStrategy<? super String> strategy :
        List.of(BadStrategies.thirtyOne(), BadStrategies.stringHashCode())) {
      ExaminationReport report = examinationOfTexts(strategy).run();
      assertEquals(Verdict.UNFIT, report.verdict(), report::toString);
      assertTrue(
          report.findings().stream().anyMatch(test -> test.name().equals("avalanche")),
          report::toString);
    }
  }

  /** One in a hundred keys, and half of these have half of the bits. */
  private static final KeyBits<Long> RARE_BITS =
      new KeyBits<>() {
        @Override
        public int count(Long key) {
          int half = key % 200 == 0 ? 1 : 2;
          return key % 100 == 0 ? Long.SIZE / half : 0;
        }

        @Override
        public Long flip(Long key, int bit) {
          return key ^ 1L << bit;
        }
      };

  @Tag("deep")
  @Test
  void asManyKeysAsAreSaidToBeNeededHaveEnoughBitsToFlip() {
    HashStrategyExamination<Long> examination =
        HashStrategyExamination.<Long>of(HashStrategies.longs())
            .elements(KeySource.SEQUENTIAL.longs(1))
            .flippingBits(RARE_BITS);
    ExaminationReport few = examination.run();
    assertEquals(Verdict.INCONCLUSIVE, few.verdict(), few::toString);
    assertTrue(few.keysStillNeeded() > few.keys(), few::summary);
    examination.keys(Math.toIntExact(few.keys() + few.keysStillNeeded())).run().assertFit();
  }

  /** Flips of the lowest bit are always the same; each pair of dense keys counts once. */
  @Test
  @Tag("deep")
  void theLowestBitOfDenseKeysIsJudgedInAnyNumberOfThem() {
    for (int keys : new int[] {3000, 4096, 4097, 4200, 4700, 5100, 5300, 8192, 8193}) {
      ExaminationReport report =
          HashStrategyExamination.<Long>of(BadStrategies.sameFlipsOfTheLowestBit())
              .elements(i -> i)
              .keys(keys)
              .run();
      assertTrue(
          report.findings().stream()
              .anyMatch(test -> test.name().equals("avalanche") && test.verdict() == Verdict.WEAK),
          report::toString);
    }
  }

  @Test
  void fewKeysAreInconclusive() {
    for (int keys : new int[] {2, 3, 17, 100, 1000}) {
      ExaminationReport report = examineRows(keys);
      assertEquals(Verdict.INCONCLUSIVE, report.verdict(), report::toString);
      assertEquals(keys, report.keys());
    }
  }

  @Test
  void badStrategiesAreFoundWithFewKeysToo() {
    ExaminationReport report =
        HashStrategyExamination.of(BadStrategies.constant())
            .elements(KeySource.SEQUENTIAL.longs(1))
            .keys(100)
            .run();
    assertEquals(Verdict.UNFIT, report.verdict(), report::toString);
  }

  @Test
  void theSameSeedGivesTheSameReport() {
    HashStrategyExamination<Long> examination =
        HashStrategyExamination.<Long>of(HashStrategies.longs())
            .elements(KeySource.IDS.longs(1))
            .keys(20_000)
            .seed(7);
    ExaminationReport first = examination.run();
    assertEquals(7, first.seed());
    assertEquals(first.tests(), examination.run().tests());
    assertFalse(first.tests().equals(examination.seed(8).run().tests()));
  }

  @Test
  void keysOfOnesOwnAreReadOnceAndRepeatedOnesAreLeftOut() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      lines.add("line " + i % 2000);
    }
    ExaminationReport report =
        HashStrategyExamination.of(HashStrategies.utf8()).elements(lines).run();
    assertEquals(2000, report.keys());
    assertEquals(Verdict.INCONCLUSIVE, report.verdict());
  }

  @Test
  void endlessKeysAreReadAsFarAsTheyAreNeeded() {
    Iterable<Integer> endless = () -> IntStream.iterate(0, i -> i + 1).iterator();
    ExaminationReport report =
        HashStrategyExamination.of(HashStrategies.ints()).elements(endless).keys(1000).run();
    assertEquals(1000, report.keys());
  }

  @Test
  void arraysAreComparedByTheirBytes() {
    List<byte[]> twice = List.of(new byte[] {1}, new byte[] {2}, new byte[] {1});
    assertEquals(
        2, HashStrategyExamination.of(HashStrategies.bytes()).elements(twice).run().keys());
  }

  private record Point(int x, int y) {}

  @Test
  void skippedTestsOfCustomElementsAreReported() {
    HashStrategy<Point> strategy =
        HashStrategies.<Point>composite().longField("x", Point::x).longField("y", Point::y).build();
    List<Point> points = IntStream.range(0, 5000).mapToObj(i -> new Point(i, -i)).toList();
    List<String> skipped = HashStrategyExamination.of(strategy).elements(points).run().skipped();
    assertTrue(skipped.stream().anyMatch(r -> r.startsWith("equal elements")), skipped::toString);
    assertTrue(skipped.stream().anyMatch(r -> r.startsWith("avalanche")), skipped::toString);
    List<String> ofFunction =
        HashStrategyExamination.<Point>of(strategy)
            .elements(i -> new Point((int) i, 0))
            .keys(5000)
            .run()
            .skipped();
    assertTrue(
        ofFunction.stream().noneMatch(r -> r.startsWith("equal elements")), ofFunction::toString);
    List<String> ofSameObjects =
        HashStrategyExamination.<Point>of(strategy)
            .elements(i -> points.get((int) i))
            .keys(5000)
            .run()
            .skipped();
    assertTrue(
        ofSameObjects.stream().anyMatch(r -> r.startsWith("equal elements")),
        ofSameObjects::toString);
  }

  @Test
  void theListenerHearsOfEveryStepInOrder() {
    List<Integer> numbers = new ArrayList<>();
    List<Integer> steps = new ArrayList<>();
    HashStrategyExamination.of(HashStrategies.longs())
        .elements(KeySource.RANDOM.longs(1))
        .keys(1000)
        .filters(List.of())
        .listener(
            (step, number, of) -> {
              numbers.add(number);
              steps.add(of);
            })
        .run();
    assertEquals(List.of(1, 2, 3, 4, 5, 6), numbers);
    assertEquals(List.of(6, 6, 6, 6, 6, 6), steps);
  }

  @Test
  void figuresAreThereToDraw() {
    HashFigures figures = examineRows(10_000).figures();
    assertEquals(HashFigures.RANGES, figures.keysPerRange().size());
    assertEquals(10_000, figures.keysPerRange().stream().mapToInt(Integer::intValue).sum());
    assertEquals(64, figures.flipShares().size());
    for (List<Double> shares : figures.flipShares()) {
      assertEquals(64, shares.size());
      shares.forEach(share -> assertEquals(0.5, share, 0.1));
    }
  }

  @Test
  void speedIsMeasured() {
    HashSpeed speed = examineRows(1000).speed();
    assertTrue(speed.nanosPerHash() > 0, speed::toString);
    assertTrue(speed.bytesPerHash() < 1, speed::toString);
    HashSpeed allocating =
        HashStrategyExamination.of(
                HashStrategy.of("copies", (byte[] key) -> HashStrategies.bytes().hash(key.clone())))
            .elements(KeySource.SPARSE.bytes(1))
            .keys(1000)
            .run()
            .speed();
    assertTrue(allocating.bytesPerHash() >= 64, allocating::toString);
  }

  @Test
  void mistakesAreRefused() {
    assertThrows(
        IllegalStateException.class,
        () -> HashStrategyExamination.of(HashStrategies.longs()).run());
    for (int keys : new int[] {Integer.MIN_VALUE, 0, 1, (1 << 24) + 1}) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> examineRows(keys));
      assertTrue(String.valueOf(refusal.getMessage()).contains(Integer.toString(keys)));
    }
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                HashStrategyExamination.of(HashStrategies.utf8())
                    .elements(List.of("a", "a"))
                    .run());
    assertTrue(String.valueOf(refusal.getMessage()).contains(", got 1"));
  }

  @Test
  void elementForWhichTheStrategyThrowsIsNamed() {
    HashStrategy<Integer> throwing = HashStrategy.of("quotient/1", (Integer key) -> 7 / (key - 77));
    IllegalArgumentException refusal = refusalOf(throwing, IntStream.range(0, 100).boxed());
    assertEquals(
        "strategy quotient/1 throws for 77: java.lang.ArithmeticException: / by zero",
        refusal.getMessage());
    assertInstanceOf(ArithmeticException.class, refusal.getCause());
  }

  /** Flipping the bit above leads out of what the strategy takes. */
  @Test
  void elementWithABitFlippedForWhichTheStrategyThrowsIsNamed() {
    HashStrategy<Integer> throwing =
        HashStrategy.of("below/1", (Integer key) -> Objects.checkIndex(key, 1024));
    String message = refusalOf(throwing, IntStream.range(0, 1000).boxed()).toString();
    assertTrue(
        message.contains("strategy below/1 throws for ") && message.contains("1024"), message);
  }

  private static IllegalArgumentException refusalOf(
      HashStrategy<Integer> strategy, Stream<Integer> elements) {
    return assertThrows(
        IllegalArgumentException.class,
        () -> HashStrategyExamination.of(strategy).elements(elements.toList()).run());
  }

  /** Random keys of a random size: nothing is thrown, whatever the number. */
  @Tag("deep")
  @Test
  void anyNumberOfKeysWillDo() {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    for (int i = 0; i < 20; i++) {
      int keys = 2 + random.nextInt(3000);
      List<byte[]> elements =
          random.ints(keys, 0, 40).mapToObj(length -> bytes(random, length)).toList();
      Verdict verdict =
          HashStrategyExamination.of(HashStrategies.bytes()).elements(elements).run().verdict();
      assertEquals(Verdict.INCONCLUSIVE, verdict, keys + " keys");
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }
}
