package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.internal.ContractSeeds;
import io.bloomkit.testkit.keys.KeySource;
import io.bloomkit.testkit.stat.MultipleTestResult;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Deep
class AvalancheTestsTest {

  private static <T> AvalancheTests<T> ask(
      HashStrategy<? super T> strategy, LongFunction<? extends T> keys) {
    KeyReader<T> reader = KeyReader.of(keys);
    KeySample<T> sample =
        new KeySample<>(strategy, reader.read(1 << 14), reader, null, ContractSeeds.HISTORY);
    sample.hashAll();
    return new AvalancheTests<>(sample);
  }

  /**
   * Why independence is tested of positions: of consecutive UUIDs, XXH3 flips just one of its bits
   * 1 and 33 in some 90 % of keys when a certain bit is flipped, since its last step xors the upper
   * half into the lower. An ideal hash would be 50 standard deviations away. Positions do not show
   * it.
   */
  @Test
  void twoBitsOfXxh3AreBoundInSimilarKeysAndNoPositionShowsIt() {
    HashStrategy<UUID> strategy = HashStrategies.uuids();
    int keys = 4096;
    long[] differences = new long[keys];
    for (int i = 0; i < keys; i++) {
      differences[i] = strategy.hash(new UUID(0, i)) ^ strategy.hash(new UUID(0, i ^ 1L << 43));
    }
    int one = new BitColumns(differences, keys).differences(1, 33);
    assertTrue(Math.abs(one - keys / 2) > 0.3 * keys, "just one of the two flips: " + one);
    MultipleTestResult result =
        ask(strategy, KeySource.SEQUENTIAL.uuids(1)).bitIndependence(ExaminationRun.ALPHA);
    assertTrue(result.pValue() >= ExaminationRun.ALPHA, result::toString);
  }

  @Test
  void everyBitOfAKeyIsFlippedAndShown() {
    assertEquals(64, ask(HashStrategies.longs(), KeySource.SEQUENTIAL.longs(1)).shares().size());
    // Seven bits of each of twelve digits.
    assertEquals(84, ask(HashStrategies.utf8(), KeySource.IDS.texts(1)).shares().size());
    assertEquals(256, ask(HashStrategies.bytes(), KeySource.SPARSE.bytes(1)).shares().size());
  }

  /** Both ends of a pair are in the sample; it counts once, or its flips would be told twice. */
  @Test
  void aPairOfKeysIsLookedAtOnce() {
    LongFunction<Long> few = KeySource.SEQUENTIAL.fromLongs(1, n -> n % 1024);
    MultipleTestResult result = ask(HashStrategies.longs(), few).avalanche(1e-7);
    assertTrue(result.sampleSize() <= 1024, result::toString);
    List<List<Double>> shares = ask(BadStrategies.identity(), few).shares();
    assertEquals(1.0, shares.get(0).get(0));
  }

  @Test
  void keysThatAreCoinFlipsAreKnown() {
    assertTrue(
        ask(HashStrategies.longs(), KeySource.RANDOM.longs(1)).hasNoSimilarKeys(), "random longs");
    assertTrue(ask(HashStrategies.uuids(), KeySource.UUIDS.uuids(1)).hasNoSimilarKeys(), "UUIDs");
    assertTrue(ask(HashStrategies.bytes(), KeySource.UUIDS.bytes(1)).hasNoSimilarKeys(), "bytes");
    for (KeySource source :
        List.of(
            KeySource.SEQUENTIAL,
            KeySource.IDS,
            KeySource.TIMESTAMPS,
            KeySource.SPARSE,
            KeySource.LOW_ENTROPY)) {
      assertFalse(ask(HashStrategies.longs(), source.longs(1)).hasNoSimilarKeys(), source.label());
    }
    assertFalse(
        ask(HashStrategies.utf8(), KeySource.RANDOM.texts(1)).hasNoSimilarKeys(), "letters");
  }

  private static final int FAMILIES = 8;

  /** How long the text of an index is, in one of 40 ways. */
  private static int length(int family, int scale, long index) {
    SplittableRandom random = new SplittableRandom(31 * index + scale);
    return switch (family) {
      case 0 -> (int) (index * 31 % (8 * scale + 1));
      case 1 -> Integer.numberOfTrailingZeros(random.nextInt() | 1 << 30) * scale;
      case 2 -> index % 100 == 0 ? 50 * scale : scale;
      case 3 -> (int) (Math.sqrt(random.nextDouble()) * 20 * scale);
      case 4 -> (int) (-Math.log(1 - random.nextDouble()) * 6 * scale);
      case 5 -> index == 77 ? 20_000 * scale : random.nextInt(10 * scale);
      case 6 -> (int) Math.min(3000, Math.pow(1 - random.nextDouble(), -0.5 * scale));
      default -> random.nextInt(4) == 0 ? 0 : 2 * scale + random.nextInt(12);
    };
  }

