package io.bloomkit.classic;

import static io.bloomkit.testkit.internal.ConcurrentRunner.runAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.internal.IndexDerivation;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/**
 * The promise to several threads, model checked: small races in which elements share a bit and all
 * bits a word; Lincheck chooses where their threads take turns. The promise is the specification,
 * not linearizability: an element's bits may be seen one before the other.
 *
 * <p>Lincheck assumes sequential consistency: it finds what a wrong order of steps breaks, not what
 * a missing barrier does. And it tries some orders of a race, not all there are: that these suffice
 * to find the errors of this kind is shown on filters that have them.
 */
class ClassicBloomFilterLincheckTest {

  private static final int ORDERS = Integer.getInteger("bloomkit.orders", 100);

  private static final FlatShape SHAPE = new FlatShape(4, 2);

  private static final long X = hashOf(0, 1);
  private static final long Y = hashOf(1, 2);

  private static final BlockedShape WORDS = new BlockedShape(2, 512, 2);
  private static final BlockedShape QUARTERS = new BlockedShape(2, 128, 2);

  private static final long WORDS_X = hashInBlock(WORDS, 0, 1);
  private static final long WORDS_Y = hashInBlock(WORDS, 1, 2);
  private static final long QUARTERS_X = hashInBlock(QUARTERS, 0, 1);
  private static final long QUARTERS_Y = hashInBlock(QUARTERS, 1, 2);

  private static final String FALSE_NEGATIVE = "an element that was added is negative";
  private static final String NO_FIRST = "none of two first additions returned true";
  private static final String BITS = "not the bits of any order";

  private static long hashOf(int first, int second) {
    SplittableRandom random = new SplittableRandom(1);
    while (true) {
      long hash = random.nextLong();
      if (first(hash) == first && second(hash) == second) {
        return hash;
      }
    }
  }

  /** A hash that takes bit i of word 4 + i, for i the first number and then the second. */
  private static long hashInBlock(BlockedShape shape, int first, int second) {
    SplittableRandom random = new SplittableRandom(1);
    while (true) {
      long hash = random.nextLong();
      if (shape.positionOf(hash, 0) == bitOfWord(shape.positionsPerWord(), first)
          && shape.positionOf(hash, 1) == bitOfWord(shape.positionsPerWord(), second)) {
        return hash;
      }
    }
  }

  private static int bitOfWord(int perWord, int bit) {
    return (4 + bit) * perWord + bit;
  }

  private static int first(long hash) {
    return (int) IndexDerivation.position(IndexDerivation.start(hash), SHAPE.positions());
  }

  private static int second(long hash) {
    long state = IndexDerivation.next(IndexDerivation.start(hash));
    return (int) IndexDerivation.position(state, SHAPE.positions());
  }

  /** Promises 1 and 3: an added element is positive at once, and later. */
  private static void allElementsAreStored(RacingBits filter) {
    boolean[] positive =
        runAll(
            () -> {
              filter.add(X);
              return filter.mightContain(X);
            },
            () -> {
              filter.add(Y);
              return filter.mightContain(Y);
            });
    assertTrue(positive[0] && positive[1], FALSE_NEGATIVE);
    assertTrue(filter.isSet(0) && filter.isSet(1) && filter.isSet(2) && !filter.isSet(3), BITS);
    filter.checkFigures(2, 3);
  }

  /** Promise 2. */
  private static void ofTwoFirstAdditionsOneReturnsTrue(RacingBits filter) {
    boolean[] added = runAll(() -> filter.add(X), () -> filter.add(X));
    assertTrue(added[0] || added[1], NO_FIRST);
    filter.checkFigures(2, 2);
  }

  private static void check(Runnable race) {
    Lincheck.runConcurrentTest(ORDERS, race);
  }

  private static void assertCaught(Runnable race, String complaint) {
    Throwable error = assertThrows(Throwable.class, () -> Lincheck.runConcurrentTest(ORDERS, race));
    if (error instanceof IndexOutOfBoundsException
        && Stream.of(error.getStackTrace())
            .anyMatch(f -> f.getClassName().equals(LincheckAssertionError.class.getName()))) {
      return; // it was caught, and Lincheck 3.7 now and then fails to write its report
    }
    assertInstanceOf(LincheckAssertionError.class, error);
    assertTrue(String.valueOf(error.getMessage()).contains(complaint), error::getMessage);
  }

  @Test
  void racingAdditionsLoseNothing() {
    check(() -> allElementsAreStored(new Ours()));
  }

