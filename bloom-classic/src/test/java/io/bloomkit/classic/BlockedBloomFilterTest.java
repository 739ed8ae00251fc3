package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BlockedBloomFilterTest {

  private static final BlockedShape BITS = new BlockedShape(4, 512, 6);

  /** That of a filter of counters. */
  private static final BlockedShape QUARTERS = new BlockedShape(12, 128, 4);

  private static final List<BlockedShape> SHAPES = List.of(BITS, QUARTERS);

  private static BlockedBloomFilter<Long> empty(BlockedShape shape) {
    return BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).build();
  }

  private static BlockedBloomFilter<Long> filterOf(BlockedShape shape, long from, long to) {
    BlockedBloomFilter<Long> filter = empty(shape);
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  /** The positions of a hash by its shape, as bits of a plain set. */
  private static BitSet positions(BlockedShape shape, long hash) {
    BitSet positions = new BitSet();
    for (int i = 0; i < shape.hashes(); i++) {
      positions.set((int) shape.positionOf(hash, i));
    }
    return positions;
  }

  @Test
  void bitsAreThoseOfTheShapeAndNoOthers() {
    for (int perBlock : new int[] {512, 128}) {
      for (int hashes = 2; hashes <= BlockedShape.MAX_HASHES; hashes += 2) {
        BlockedShape shape = new BlockedShape(6, perBlock, hashes);
        assertBitsAreThoseOfTheShape(
            shape, BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).build());
        assertBitsAreThoseOfTheShape(
            shape,
            BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent().build());
      }
    }
  }

  private static void assertBitsAreThoseOfTheShape(
      BlockedShape shape, BlockedBloomFilter<Long> filter) {
    SplittableRandom random = new SplittableRandom(1);
    BitSet expected = new BitSet();
    for (int i = 0; i < 40; i++) {
      long hash = random.nextLong();
      BitSet positions = positions(shape, hash);
      BitSet all = (BitSet) expected.clone();
      all.or(positions);
      assertEquals(!all.equals(expected), filter.addHash(hash));
      expected = all;
      assertEquals(expected, BitSet.valueOf(filter.toLongArray()));
    }
    assertEquals(shape.positions() / 64, filter.toLongArray().length);
    assertEquals(expected.cardinality(), filter.setPositions());
    int positive = 0;
    for (int i = 0; i < 3000; i++) {
      long hash = random.nextLong();
      BitSet missing = positions(shape, hash);
      missing.andNot(expected);
      assertEquals(missing.isEmpty(), filter.mightContainHash(hash));
      positive += missing.isEmpty() ? 1 : 0;
    }
    // As many as the state says; of 3,000 six standard deviations (α = 2e-9) and one for rounding.
    double p = filter.expectedFpp();
    assertEquals(3000 * p, positive, 1 + 6 * Math.sqrt(3000 * p * (1 - p)));
  }

  @Test
  void expectedFppIsTheWeightedMeanOverAllPairsOfWordsAndTheRepetitionOfMasks() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter<Long> filter = filterOf(shape, 0, 60);
      BitSet bits = BitSet.valueOf(filter.toLongArray());
      int perWord = shape.positionsPerWord();
      int r = shape.hashes() / 2;
      double sum = 0;
      for (int block = 0; block < shape.blocks(); block++) {
        for (int a = 8 * block; a < 8 * block + 8; a++) {
          for (int b = 8 * block; b < a; b++) {
            int x = bits.get(a * perWord, (a + 1) * perWord).cardinality();
            int y = bits.get(b * perWord, (b + 1) * perWord).cardinality();
            sum += weightOfPair(a ^ b) * allAmong(x, perWord, r) * allAmong(y, perWord, r);
          }
        }
      }
      double estimate =
          BlockedFormulas.estimatedElements(
              filter.setPositions(), shape.blocks(), shape.positionsPerBlock(), shape.hashes());
      long elements = Math.round(estimate);
      double repetition = shape.fpp(elements) - fppOfFreshMasks(shape, elements);
      double expected = sum / shape.blocks() + repetition;
      assertEquals(expected, filter.expectedFpp(), 1e-9 * expected);
      assertEquals(elements, filter.approximateElementCount());
    }
  }

  /** How likely an element takes a pair of words of its block, of which four have a distance. */
  private static double weightOfPair(int distance) {
    return (distance == 1 ? 10 : 9) / 64.0 / 4;
  }

  /** How likely r different positions of a word are all among x given ones. */
  private static double allAmong(int x, int perWord, int r) {
    double all = 1;
    for (int i = 0; i < r; i++) {
      all *= Math.max(0, x - i) / (perWord - (double) i);
    }
    return all;
  }

  /** The rate if an element took any r positions in either word: inclusion and exclusion. */
  private static double fppOfFreshMasks(BlockedShape shape, long elements) {
    int perWord = shape.positionsPerWord();
    int r = shape.hashes() / 2;
    double fpp = 0;
    for (int distance = 1; distance < 8; distance++) {
      double ofPair = weightOfPair(distance);
      for (int i = 0; i <= r; i++) {
        for (int j = 0; j <= r; j++) {
          double missFirst = allAmong(perWord - i, perWord, r);
          double missSecond = allAmong(perWord - j, perWord, r);
          double hitBoth = ofPair * (1 - missFirst * missSecond);
          double hitOne = (0.25 - ofPair) * (2 - missFirst - missSecond);
          double allMiss = Math.pow(1 - (hitBoth + hitOne) / shape.blocks(), (double) elements);
          double sign = (i + j) % 2 == 0 ? 1 : -1;
          fpp += 4 * ofPair * sign * choose(r, i) * choose(r, j) * allMiss;
        }
      }
    }
    return fpp;
  }

  private static double choose(int r, int i) {
    return i == 0 ? 1 : choose(r - 1, i - 1) * r / i;
  }

  /** What many threads do to either is in ConcurrentBlockedBloomFilterTest. */
  @Test
  void aCopyIsAsConcurrentAsTheFilter() {
    BlockedBloomFilter.Builder<Long> builder =
        BlockedBloomFilter.builder(HashStrategies.longs()).shape(BITS);
    assertFalse(builder.build().isConcurrent());
    assertFalse(builder.build().copy().isConcurrent());
    builder.concurrent();
    assertTrue(builder.build().isConcurrent());
    assertTrue(builder.build().copy().isConcurrent());
  }

  /** A cache line has one block of bits or four of a filter of counters. */
  @Test
  void estimateReadsTheLinesItMay() {
    BlockedBloomFilter<Long> bits = filterOf(BITS, 0, 100);
    assertEquals(0, bits.estimate(4).fill().standardError());
    assertTrue(bits.estimate(3).fill().standardError() > 0);
    BlockedBloomFilter<Long> quarters = filterOf(QUARTERS, 0, 100);
    assertEquals(0, quarters.estimate(3).fill().standardError());
    assertTrue(quarters.estimate(2).fill().standardError() > 0);
  }

  @Test
  void mergedFilterEqualsTheFilterOfBoth() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter<Long> merged = filterOf(shape, 0, 30);
      merged.merge(filterOf(shape, 20, 60));
      BlockedBloomFilter<Long> expected = filterOf(shape, 0, 60);
      assertEquals(expected, merged);
      assertEquals(expected.hashCode(), merged.hashCode());
      assertEquals(expected.setPositions(), merged.setPositions());
      assertEquals(expected.expectedFpp(), merged.expectedFpp());
      assertEquals(OptionalLong.of(70), merged.elementCount());
    }
  }

  @Test
  void mergingAFilterWithItselfChangesNoBit() {
    BlockedBloomFilter<Long> filter = filterOf(BITS, 0, 30);
    filter.merge(filter);
    assertEquals(filterOf(BITS, 0, 30), filter);
    assertEquals(OptionalLong.of(60), filter.elementCount());
  }

  @Test
  void elementCountIsUnknownRatherThanWrongWhenItOverflows() {
    BlockedBloomFilter<Long> filter = filterOf(BITS, 0, 1);
    for (int i = 0; i < 63; i++) {
      filter.merge(filter);
    }
    assertEquals(OptionalLong.empty(), filter.elementCount());
    assertEquals(OptionalLong.empty(), filter.copy().elementCount());
    filter.clear();
    assertEquals(OptionalLong.of(0), filter.elementCount());
    BlockedBloomFilter<Long> most =
        BlockedBloomFilter.builder(HashStrategies.longs())
            .shape(BITS)
            .buildFrom(filter.toLongArray(), Long.MAX_VALUE);
    assertEquals(OptionalLong.of(Long.MAX_VALUE), most.elementCount());
    most.add(1L);
    assertEquals(OptionalLong.empty(), most.elementCount());
  }

  @Test
  void intersectionKeepsWhatBothHold() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter<Long> intersection = filterOf(shape, 0, 50);
      BlockedBloomFilter<Long> other = filterOf(shape, 30, 80);
      BitSet expected = BitSet.valueOf(intersection.toLongArray());
      expected.and(BitSet.valueOf(other.toLongArray()));
      double before = Math.min(intersection.expectedFpp(), other.expectedFpp());
      intersection.intersect(other);
      for (long i = 30; i < 50; i++) {
        assertTrue(intersection.mightContain(i));
      }
      assertTrue(intersection.expectedFpp() < before);
      assertEquals(expected, BitSet.valueOf(intersection.toLongArray()));
      assertEquals(OptionalLong.empty(), intersection.elementCount());
      intersection.add(1000L);
      assertEquals(OptionalLong.empty(), intersection.elementCount());
      assertEquals(filterOf(shape, 30, 80), other);
    }
  }

  @Test
  void filtersOfOtherShapesOrStrategiesAreNotMerged() {
    BlockedBloomFilter<Long> filter = filterOf(BITS, 0, 10);
    for (BlockedBloomFilter<Long> other :
        List.<BlockedBloomFilter<Long>>of(
            empty(new BlockedShape(4, 512, 4)),
            empty(new BlockedShape(6, 512, 6)),
            empty(new BlockedShape(16, 128, 6)), // as many bits
            BlockedBloomFilter.builder(HashStrategies.seeded(HashStrategies.longs(), 1))
                .shape(BITS)
                .build())) {
      assertFalse(filter.isCompatible(other));
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> filter.merge(other)).toString();
      boolean isOtherShape = !other.shape().equals(BITS);
      Object different = isOtherShape ? other.shape() : "seeded(longs(rrmxmx),0x1)";
      assertTrue(refusal.contains("other has " + different), refusal);
      assertThrows(IllegalArgumentException.class, () -> filter.intersect(other));
      assertNotEquals(filter, other);
      assertNotEquals(empty(BITS), other);
    }
    assertEquals(filterOf(BITS, 0, 10), filter);
    assertEquals(OptionalLong.of(10), filter.elementCount());
    assertNotEquals(
        (Object)
            ClassicBloomFilter.builder(HashStrategies.longs())
                .shape(new FlatShape(2048, 6))
                .build(),
        empty(BITS));
  }

  @Test
  void aConcurrentFilterEqualsAndMergesWithOneThatIsNot() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter<Long> concurrent =
          BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent().build();
      BlockedBloomFilter<Long> single = filterOf(shape, 0, 0);
      for (long element = 0; element < 45; element++) {
        long addedOrRepeated = element % 30;
        assertEquals(single.add(addedOrRepeated), concurrent.add(addedOrRepeated));
      }
      assertEquals(single, concurrent);
      concurrent.merge(filterOf(shape, 30, 60));
      assertEquals(filterOf(shape, 0, 60), concurrent);
      assertEquals(OptionalLong.of(75), concurrent.elementCount());
      assertEquals(OptionalLong.of(75), concurrent.copy().elementCount());
    }
  }

  @Test
  void copyIsIndependent() {
    BlockedBloomFilter<Long> filter = filterOf(BITS, 0, 10);
    BlockedBloomFilter<Long> copy = filter.copy();
    assertEquals(filter, copy);
    assertEquals(filter.elementCount(), copy.elementCount());
    copy.add(99L);
    assertNotEquals(filter, copy);
    assertEquals(filterOf(BITS, 0, 10), filter);
    assertEquals(OptionalLong.of(10), filter.elementCount());
  }

  @Test
  void filtersOfOneStrategyAndShapeAreCompatible() {
    for (BlockedShape shape : SHAPES) {
      assertTrue(filterOf(shape, 0, 10).isCompatible(filterOf(shape, 5, 6)));
    }
  }

  @Test
  void itsTextIsForLogs() {
    assertEquals(
        "BlockedBloomFilter[blocks=4, positionsPerBlock=512, hashes=6, elements=0, strategy="
            + HashStrategies.longs().id()
            + "]",
        empty(BITS).toString());
  }

  @Test
  void bytesAreKnownBeforeTheFilterIsBuilt() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter.Builder<Long> builder =
          BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape);
      assertEquals(builder.build().memoryBytes(), builder.memoryBytes());
    }
    assertThrows(
        IllegalStateException.class,
        () -> BlockedBloomFilter.builder(HashStrategies.longs()).memoryBytes());
  }

  @Test
  void aFilterFromBitsMayHoldNothing() {
    BlockedBloomFilter<Long> filter =
        BlockedBloomFilter.builder(HashStrategies.longs()).shape(BITS).buildFrom(new long[32], 0);
    assertEquals(empty(BITS), filter);
    assertEquals(OptionalLong.of(0), filter.elementCount());
  }

  @Test
  void filterBuiltFromItsBitsEqualsIt() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter<Long> filter = filterOf(shape, 0, 40);
      BlockedBloomFilter.Builder<Long> builder =
          BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape);
      BlockedBloomFilter<Long> rebuilt = builder.buildFrom(filter.toLongArray(), 40);
      assertEquals(filter, rebuilt);
      assertEquals(OptionalLong.of(40), rebuilt.elementCount());
      for (long i = 0; i < 1000; i++) {
        assertEquals(filter.mightContain(i), rebuilt.mightContain(i));
      }
      assertEquals(
          OptionalLong.empty(), builder.<Long>buildFrom(filter.toLongArray()).elementCount());
      long[] given = filter.toLongArray();
      BlockedBloomFilter<Long> fromGiven = builder.buildFrom(given);
      Arrays.fill(given, 0);
      assertEquals(filter, fromGiven, "the array is copied");
      Arrays.fill(filter.toLongArray(), 0);
      assertEquals(filterOf(shape, 0, 40), filter, "a copy is handed out");
    }
  }

  @Test
  void bitsThatDoNotFitAreRefused() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter.Builder<Long> builder =
          BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape);
      int words = (int) (shape.positions() / 64);
      for (int wrong : new int[] {0, words - 1, words + 1, words + 6}) {
        String refusal =
            assertThrows(IllegalArgumentException.class, () -> builder.buildFrom(new long[wrong]))
                .toString();
        assertTrue(refusal.contains(words + " elements") && refusal.endsWith(" " + wrong), refusal);
      }
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> builder.buildFrom(new long[words], -1))
              .toString();
      assertTrue(refusal.contains("elementCount") && refusal.contains("-1"), refusal);
    }
    assertThrows(
        IllegalStateException.class,
        () -> BlockedBloomFilter.builder(HashStrategies.longs()).buildFrom(new long[32]));
  }

  @Test
  void batchesEqualSingleOperations() {
    for (BlockedShape shape : SHAPES) {
      for (int length : new int[] {0, 1, 127, 128, 129, 255, 256, 257, 400}) {
        assertBatchEqualsSingleOperations(empty(shape), empty(shape), length);
        BlockedBloomFilter.Builder<Long> concurrent =
            BlockedBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent();
        assertBatchEqualsSingleOperations(concurrent.build(), concurrent.build(), length);
      }
    }
  }

  private static void assertBatchEqualsSingleOperations(
      BlockedBloomFilter<Long> single, BlockedBloomFilter<Long> batch, int length) {
    long[] hashes = new SplittableRandom(length).longs(length + 7L).toArray();
    for (int i = 3; i < hashes.length; i += 5) {
      hashes[i] = hashes[i / 2]; // some come twice
    }
    long added = 0;
    for (int i = 3; i < 3 + length; i++) {
      added += single.addHash(hashes[i]) ? 1 : 0;
    }
    assertEquals(added, batch.addHashes(hashes, 3, length));
    assertEquals(single, batch);
    assertEquals(OptionalLong.of(length), batch.elementCount());

    boolean[] answers = new boolean[hashes.length];
    Arrays.fill(answers, 0, 3, true);
    boolean[] expected = answers.clone();
    int positive = 0;
    for (int i = 3; i < 3 + length; i++) {
      hashes[i] += (i % 3) * 0x123456789abcdefL; // some that are not there
      expected[i] = single.mightContainHash(hashes[i]);
      positive += expected[i] ? 1 : 0;
    }
    assertEquals(positive, batch.mightContainHashes(hashes, 3, length, answers));
    assertArrayEquals(expected, answers);
  }

  @Test
  void atMostTenPointTwoBitsPerElementAtOnePercent() {
    for (long n : new long[] {10_000, 100_000, 1_000_000}) {
      BlockedBloomFilter<Long> filter = BlockedBloomFilter.create(HashStrategies.longs(), n, 0.01);
      double bits = filter.memoryBytes() * 8.0 / n;
      assertTrue(bits <= 10.2, () -> bits + " bits per element of " + n);
    }
  }

  @Test
  void filterWithEveryBitSetSaysSo() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter<Long> filter = filterOf(shape, 0, 20_000);
      assertEquals(shape.positions(), filter.setPositions());
      assertEquals(1, filter.expectedFpp());
      assertEquals(Long.MAX_VALUE, filter.approximateElementCount());
    }
  }

  @Test
  void filterOfASupertypesStrategyHoldsSubtypes() {
    BlockedBloomFilter<String> strings =
        BlockedBloomFilter.builder(HashStrategies.utf8()).expecting(100, 0.01).build();
    BlockedBloomFilter<CharSequence> texts =
        BlockedBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    strings.add("a");
    texts.merge(strings);
    assertTrue(texts.mightContain(CharBuffer.wrap("a")));
  }

  @Test
  void badSizesAreRefusedBeforeAnythingIsAllocated() {
    HashStrategy<Long> longs = HashStrategies.longs();
    BlockedBloomFilter.Builder<Long> builder = BlockedBloomFilter.builder(longs);
    // An array holds six words and 268,435,454 blocks of bits.
    BlockedShape tooLarge = new BlockedShape(268_435_456, 512, 6);
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> builder.shape(tooLarge)).toString();
    assertTrue(refusal.contains("137438952512") && refusal.contains("268435456"), refusal);
    builder.shape(new BlockedShape(268_435_454, 512, 6)); // is not refused
    String tooMany =
        assertThrows(
                IllegalArgumentException.class,
                () -> BlockedBloomFilter.create(longs, 1L << 40, 0.01))
            .toString();
    assertTrue(
        tooMany.contains("expectedInsertions") && tooMany.contains("1099511627776"), tooMany);
    assertThrows(IllegalStateException.class, () -> BlockedBloomFilter.builder(longs).build());
  }

  @Test
  @SuppressWarnings("NullAway") // what happens to those who pass null
  void missingStrategyIsRefused() {
    NullPointerException e =
        assertThrows(NullPointerException.class, () -> BlockedBloomFilter.create(null, 10, 0.01));
    assertTrue(e.toString().contains("strategy"), e.toString());
  }

  @Test
  @Tag("large")
  void blocksAboveTwoToThe32BitsAreUsedAndFound() {
    BlockedShape large = new BlockedShape((1L << 23) + (1L << 18), 512, 6);
    BlockedBloomFilter<Long> filter = empty(large);
    assertTrue(filter.memoryBytes() > 512 << 20);
    SplittableRandom random = new SplittableRandom(32);
    long[] hashes = random.longs(20_000).toArray();
    int above = 0;
    for (long hash : hashes) {
      assertTrue(filter.addHash(hash));
      above += large.positionOf(hash, 0) >= 1L << 32 ? 1 : 0;
    }
    // Of 20,000 elements 1/33 lie above: mean 606, standard deviation 24.
    assertTrue(above > 460 && above < 750, "elements above 2^32 bits: " + above);
    for (long hash : hashes) {
      assertTrue(filter.mightContainHash(hash));
    }
    for (int i = 0; i < 100_000; i++) {
      assertFalse(filter.mightContainHash(random.nextLong()), "the rate is below 1e-9");
    }
    // A block above 2^32 bits is filled; the one that an int would make of it stays as it was.
    long block = (1L << 23) + 12_345;
    for (int i = 0; i < 3000; i++) {
      filter.addHash(hashIn(block, large, random));
    }
    int positive = 0;
    int positiveBelow = 0;
    for (int i = 0; i < 1000; i++) {
      positive += filter.mightContainHash(hashIn(block, large, random)) ? 1 : 0;
      long below = hashIn(block - (1L << 23), large, random);
      positiveBelow += filter.mightContainHash(below) ? 1 : 0;
    }
    assertEquals(1000, positive);
    assertEquals(0, positiveBelow);
  }

  /** A hash of a block, which its highest bits choose, read as a signed number. */
  private static long hashIn(long block, BlockedShape shape, SplittableRandom random) {
    double share = (block + 0.25 + random.nextDouble() / 2) / shape.blocks() - 0.5;
    long hash = ((long) (share * 0x1p53) << 11) + random.nextInt(1 << 11);
    assertEquals(block, shape.positionOf(hash, 0) / shape.positionsPerBlock());
    return hash;
  }

  @Test
  void shapesOutOfReasonAreRefusedAndTheFlatFilterIsNamed() {
    for (double fpp : new double[] {1e-12, 1e-13}) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> BlockedBloomFilter.create(HashStrategies.longs(), 10_000, fpp))
              .toString();
      assertTrue(message.contains("use a ClassicBloomFilter or allow a higher fpp"), message);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> BlockedBloomFilter.create(HashStrategies.longs(), 1, 1e-18));
    assertEquals(
        BlockedShape.ofBits(10_000, 1e-8),
        BlockedBloomFilter.create(HashStrategies.longs(), 10_000, 1e-8).shape());
  }
}