  @Test
  void flipsOfTextsOfManyLengthsTellTheFaultAndFindNone() {
    for (int family = 0; family < FAMILIES; family++) {
      assertTellTheFaultAndFindNone(family, 1);
    }
  }

  @Tag("campaign")
  @Test
  void flipsOfTextsOfAnyLengthsTellTheFaultAndFindNone() {
    for (int family = 0; family < FAMILIES; family++) {
      for (int scale = 1; scale <= 5; scale++) {
        assertTellTheFaultAndFindNone(family, scale);
      }
    }
  }

  private static void assertTellTheFaultAndFindNone(int family, int scale) {
    AvalancheTests<String> queried =
        ask(HashStrategies.utf8(), i -> i + "-" + "x".repeat(length(family, scale, i)));
    String name = "family " + family + ", scale " + scale + ": ";
    for (MultipleTestResult result :
        List.of(
            queried.avalanche(ExaminationRun.ALPHA),
            queried.bitIndependence(ExaminationRun.ALPHA))) {
      assertTrue(result.pValue() >= ExaminationRun.ALPHA, () -> name + result);
      assertTrue(result.power() >= HashStrategyExamination.POWER, () -> name + result);
    }
  }

  /** One in five texts has the bits that this strategy does not look at. */
  @Test
  void bitsThatFewKeysHaveAreFlippedInThose() {
    HashStrategy<String> firstThirty =
        HashStrategy.of(
            "first 30 chars and length",
            text ->
                HashStrategies.utf8().hash(text.substring(0, Math.min(30, text.length())))
                    + HashStrategies.longs().hashLong(text.length()));
    MultipleTestResult result =
        ask(firstThirty, i -> (100_000 + i) + "-" + "x".repeat((int) (i % 30)))
            .avalanche(ExaminationRun.ALPHA);
    assertTrue(result.pValue() < ExaminationRun.ALPHA, result::toString);
    assertEquals(0, result.statistic());
  }

  /** Dense keys below 3,000 have a second bit, their lowest: there are 1,500 pairs. */
  private static final KeyBits<Long> BIT_OF_DENSE_KEYS =
      new KeyBits<>() {
        @Override
        public int count(Long key) {
          return key < 3000 ? 2 : 1;
        }

        @Override
        public Long flip(Long key, int bit) {
          return bit == 0 ? key ^ 1L << 40 : key ^ 1;
        }
      };

  /** It is judged, but more keys would not give it more pairs: the power is that of the others. */
  @Test
  void aBitOfFewDenseKeysIsJudgedAndDoesNotAskForMoreKeys() {
    for (boolean good : new boolean[] {true, false}) {
      KeyReader<Long> reader = KeyReader.of(i -> i);
      KeySample<Long> sample =
          new KeySample<>(
              good ? HashStrategies.longs() : BadStrategies.sameFlipsOfTheLowestBit(),
              reader.read(1 << 14),
              reader,
              BIT_OF_DENSE_KEYS,
              ContractSeeds.HISTORY);
      sample.hashAll();
      AvalancheTests<Long> queried = new AvalancheTests<>(sample);
      assertEquals(2, queried.shares().size());
      MultipleTestResult result = queried.avalanche(ExaminationRun.ALPHA);
      assertEquals(good, result.pValue() >= ExaminationRun.ALPHA, result::toString);
      assertTrue(result.power() >= HashStrategyExamination.POWER, result::toString);
      assertTrue(queried.keysNeeded() <= sample.size(), () -> "keys: " + queried.keysNeeded());
    }
  }

  /** The longest of few keys do not decide which bits are looked at. */
  @Test
  void bitsOfFewKeysAreThoseThatHalfOfThemHave() {
    KeyReader<String> reader =
        KeyReader.of(i -> (1000 + i) + "x".repeat(i == 5 ? 10_000 : (int) (i % 3)));
    KeySample<String> sample =
        new KeySample<>(HashStrategies.utf8(), reader.read(900), reader, null, 1);
    sample.hashAll();
    // Seven bits of each of four digits and one letter.
    assertEquals(35, new AvalancheTests<>(sample).shares().size());
  }
}