  @Test
  void ofRacingFirstAdditionsOneReturnsTrue() {
    check(() -> ofTwoFirstAdditionsOneReturnsTrue(new Ours()));
  }

  @Test
  void additionsThatAreNotAtomicAreCaught() {
    assertCaught(() -> allElementsAreStored(new LosesBits()), FALSE_NEGATIVE);
  }

  @Test
  void aFirstAdditionThatIsLookedForAfterwardsIsCaught() {
    assertCaught(() -> ofTwoFirstAdditionsOneReturnsTrue(new LooksAfterwards()), NO_FIRST);
  }

  private interface RacingBits {
    boolean add(long hash);

    boolean mightContain(long hash);

    boolean isSet(int position);

    default void checkFigures(long elements, long setPositions) {}
  }

  @Test
  void racingAdditionsToABlockLoseNothing() {
    check(() -> allElementsAreStored(OurBlock.ofWords()));
    check(() -> allElementsAreStored(OurBlock.ofQuarters()));
  }

  @Test
  void ofRacingFirstAdditionsToABlockOneReturnsTrue() {
    check(() -> ofTwoFirstAdditionsOneReturnsTrue(OurBlock.ofWords()));
    check(() -> ofTwoFirstAdditionsOneReturnsTrue(OurBlock.ofQuarters()));
  }

  /** A filter of two blocks, where other hashes stand for X and Y; they share bit 1 of word 5. */
  private static final class OurBlock implements RacingBits {
    private final int perWord;
    private final long x;
    private final long y;
    private final BlockedBloomFilter<Long> filter;

    private OurBlock(BlockedShape shape, long x, long y) {
      this.perWord = shape.positionsPerWord();
      this.x = x;
      this.y = y;
      this.filter =
          BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent().build();
    }

    static OurBlock ofWords() {
      return new OurBlock(WORDS, WORDS_X, WORDS_Y);
    }

    /** Where words 4 to 7 of a block are one of the array. */
    static OurBlock ofQuarters() {
      return new OurBlock(QUARTERS, QUARTERS_X, QUARTERS_Y);
    }

    private long hash(long ofRaces) {
      return ofRaces == X ? x : y;
    }

    @Override
    public boolean add(long hash) {
      return filter.addHash(hash(hash));
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContainHash(hash(hash));
    }

    @Override
    public boolean isSet(int position) {
      int index = bitOfWord(perWord, position);
      return ((filter.toLongArray()[index / 64] >>> index) & 1) != 0;
    }

    @Override
    public void checkFigures(long elements, long setPositions) {
      assertEquals(elements, filter.elementCount().orElseThrow(), "elementCount");
      assertEquals(setPositions, filter.setPositions(), "setPositions");
    }
  }

  private static final class Ours implements RacingBits {
    private final ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build();

    @Override
    public boolean add(long hash) {
      return filter.addHash(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContainHash(hash);
    }

    @Override
    public boolean isSet(int position) {
      return filter.isSet(position);
    }

    @Override
    public void checkFigures(long elements, long setPositions) {
      assertEquals(elements, filter.elementCount().orElseThrow(), "elementCount");
      assertEquals(setPositions, filter.setPositions(), "setPositions");
    }
  }

  /** Reads the word, sets a bit and writes it back, not at once. */
  private static final class LosesBits implements RacingBits {
    private final AtomicIntegerArray word = new AtomicIntegerArray(1);

    @Override
    public boolean add(long hash) {
      boolean firstIsNew = set(first(hash));
      return set(second(hash)) || firstIsNew;
    }

    private boolean set(int position) {
      int before = word.get(0);
      word.set(0, before | 1 << position);
      return (before >>> position & 1) == 0;
    }

    @Override
    public boolean mightContain(long hash) {
      return isSet(first(hash)) && isSet(second(hash));
    }

    @Override
    public boolean isSet(int position) {
      return (word.get(0) >>> position & 1) != 0;
    }
  }

  /** Counts who came to each bit, and answers by what stands there afterwards. */
  private static final class LooksAfterwards implements RacingBits {
    private final AtomicIntegerArray comers = new AtomicIntegerArray(4);

    @Override
    public boolean add(long hash) {
      comers.getAndIncrement(first(hash));
      comers.getAndIncrement(second(hash));
      return comers.get(first(hash)) == 1 || comers.get(second(hash)) == 1;
    }

    @Override
    public boolean mightContain(long hash) {
      return isSet(first(hash)) && isSet(second(hash));
    }

    @Override
    public boolean isSet(int position) {
      return comers.get(position) != 0;
    }
  }
}
