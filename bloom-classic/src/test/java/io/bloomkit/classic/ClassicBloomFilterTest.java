package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.IndexDerivation;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClassicBloomFilterTest extends BitFilterTest<ClassicBloomFilter<Long>> {

  private static final FlatShape SHAPE = new FlatShape(1000, 7);

  ClassicBloomFilterTest() {
    super(List.of(SHAPE));
  }

  private ClassicBloomFilter<Long> filterOf(long from, long to) {
    return filterOf(SHAPE, from, to);
  }

  @Override
  ClassicBloomFilter<Long> filterWith(
      HashStrategy<Long> strategy, Shape shape, boolean concurrent) {
    ClassicBloomFilter.Builder<Long> builder =
        ClassicBloomFilter.builder(strategy).shape((FlatShape) shape);
    return concurrent ? builder.concurrent().build() : builder.build();
  }

  @Override
  ClassicBloomFilter<Long> copy(ClassicBloomFilter<Long> filter) {
    return filter.copy();
  }

  @Override
  void merge(ClassicBloomFilter<Long> filter, ClassicBloomFilter<Long> other) {
    filter.merge(other);
  }

  @Override
  void intersect(ClassicBloomFilter<Long> filter, ClassicBloomFilter<Long> other) {
    filter.intersect(other);
  }

  @Override
  ClassicBloomFilter<Long> buildFrom(Shape shape, long[] bits) {
    return ClassicBloomFilter.builder(HashStrategies.longs())
        .shape((FlatShape) shape)
        .buildFrom(bits);
  }

  @Override
  ClassicBloomFilter<Long> buildFrom(Shape shape, long[] bits, long elementCount) {
    return ClassicBloomFilter.builder(HashStrategies.longs())
        .shape((FlatShape) shape)
        .buildFrom(bits, elementCount);
  }

  @Override
  List<Shape> otherShapes() {
    return List.of(new FlatShape(1000, 6), new FlatShape(1001, 7));
  }

  @Test
  void bitsAreThoseOfTheDerivationAndNoOthers() {
    BitSet expected = new BitSet();
    ClassicBloomFilter<Long> filter = filterOf(0, 0);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 50; i++) {
      long hash = random.nextLong();
      filter.addHash(hash);
      long state = IndexDerivation.start(hash);
      for (int j = 0; j < SHAPE.hashes(); j++) {
        expected.set((int) IndexDerivation.position(state, SHAPE.positions()));
        state = IndexDerivation.next(state);
      }
    }
    assertArrayEquals(expected.toLongArray(), filter.toLongArray());
    assertEquals(expected.cardinality(), filter.setPositions());
    for (int p = 0; p < SHAPE.positions(); p++) {
      assertEquals(expected.get(p), filter.isSet(p));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> filter.isSet(1000));
    assertThrows(IndexOutOfBoundsException.class, () -> filter.isSet(-1));
  }

  @Test
  void anAdditionSetsTheFirstPositionsForEveryNumberOfHashes() {
    for (int k = 1; k <= FlatShape.MAX_HASHES; k++) {
      ClassicBloomFilter.Builder<Long> builder =
          ClassicBloomFilter.builder(HashStrategies.longs()).shape(new FlatShape(1_000_003, k));
      ClassicBloomFilter<Long> plain = builder.build();
      ClassicBloomFilter<Long> batch = builder.build();
      ClassicBloomFilter<Long> concurrent = builder.concurrent().build();
      BitSet expected = new BitSet();
      for (long hash : new SplittableRandom(k).longs(5).toArray()) {
        long state = IndexDerivation.start(hash);
        for (int j = 0; j < k; j++) {
          expected.set((int) IndexDerivation.position(state, 1_000_003));
          state = IndexDerivation.next(state);
        }
        assertTrue(plain.addHash(hash));
        assertFalse(plain.addHash(hash));
        assertTrue(concurrent.addHash(hash));
        assertFalse(concurrent.addHash(hash));
        assertEquals(1, batch.addHashes(new long[] {hash, hash}, 0, 2));
      }
      for (ClassicBloomFilter<Long> filter : List.of(plain, batch, concurrent)) {
        assertEquals(expected, BitSet.valueOf(filter.toLongArray()), k + " hashes");
      }
    }
  }

  /** At a fill of 1 - 1/k every third hash or so misses exactly one bit, so each is looked at. */
  @Test
  void answersAreThoseOfTheBitsForEveryNumberOfHashes() {
    for (int k = 1; k <= FlatShape.MAX_HASHES; k++) {
      ClassicBloomFilter<Long> filter =
          ClassicBloomFilter.builder(HashStrategies.longs()).shape(new FlatShape(997, k)).build();
      ClassicBloomFilter<Long> concurrent =
          ClassicBloomFilter.builder(HashStrategies.longs())
              .shape(new FlatShape(997, k))
              .concurrent()
              .build();
      SplittableRandom random = new SplittableRandom(k);
      random
          .longs(1 + (long) (997 * Math.log(k) / k))
          .forEach(hash -> assertEquals(filter.addHash(hash), concurrent.addHash(hash)));
      assertEquals(filter, concurrent);
      for (int i = 0; i < 200 * k; i++) {
        long hash = random.nextLong();
        boolean positive = true;
        long state = IndexDerivation.start(hash);
        for (int j = 0; j < k; j++) {
          positive &= filter.isSet(IndexDerivation.position(state, 997));
          state = IndexDerivation.next(state);
        }
        assertEquals(positive, filter.mightContainHash(hash), k + " hashes");
        assertEquals(positive, concurrent.mightContainHash(hash), k + " hashes, concurrent");
      }
    }
  }

  /** The bits are two cache lines. */
  @Test
  void estimateReadsTheLinesItMay() {
    ClassicBloomFilter<Long> filter = filterOf(0, 60);
    double fill = filter.setPositions() / 1000.0;
    assertEquals(Value.exact(fill), filter.estimate(2).fill());
    assertEquals(Value.exact(filter.expectedFpp()), filter.estimate(2).fpp());
    assertEquals(Double.POSITIVE_INFINITY, filter.estimate(1).fill().standardError());
  }

  @Test
  void twoSecretKeysAreNotCompatible() {
    byte[] otherKey = new byte[16];
    otherKey[3] = 1;
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.create(
            HashStrategies.longs(HashStrategies.sipHash24(new byte[16])), 10, 0.01);
    ClassicBloomFilter<Long> other =
        ClassicBloomFilter.create(
            HashStrategies.longs(HashStrategies.sipHash24(otherKey)), 10, 0.01);
    assertFalse(filter.isCompatible(other));
  }

  @Test
  void theHashCodeIsThatOfStrategyShapeAndBits() {
    ClassicBloomFilter<Long> filter = filterOf(0, 10);
    ClassicBloomFilter<Long> sameBits =
        ClassicBloomFilter.builder(HashStrategies.seeded(HashStrategies.longs(), 1))
            .shape(SHAPE)
            .buildFrom(filter.toLongArray());
    assertEquals(filter.hashCode(), filterOf(0, 10).hashCode());
    assertNotEquals(filter.hashCode(), filterOf(0, 11).hashCode());
    assertNotEquals(filter.hashCode(), sameBits.hashCode());
  }

  @Test
  void itsTextIsForLogs() {
    assertEquals(
        "ClassicBloomFilter[positions=1000, hashes=7, netInsertions=0, strategy="
            + HashStrategies.longs().id()
            + "]",
        filterOf(0, 0).toString());
  }

  @Test
  void theLastBitOfAWholeWordMayBeSetFromTheStart() {
    ClassicBloomFilter.Builder<Long> builder =
        ClassicBloomFilter.builder(HashStrategies.longs()).shape(new FlatShape(128, 3));
    ClassicBloomFilter<Long> filter = builder.buildFrom(new long[] {0, Long.MIN_VALUE}, 0);
    assertTrue(filter.isSet(127));
    assertEquals(OptionalLong.of(0), filter.elementCount());
  }

  @Test
  void aBitBehindTheLastPositionIsRefused() {
    long[] words = filterOf(0, 40).toLongArray();
    words[words.length - 1] |= 1L << 40; // position 1000 of 1000
    assertThrows(IllegalArgumentException.class, () -> buildFrom(SHAPE, words));
  }

  @Test
  void theLargestArrayIsNotRefused() {
    long max = 64L * (Integer.MAX_VALUE - 8);
    ClassicBloomFilter.Builder<Long> builder = ClassicBloomFilter.builder(HashStrategies.longs());
    assertEquals(max / 8, builder.shape(new FlatShape(max, 7)).memoryBytes());
    assertThrows(IllegalArgumentException.class, () -> builder.shape(new FlatShape(max + 1, 7)));
  }

  @Test
  void filterWithEveryBitSetSaysSo() {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(HashStrategies.longs()).shape(new FlatShape(3, 2)).build();
    for (long i = 0; i < 100; i++) {
      filter.add(i);
    }
    assertEquals(1, filter.expectedFpp());
    assertEquals(Long.MAX_VALUE, filter.approximateElementCount());
  }

  @Test
  void badSizesAreRefusedBeforeAnythingIsAllocated() {
    HashStrategy<Long> longs = HashStrategies.longs();
    assertThrows(
        IllegalArgumentException.class,
        () -> ClassicBloomFilter.builder(longs).shape(new FlatShape(Shape.MAX_POSITIONS, 7)));
    for (long n : new long[] {-1, Long.MIN_VALUE, 1L << 40, Long.MAX_VALUE}) {
      String refusal =
          assertThrows(
                  IllegalArgumentException.class, () -> ClassicBloomFilter.create(longs, n, 0.01))
              .toString();
      assertTrue(
          refusal.contains("expectedInsertions") && refusal.contains(Long.toString(n)), refusal);
    }
    assertThrows(IllegalStateException.class, () -> ClassicBloomFilter.builder(longs).build());
    assertThrows(
        IllegalStateException.class, () -> ClassicBloomFilter.builder(longs).memoryBytes());
  }

  /** The heap of tests is smaller than the largest array. */
  @Test
  void memoryThatTheHeapDoesNotHaveIsStated() {
    FlatShape large = new FlatShape((1L << 37) - 1024, 1);
    String message =
        assertThrows(
                OutOfMemoryError.class,
                () -> ClassicBloomFilter.builder(HashStrategies.longs()).shape(large).build())
            .getMessage();
    assertTrue(String.valueOf(message).contains((1L << 34) - 128 + " bytes"), message);
  }

  @Test
  @Tag("deep")
  void positionsAboveTwoToThe32AreUsedAndFound() {
    FlatShape large = new FlatShape((1L << 32) + (1L << 27), 7);
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(HashStrategies.longs()).shape(large).build();
    assertTrue(filter.memoryBytes() > 512 << 20);
    SplittableRandom random = new SplittableRandom(32);
    int above = 0;
    long[] hashes = random.longs(20_000).toArray();
    for (long hash : hashes) {
      assertTrue(filter.addHash(hash));
      long state = IndexDerivation.start(hash);
      for (int i = 0; i < large.hashes(); i++) {
        long position = IndexDerivation.position(state, large.positions());
        if (position >= 1L << 32) {
          above++;
          assertTrue(filter.isSet(position));
        }
        state = IndexDerivation.next(state);
      }
    }
    // 140,000 positions, of which 1/33 lie above: mean 4242, standard deviation 64.
    assertTrue(above > 3800 && above < 4700, "positions above 2^32: " + above);
    for (long hash : hashes) {
      assertTrue(filter.mightContainHash(hash));
    }
    for (int i = 0; i < 100_000; i++) {
      assertFalse(filter.mightContainHash(random.nextLong()), "the rate is below 1e-20");
    }
  }

  @Test
  void manyAtOnceEqualOneByOne() {
    for (FlatShape shape :
        new FlatShape[] {
          new FlatShape(1 << 26, 7), new FlatShape((1 << 26) + 1, 2), new FlatShape(1 << 26, 20)
        }) {
      for (int length : new int[] {0, 1, 31, 32, 33, 100}) {
        assertBatchEqualsSingleOperations(shape, false, length);
      }
    }
  }
}
