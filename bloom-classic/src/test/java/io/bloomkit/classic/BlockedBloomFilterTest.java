package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BlockedBloomFilterTest extends BitFilterTest<BlockedBloomFilter<Long>> {

  private static final BlockedShape BITS = new BlockedShape(4, 512, 6);

  /** That of a filter of counters. */
  private static final BlockedShape QUARTERS = new BlockedShape(12, 128, 4);

  private static final List<BlockedShape> SHAPES = List.of(BITS, QUARTERS);

  BlockedBloomFilterTest() {
    super(SHAPES);
  }

  private BlockedBloomFilter<Long> empty(BlockedShape shape) {
    return filterOf(shape, 0, 0);
  }

  @Override
  BlockedBloomFilter<Long> filterWith(
      HashStrategy<Long> strategy, Shape shape, boolean concurrent) {
    BlockedBloomFilter.Builder<Long> builder =
        BlockedBloomFilter.builder(strategy).shape((BlockedShape) shape);
    return concurrent ? builder.concurrent().build() : builder.build();
  }

  @Override
  BlockedBloomFilter<Long> copy(BlockedBloomFilter<Long> filter) {
    return filter.copy();
  }

  @Override
  void merge(BlockedBloomFilter<Long> filter, BlockedBloomFilter<Long> other) {
    filter.merge(other);
  }

  @Override
  void intersect(BlockedBloomFilter<Long> filter, BlockedBloomFilter<Long> other) {
    filter.intersect(other);
  }

  @Override
  BlockedBloomFilter<Long> buildFrom(Shape shape, long[] bits) {
    return BlockedBloomFilter.builder(HashStrategies.longs())
        .shape((BlockedShape) shape)
        .buildFrom(bits);
  }

  @Override
  BlockedBloomFilter<Long> buildFrom(Shape shape, long[] bits, long elementCount) {
    return BlockedBloomFilter.builder(HashStrategies.longs())
        .shape((BlockedShape) shape)
        .buildFrom(bits, elementCount);
  }

  @Override
  List<Shape> otherShapes() {
    return List.of(
        new BlockedShape(4, 512, 4), new BlockedShape(6, 512, 6), new BlockedShape(16, 128, 6));
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
  void estimatesAreThoseOfTheSetPositionsOfEachWord() {
    for (BlockedShape shape : SHAPES) {
      BlockedBloomFilter<Long> filter = filterOf(shape, 0, 60);
      BitSet bits = BitSet.valueOf(filter.toLongArray());
      int perWord = shape.positionsPerWord();
      FilterEstimate expected =
          FilterEstimate.ofBlocks(
              shape,
              1,
              word -> bits.get((int) word * perWord, ((int) word + 1) * perWord).cardinality(),
              Integer.MAX_VALUE);
      assertEquals(expected.fpp().value(), filter.expectedFpp());
      assertEquals(Math.round(expected.elements().value()), filter.approximateElementCount());
    }
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
  void itsTextIsForLogs() {
    assertEquals(
        "BlockedBloomFilter[blocks=4, positionsPerBlock=512, hashes=6, netInsertions=0, strategy="
            + HashStrategies.longs().id()
            + "]",
        empty(BITS).toString());
  }

  @Test
  void memoryIsComputedBeforeTheFilterIsBuilt() {
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
  void badSizesAreRefusedBeforeAnythingIsAllocated() {
    HashStrategy<Long> longs = HashStrategies.longs();
    BlockedBloomFilter.Builder<Long> builder = BlockedBloomFilter.builder(longs);
    // An array holds six words and 268,435,454 blocks of bits.
    BlockedShape tooLarge = new BlockedShape(268_435_456, 512, 6);
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> builder.shape(tooLarge)).toString();
    assertTrue(refusal.contains("137438953472") && refusal.contains("137438952512"), refusal);
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
  @Tag("deep")
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

  @Test
  void aFlatFilterOfAsManyPositionsIsAnother() {
    assertNotEquals(
        (Object)
            ClassicBloomFilter.builder(HashStrategies.longs())
                .shape(new FlatShape(2048, 6))
                .build(),
        empty(BITS));
  }

  @Test
  void bitsNeedAShape() {
    assertThrows(
        IllegalStateException.class,
        () -> BlockedBloomFilter.builder(HashStrategies.longs()).buildFrom(new long[32]));
  }
}
